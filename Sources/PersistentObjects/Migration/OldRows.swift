internal import StoreEngine

/// The rows of a class as the file stores them, independent of the properties that the class has now.
///
/// ```swift
/// try store.migrate("2026-11 split names", before: Person.self) { session in
///     try session.old(Person.self).forEach { row in
///         let name: String = try row.value("full_name")
///         try session.execute("UPDATE person SET full_name = ? WHERE id = ?", name.uppercased(), row["id"])
///     }
/// }
/// ```
public struct OldRows {
    private let session: Session
    private let table: String?
    private let columns: [String]

    fileprivate init(_ session: Session, _ table: String?, columns: [String]) {
        self.session = session
        self.table = table
        self.columns = columns
    }

    /// The names of the columns of the rows; empty if the file has no table of the class.
    public var columnNames: [String] { columns }

    /// The number of rows.
    public var count: Int {
        get throws {
            guard let table else { return 0 }
            return try session.enter {
                guard case .integer(let count)? = try session.connection.value("SELECT count(*) FROM \(name: table)")
                else { return 0 }
                return Int(count)
            }
        }
    }

    /// Calls `body` with each row, in the order of the ids.
    ///
    /// Rows are read in batches of a thousand, so `body` may change them, and memory does not grow with their number.
    public func forEach(_ body: (Row) throws -> Void) throws {
        guard let table else { return }
        let total = try session.writing.migration?.progress == nil ? 0 : count
        var done = 0
        var last = Int64.min
        let sql: SQL = """
            SELECT \(names: columns) FROM \(name: table) WHERE "id" > ? ORDER BY "id" \
            LIMIT \(number: SchemaRun.batchSize)
            """
        while true {
            let rows = try session.rows(sql.text, last)
            for row in rows {
                if case .integer(let id)? = row["id"] { last = id }
                try body(row)
            }
            done += rows.count
            if let migration = session.writing.migration, let progress = migration.progress {
                try progress(SchemaProgress(change: migration.name, completedRows: done, totalRows: max(total, done)))
            }
            if rows.count < SchemaRun.batchSize { return }
        }
    }

    /// Returns all rows; for many rows, `forEach` uses less memory.
    public func all() throws -> [Row] {
        var rows: [Row] = []
        try forEach { rows.append($0) }
        return rows
    }
}

extension Session {
    /// Returns the rows of a class as the file stores them, without changing its table.
    ///
    /// The rows have the columns of earlier versions. The table is found by its present name or a former name. Columns
    /// are identified by their column names: `full_name`.
    public func old(_ type: (some Persistent).Type) throws -> OldRows {
        try enter {
            let map = try ClassMap.map(of: ObjectMemory.objectClass(type))
            let schema = connection.schema
            for name in [map.table] + map.formerTables {
                guard let found = try schema.table(name) else { continue }
                return OldRows(self, found.name, columns: found.columns.map(\.name))
            }
            return OldRows(self, nil, columns: [])
        }
    }
}
