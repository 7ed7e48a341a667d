internal import StoreEngine

/// The steps that migrate the file to a class's declarations, in order: statements, and work on rows that SQL cannot
/// express.
struct SchemaSteps: Sendable {
    struct Step: Sendable {
        /// The text that is displayed and recorded: SQL, or an SQL comment for other work.
        let text: String
        let run: @Sendable (SchemaRun) throws -> Void
    }

    private(set) var steps: [Step] = []

    var isEmpty: Bool { steps.isEmpty }
    /// The displayed texts of the steps.
    var texts: [String] { steps.map(\.text) }

    mutating func add(_ sql: SQL) { add(sql.text) { try $0.connection.execute(sql) } }

    /// Adds a statement with one placeholder, for values without an SQL literal.
    mutating func add(_ sql: SQL, binding value: DatabaseValue) {
        add(sql.text) { try $0.execute(sql, [value]) }
    }

    /// Adds work that SQL cannot express, and the comment that describes it.
    mutating func add(_ text: String, _ run: @escaping @Sendable (SchemaRun) throws -> Void) {
        steps.append(Step(text: text, run: run))
    }

    mutating func add(_ other: SchemaSteps) { steps += other.steps }

    func run(_ run: SchemaRun) throws { for step in steps { try step.run(run) } }
}

// Steps that several plans share.
extension SchemaSteps {
    /// Adds a statement with placeholders for a value and an id, which runs with a separate value for each row that
    /// meets a condition.
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

    /// Renames a column, so that conversions that read the column find its new name.
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
    /// A conjunction of conditions; empty conditions are omitted.
    static func and(_ conditions: [SQL]) -> SQL {
        let conditions = conditions.filter { !$0.isEmpty }
        return "\(list: conditions.map { "(\($0))" as SQL }, separator: " AND ")"
    }

    /// The effect on a row when the row it refers to is deleted.
    enum Deletion: String, Sendable {
        case setsNull = "SET NULL"
        case cascades = "CASCADE"
        /// The referenced row cannot be deleted; only other programs create such references.
        case refuses = "NO ACTION"

        fileprivate var sql: SQL {
            switch self {
            case .setsNull: "SET NULL"
            case .cascades: "CASCADE"
            case .refuses: "NO ACTION"
            }
        }
    }

    /// The clause that makes a column a reference to a table's id. It is deferred, so that a reference may be written
    /// before the new row that it refers to.
    static func foreignKey(to table: String, onDelete deletion: Deletion) -> SQL {
        " REFERENCES \(name: table)(\"id\") ON DELETE \(deletion.sql) DEFERRABLE INITIALLY DEFERRED"
    }
}
