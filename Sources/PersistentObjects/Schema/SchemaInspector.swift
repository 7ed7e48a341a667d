internal import StoreEngine

/// Reads what tables a file has.
struct SchemaInspector {
    private let connection: any Connection

    init(_ connection: any Connection) { self.connection = connection }

    struct Table {
        let name: String
        let columns: [Column]
        let isView: Bool
        /// The text of its CREATE statement.
        let definition: String

        func column(_ name: String) -> Column? { columns.first { Naming.folded($0.name) == Naming.folded(name) } }

        /// Why no class can use it; nil where one can.
        var unsuitability: String? {
            if isView { return "is a view" }
            guard let id = column("id"), id.keyPlace != 0, columns.count(where: { $0.keyPlace != 0 }) == 1,
                id.type == "INTEGER"
            else { return "has no column \"id\" that is its INTEGER PRIMARY KEY" }
            // Ids are promised never to be used again.
            guard definition.uppercased().contains("AUTOINCREMENT") else {
                return "does not keep its ids from being used again (AUTOINCREMENT)"
            }
            return nil
        }
    }

    struct Column {
        let name: String
        let type: String
        let isNotNull: Bool
        /// Its place in the primary key, from 1; 0 where it is not in it.
        let keyPlace: Int64
        /// What a row has that does not say, as SQL.
        let defaultValue: String?
    }

    /// A table or view by its name, nil where there is none. SQLite folds ASCII case, and so does this.
    func table(_ name: String) throws -> Table? {
        let rows = try self.rows(
            "SELECT name, type, sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')",
            name)
        guard let row = rows.first, case .text(let found) = row[0], case .text(let kind) = row[1] else { return nil }
        var definition = ""
        if case .text(let sql) = row[2] { definition = sql }
        return Table(
            name: found, columns: try columns(of: found), isView: kind != "table", definition: definition)
    }

    private func columns(of table: String) throws -> [Column] {
        let sql = "SELECT name, type, \"notnull\", pk, dflt_value FROM pragma_table_xinfo(?)"
        return try rows(sql, table).compactMap { row in
            guard case .text(let name) = row[0], case .text(let type) = row[1], case .integer(let place) = row[3]
            else { return nil }
            let value: String? = if case .text(let text) = row[4] { text } else { nil }
            return Column(
                name: name, type: type.uppercased(), isNotNull: row[2] != .integer(0), keyPlace: place,
                defaultValue: value)
        }
    }

    /// The tables that columns refer to, both folded.
    func foreignKeys(of table: String) throws -> [String: String] {
        var targets: [String: String] = [:]
        for row in try rows("SELECT \"from\", \"table\" FROM pragma_foreign_key_list(?)", table) {
            guard case .text(let column) = row[0], case .text(let target) = row[1] else { continue }
            targets[Naming.folded(column)] = Naming.folded(target)
        }
        return targets
    }

    /// All triggers whose names begin so, with their texts.
    func triggers(beginning prefix: String) throws -> [(name: String, text: String)] {
        let sql =
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND substr(name, 1, length(?1)) = ?1 "
            + "COLLATE NOCASE ORDER BY name"
        return try rows(sql, prefix).compactMap { row in
            if case .text(let name) = row[0], case .text(let text) = row[1] { (name, text) } else { nil }
        }
    }

    /// The definition of a table or view, and the triggers on another table.
    func searchParts(
        of table: String, _ name: String
    ) throws -> (definition: String?, triggers: [(name: String, text: String)]) {
        let triggers = try rows(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE", table)
        let tables = try rows(
            "SELECT sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE", name)
        let definition: String? = if case .text(let text)? = tables.first?[0] { text } else { nil }
        return (
            definition,
            triggers.compactMap { row in
                if case .text(let name) = row[0], case .text(let text) = row[1] { (name, text) } else { nil }
            }
        )
    }

    /// Whether there is a row of this class; the table has the column.
    func hasRows(of className: String, in table: String) throws -> Bool {
        var sql = SQL("SELECT 1 FROM ")
        sql.append(identifier: table)
        sql.append(" WHERE \"class\" = ? LIMIT 1")
        return try !rows(sql.text, className).isEmpty
    }

    func hasSeveralRows(_ table: String) throws -> Bool {
        var sql = SQL("SELECT 1 FROM ")
        sql.append(identifier: table)
        sql.append(" LIMIT 1 OFFSET 1")
        return try connection.value(sql) != nil
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
