internal import StoreEngine

/// Statements that bring the file to what a class says, in their order.
struct SchemaSteps {
    private struct Step {
        let sql: SQL
        var value: DatabaseValue?
        /// The unique index that it makes.
        var index: String?
        /// For each row by its id: what the statement binds before the id.
        var rows: (ids: SQL, value: () throws -> DatabaseValue)?
    }

    private var steps: [Step] = []

    var isEmpty: Bool { steps.isEmpty }

    mutating func add(_ sql: SQL) { steps.append(Step(sql: sql)) }

    /// A statement with one placeholder, for values that SQL cannot write as literals.
    mutating func add(_ sql: SQL, binding value: DatabaseValue) { steps.append(Step(sql: sql, value: value)) }

    /// A statement with a placeholder for a value and one for an id, run for each of some ids with a value of its own.
    mutating func add(_ sql: SQL, forEach ids: SQL, binding value: @escaping () throws -> DatabaseValue) {
        steps.append(Step(sql: sql, rows: (ids, value)))
    }

    mutating func add(_ other: SchemaSteps) { steps += other.steps }

    /// Runs the statements; the caller has opened a transaction.
    func run(on connection: any Connection, for className: String) throws {
        for step in steps {
            do { try run(step, on: connection) } catch let error as StoreError {
                guard error.code == .notUnique else { throw error.at(className: className) }
                throw SchemaError.notUnique(className: className, index: step.index ?? error.message)
            }
        }
    }

    private func run(_ step: Step, on connection: any Connection) throws {
        if let (ids, value) = step.rows { return try run(step.sql, ids, value, on: connection) }
        guard let value = step.value else { return try connection.execute(step.sql) }
        let statement = try connection.prepare(step.sql)
        do throws(ValueFault) { try statement.bind(value, at: 1) } catch { throw StoreError.value(error) }
        try statement.run()
    }

    private func run(
        _ sql: SQL, _ selection: SQL, _ value: () throws -> DatabaseValue, on connection: any Connection
    ) throws {
        let rows = try connection.prepare(selection)
        var ids: [Int64] = []
        while try rows.step() { ids.append(rows.integer(0)) }
        let statement = try connection.prepare(sql)
        for id in ids {
            statement.beginBinding()
            do {
                try statement.bind(value(), at: 1)
                try statement.bind(id, at: 2)
            } catch let fault as ValueFault { throw StoreError.value(fault) }
            try statement.run()
        }
    }
}

// Pieces that several plans write.
extension SchemaSteps {
    mutating func renameTable(_ former: String, to name: String) {
        add("ALTER TABLE \(name: former) RENAME TO \(name: name)")
    }

    /// Our own indexes begin with the table's name: under a former one they would stand beside the new ones.
    mutating func dropIndexes(of former: String, _ indexes: Set<String>) {
        for name in indexes.sorted() where Naming.folded(name).hasPrefix(Naming.folded(former) + ".") {
            dropIndex(name)
        }
    }

    mutating func dropIndex(_ name: String) { add("DROP INDEX \(name: name)") }

    mutating func createIndex(
        _ name: String, on table: String, _ columns: [String], isUnique: Bool = false, isDescending: Bool = false
    ) {
        let keys = columns.map { isDescending ? "\(name: $0) DESC" : "\(name: $0)" as SQL }
        let kind: SQL = isUnique ? "UNIQUE INDEX" : "INDEX"
        let sql: SQL = "CREATE \(kind) \(name: name) ON \(name: table) (\(list: keys))"
        steps.append(Step(sql: sql, index: name))
    }
}

extension SQL {
    /// What becomes of a row when the one that it refers to is deleted.
    enum Deletion { case setsNull, cascades }

    /// What makes a column a reference to a table's id. What refers to new rows may be written before them.
    static func foreignKey(to table: String, onDelete deletion: Deletion) -> SQL {
        let action: SQL = deletion == .setsNull ? "SET NULL" : "CASCADE"
        return " REFERENCES \(name: table)(\"id\") ON DELETE \(action) DEFERRABLE INITIALLY DEFERRED"
    }
}
