internal import StoreEngine

/// Writes the history of rows that change while the triggers are off.
struct HistoryRows {
    private struct Part {
        let history: HistoryTable
        let columns: [String]
        let ids: Set<Int64>
        let before: [Int64: [DatabaseValue]]
    }

    private var parts: [Part] = []
    private let connection: any Connection

    /// - Parameter rows: The ids of the rows that are going to change, by table.
    init(_ rows: [String: Set<Int64>], _ connection: any Connection) throws {
        self.connection = connection
        let inspector = SchemaInspector(connection)
        for (table, ids) in rows.sorted(by: { $0.key < $1.key }) {
            let history = HistoryTable(table: table)
            // The table stays when the class keeps no history any more; its triggers go.
            let trigger = history.triggerName(.update)
            guard try inspector.triggers(on: table).contains(where: { $0.name == trigger }) else { continue }
            let columns = try inspector.columnNames(of: table).filter { Naming.folded($0) != "id" }
            let before = try HistoryRows.read(ids, columns, table, connection)
            parts.append(Part(history: history, columns: columns, ids: ids, before: before))
        }
    }

    /// Adds an entry for each row that is not what it was.
    func add() throws {
        for part in parts {
            let after = try HistoryRows.read(part.ids, part.columns, part.history.table, connection)
            for id in part.ids.sorted() { try add(id, part.before[id], after[id], part) }
        }
    }

    private func add(_ id: Int64, _ old: [DatabaseValue]?, _ new: [DatabaseValue]?, _ part: Part) throws {
        guard old != new else { return }
        let event: HistoryTable.Event = old == nil ? .insert : new == nil ? .delete : .update
        let entry = try connection.prepare(
            """
            INSERT INTO \(name: part.history.entries) ("change", "object", "date") VALUES (?, ?, \(HistoryTable.now))
            """)
        try entry.execute([.text(event.change), .integer(id)])
        let value = try connection.prepare(
            "INSERT INTO \(name: part.history.values) VALUES ((SELECT max(\"id\") FROM \(name: part.history.entries)), ?, ?, ?)"
        )
        for (place, column) in part.columns.enumerated() {
            let (from, to) = (old?[place] ?? .null, new?[place] ?? .null)
            if from != to { try value.execute([.text(column), from, to]) }
        }
    }

    private static func read(
        _ ids: Set<Int64>, _ columns: [String], _ table: String, _ connection: any Connection
    ) throws -> [Int64: [DatabaseValue]] {
        let statement = try connection.prepare(
            "SELECT \(names: ["id"] + columns) FROM \(name: table) WHERE \"id\" IN (SELECT value FROM json_each(?))")
        defer { statement.finish() }
        statement.beginBinding()
        var rows: [Int64: [DatabaseValue]] = [:]
        do throws(ValueFault) { try statement.bind(list: ids, at: 1) } catch { throw StoreError.value(error) }
        while try statement.step() {
            var values: [DatabaseValue] = []
            var id: Int64 = 0
            do throws(ValueFault) {
                if case .integer(let number) = try statement.column(0).value() { id = number }
                for place in columns.indices { values.append(try statement.column(Int32(place) + 1).value()) }
            } catch { throw StoreError.value(error) }
            rows[id] = values
        }
        return rows
    }
}
