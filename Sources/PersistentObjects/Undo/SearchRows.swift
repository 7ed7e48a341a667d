internal import StoreEngine

/// Updates the search indexes for rows that are written while the triggers are off.
struct SearchRows {
    private struct Part {
        let removing: SQL
        let adding: SQL
        let ids: Set<Int64>
    }

    private var parts: [Part] = []
    private let connection: any Connection

    /// - Parameter rows: The ids of the rows that will change, by table.
    init(_ rows: [String: Set<Int64>], _ connection: any Connection) throws {
        self.connection = connection
        let inspector = SchemaInspector(connection)
        let search = connection.dialect.search
        for (table, ids) in rows.sortedUnspecialized(by: { $0.key < $1.key }) {
            let name = SearchIndex.name(for: table)
            guard let text = try inspector.definition(of: name), search.isDefinition(text, name) else { continue }
            let index = SearchIndex(of: table, columns: try inspector.columnNames(of: name))
            parts.append(
                Part(
                    removing: search.removal(index), adding: search.addition(index),
                    ids: ids))
        }
    }

    /// Removes the words of the existing rows; call it before the rows change.
    func remove() throws { for part in parts { try run(part.removing, part.ids) } }

    /// Adds the words of the existing rows; call it after the rows changed.
    func add() throws { for part in parts { try run(part.adding, part.ids) } }

    private func run(_ sql: SQL, _ ids: Set<Int64>) throws {
        let statement = try connection.statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(list: Array(ids), at: 1) } catch { throw StoreError.value(error) }
        try statement.run()
    }
}
