internal import StoreEngine

/// Reads what tables a file has.
struct SchemaInspector {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }

    struct Table {
        let name: String
        let columns: [Column]
        /// Why no class can use it; nil where one can.
        let unsuitability: String?
    }

    struct Column {
        let name: String
        let type: String
        let isNotNull: Bool
        let isPrimaryKey: Bool
    }

    /// A table or view by its name, nil where there is none. SQLite folds ASCII case, and so does this.
    func table(_ name: String) throws -> Table? {
        let rows = try self.rows(
            "SELECT name, type, sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')",
            name)
        guard let row = rows.first, case .text(let found) = row[0], case .text(let kind) = row[1] else { return nil }
        let columns = try self.columns(of: found)
        guard kind == "table" else { return Table(name: found, columns: columns, unsuitability: "is a view") }
        var definition = ""
        if case .text(let sql) = row[2] { definition = sql }
        return Table(name: found, columns: columns, unsuitability: unsuitability(columns, definition))
    }

    private func unsuitability(_ columns: [Column], _ definition: String) -> String? {
        guard let id = columns.first(where: { Naming.folded($0.name) == "id" }), id.isPrimaryKey,
            columns.filter(\.isPrimaryKey).count == 1, id.type.uppercased() == "INTEGER"
        else { return "has no column \"id\" that is its INTEGER PRIMARY KEY" }
        // Ids are promised never to be used again.
        guard definition.uppercased().contains("AUTOINCREMENT") else {
            return "does not keep its ids from being used again (AUTOINCREMENT)"
        }
        return nil
    }

    private func columns(of table: String) throws -> [Column] {
        try rows("SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?)", table).compactMap { row in
            guard case .text(let name) = row[0], case .text(let type) = row[1] else { return nil }
            return Column(
                name: name, type: type.uppercased(), isNotNull: row[2] != .integer(0),
                isPrimaryKey: row[3] != .integer(0))
        }
    }

    func indexNames(of table: String) throws -> Set<String> {
        let rows = try self.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE", table)
        return Set(rows.compactMap { if case .text(let name) = $0[0] { name } else { nil } })
    }

    private func rows(_ sql: String, _ argument: String) throws -> [[DatabaseValue]] {
        let statement = try connection.statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        do {
            try statement.bind(argument, at: 1)
            var rows: [[DatabaseValue]] = []
            while try statement.step() {
                rows.append(try (0..<statement.columnCount).map { try statement.column($0).value() })
            }
            return rows
        } catch let fault as ValueFault { throw StoreError.value(fault).at(sql: sql) }
    }
}
