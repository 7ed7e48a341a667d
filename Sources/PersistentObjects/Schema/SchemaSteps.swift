internal import StoreEngine

/// Statements that bring the file to what a class says, in their order.
struct SchemaSteps {
    private var steps: [(sql: SQL, value: DatabaseValue?)] = []

    var isEmpty: Bool { steps.isEmpty }

    mutating func add(_ sql: SQL) { steps.append((sql, nil)) }

    /// A statement with one placeholder, for values that SQL cannot write as literals.
    mutating func add(_ sql: SQL, binding value: DatabaseValue) { steps.append((sql, value)) }

    mutating func add(_ other: SchemaSteps) { steps += other.steps }

    /// Runs the statements; the caller has opened a transaction.
    func run(on connection: SQLiteConnection, for className: String) throws {
        for step in steps {
            do { try run(step.sql, step.value, on: connection) } catch {
                guard error.code == .notUnique else { throw error.at(className: className) }
                throw SchemaError.notUnique(className: className, index: error.message)
            }
        }
    }

    private func run(
        _ sql: SQL, _ value: DatabaseValue?, on connection: SQLiteConnection
    ) throws(StoreError) {
        guard let value else { return try connection.execute(sql) }
        let statement = try connection.prepare(sql.text)
        do throws(ValueFault) { try statement.bind(value, at: 1) } catch { throw StoreError.value(error) }
        try statement.run()
    }
}

// Pieces that several plans write.
extension SchemaSteps {
    mutating func renameTable(_ former: String, to name: String) {
        var sql = SQL("ALTER TABLE ")
        sql.append(identifier: former)
        sql.append(" RENAME TO ")
        sql.append(identifier: name)
        add(sql)
    }

    /// Our own indexes begin with the table's name: under a former one they would stand beside the new ones.
    mutating func dropIndexes(of former: String, _ indexes: Set<String>) {
        for name in indexes.sorted() where Naming.folded(name).hasPrefix(Naming.folded(former) + ".") {
            var sql = SQL("DROP INDEX ")
            sql.append(identifier: name)
            add(sql)
        }
    }

    mutating func createIndex(
        _ name: String, on table: String, _ columns: [String], isUnique: Bool = false, isDescending: Bool = false
    ) {
        var sql = SQL(isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ")
        sql.append(identifier: name)
        sql.append(" ON ")
        sql.append(identifier: table)
        sql.append(" (")
        sql.append(columns) { sql, column in
            sql.append(identifier: column)
            if isDescending { sql.append(" DESC") }
        }
        sql.append(")")
        add(sql)
    }
}

extension SQL {
    /// A foreign key to a table's id. What refers to new rows may be written before them.
    enum Deletion { case setsNull, cascades }

    mutating func append(foreignKeyTo table: String, onDelete deletion: Deletion) {
        append(" REFERENCES ")
        append(identifier: table)
        switch deletion {
        case .setsNull: append("(\"id\") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED")
        case .cascades: append("(\"id\") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED")
        }
    }
}
