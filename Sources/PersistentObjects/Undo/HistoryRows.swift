internal import StoreEngine

/// Writes the history of rows that change while the triggers are off.
struct HistoryRows {
    private struct Part {
        let table: String
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
            // Without the triggers the class keeps no history any more.
            guard
                try inspector.triggers(on: table).contains(where: { HistoryTriggers.table(ofTrigger: $0.name) != nil }),
                let found = try inspector.table(table)
            else { continue }
            let columns = HistoryTriggers(found.name, found.columns).columns.map(\.name)
            let before = try HistoryRows.read(ids, columns, table, connection)
            parts.append(Part(table: found.name, columns: columns, ids: ids, before: before))
        }
    }

    /// Adds an entry for each row that is not what it was.
    func add() throws {
        for part in parts {
            let after = try HistoryRows.read(part.ids, part.columns, part.table, connection)
            for id in part.ids.sorted() { try add(id, part.before[id], after[id], part) }
        }
    }

    private func add(_ id: Int64, _ old: [DatabaseValue]?, _ new: [DatabaseValue]?, _ part: Part) throws {
        guard old != new else { return }
        let change: HistoryEntry.Change = old == nil ? .created : new == nil ? .deleted : .changed
        try connection.prepare(HistoryStatements.entry).execute(
            [.text(part.table), .integer(id), .text(change.rawValue)])
        let value = try connection.prepare(HistoryStatements.value)
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
