internal import StoreEngine

/// What is done to bring the file to what a class says, in its order: statements, and work on rows that SQL cannot say.
struct SchemaSteps: Sendable {
    struct Step: Sendable {
        /// As it is shown and recorded: SQL, or a comment in SQL where it is none.
        let text: String
        let run: @Sendable (SchemaRun) throws -> Void
    }

    private(set) var steps: [Step] = []

    var isEmpty: Bool { steps.isEmpty }
    /// As they are shown.
    var texts: [String] { steps.map(\.text) }

    mutating func add(_ sql: SQL) { add(sql.text) { try $0.connection.execute(sql) } }

    /// A statement with one placeholder, for values that SQL cannot write as literals.
    mutating func add(_ sql: SQL, binding value: DatabaseValue) {
        add(sql.text) { try $0.execute(sql, [value]) }
    }

    /// Work that SQL cannot say, and the comment that tells it.
    mutating func add(_ text: String, _ run: @escaping @Sendable (SchemaRun) throws -> Void) {
        steps.append(Step(text: text, run: run))
    }

    mutating func add(_ other: SchemaSteps) { steps += other.steps }

    func run(_ run: SchemaRun) throws { for step in steps { try step.run(run) } }
}

// Pieces that several plans write.
extension SchemaSteps {
    /// A statement with a placeholder for a value and one for an id, run for each of some ids with a value of its own.
    mutating func add(
        _ sql: SQL, forEach ids: SQL, in table: String, binding value: @escaping @Sendable () throws -> DatabaseValue
    ) {
        add(sql.text) { run in
            let statement = try run.connection.prepare(sql)
            try run.forEachID(ids, in: table) { id in try statement.execute([try value(), .integer(id)]) }
        }
    }

    mutating func renameTable(_ former: String, to name: String) {
        add("ALTER TABLE \(name: former) RENAME TO \(name: name)")
    }

    /// Conversions that read the column find it under its new name.
    mutating func renameColumn(_ column: String, to name: String, in table: String) {
        let sql: SQL = "ALTER TABLE \(name: table) RENAME COLUMN \(name: column) TO \(name: name)"
        add(sql.text) { run in
            try run.connection.execute(sql)
            run.columnNames.rename(column, to: name, in: table)
        }
    }

    mutating func dropIndex(_ name: String) { add("DROP INDEX IF EXISTS \(name: name)") }

    mutating func dropTable(_ name: String) { add("DROP TABLE \(name: name)") }

    mutating func createIndex(_ index: IndexDefinition, on table: String) {
        createIndex(WrittenIndex(index), on: table)
    }

    mutating func createIndex(_ index: WrittenIndex, on table: String) {
        let sql = index.creation(on: table)
        add(sql.text) { run in
            do { try run.connection.execute(sql) } catch let error as StoreError where error.code == .notUnique {
                throw SchemaError.notUnique(
                    className: run.className, index: index.name,
                    rows: try run.equalRows(index.keys, in: table, where: index.condition))
            }
        }
    }
}

extension SQL {
    /// Conditions that all hold; those that are empty say nothing.
    static func and(_ conditions: [SQL]) -> SQL {
        let conditions = conditions.filter { !$0.isEmpty }
        return "\(list: conditions.map { "(\($0))" as SQL }, separator: " AND ")"
    }

    /// What becomes of a row when the one that it refers to is deleted.
    enum Deletion: String, Sendable {
        case setsNull = "SET NULL"
        case cascades = "CASCADE"
        /// The row that is referred to cannot be deleted; only other programs make such references.
        case refuses = "NO ACTION"

        fileprivate var sql: SQL {
            switch self {
            case .setsNull: "SET NULL"
            case .cascades: "CASCADE"
            case .refuses: "NO ACTION"
            }
        }
    }

    /// What makes a column a reference to a table's id. What refers to new rows may be written before them.
    static func foreignKey(to table: String, onDelete deletion: Deletion) -> SQL {
        " REFERENCES \(name: table)(\"id\") ON DELETE \(deletion.sql) DEFERRABLE INITIALLY DEFERRED"
    }
}
