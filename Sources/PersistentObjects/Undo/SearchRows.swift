internal import StoreEngine

/// Brings the indexes of words to rows that are written while the triggers are off.
struct SearchRows {
    private struct Part {
        let removing: String
        let adding: String
        /// As a JSON array.
        let ids: String
    }

    private var parts: [Part] = []
    private let connection: any Connection

    /// - Parameter rows: The ids of the rows that are going to change, by table.
    init(_ rows: [String: Set<Int64>], _ connection: any Connection) throws {
        self.connection = connection
        for (table, ids) in rows.sorted(by: { $0.key < $1.key }) {
            let name = SearchTable.name(for: table)
            guard SearchPlan.isOurs(try SchemaInspector(connection).searchParts(of: table, name).definition, name)
            else { continue }
            let columns = try SearchRows.columns(of: name, connection)
            parts.append(
                Part(
                    removing: SearchRows.sql(name, table, columns, isRemoval: true),
                    adding: SearchRows.sql(name, table, columns, isRemoval: false),
                    ids: "[\(ids.map(String.init).joined(separator: ","))]"))
        }
    }

    /// Takes out the words of the rows that are there: before they change.
    func remove() throws { for part in parts { try run(part.removing, part.ids) } }

    /// Takes in the words of the rows that are there: after they have changed.
    func add() throws { for part in parts { try run(part.adding, part.ids) } }

    private func run(_ sql: String, _ ids: String) throws {
        let statement = try connection.statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(ids, at: 1) } catch { throw StoreError.value(error) }
        try statement.run()
    }

    private static func columns(of name: String, _ connection: any Connection) throws -> [String] {
        let statement = try connection.statement("SELECT name FROM pragma_table_info(?)")
        defer { statement.finish() }
        statement.beginBinding()
        do {
            try statement.bind(name, at: 1)
            var columns: [String] = []
            while try statement.step() { columns.append(try String.read(statement.column(0))) }
            return columns
        } catch let fault as ValueFault { throw StoreError.value(fault) }
    }

    private static func sql(_ name: String, _ table: String, _ columns: [String], isRemoval: Bool) -> String {
        var sql = SQL("INSERT INTO ")
        sql.append(identifier: name)
        sql.append(" (")
        if isRemoval {
            sql.append(identifier: name)
            sql.append(", ")
        }
        sql.append("rowid, ")
        sql.append(columns) { $0.append(identifier: $1) }
        sql.append(isRemoval ? ") SELECT 'delete', " : ") SELECT ")
        sql.append(["id"] + columns) { $0.append(column: $1, of: table) }
        sql.append(" FROM ")
        sql.append(identifier: table)
        sql.append(" WHERE ")
        sql.append(column: "id", of: table)
        sql.append(" IN (SELECT value FROM json_each(?))")
        return sql.text
    }
}
