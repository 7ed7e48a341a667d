internal import StoreEngine

/// Writes the history of rows that change while the triggers are off.
struct HistoryRows {
    /// A table with a history, and its rows before they change.
    private struct Part {
        let table: String
        let columns: [String]
        var ids: Set<Int64> = []
        var before: [Int64: [DatabaseValue]] = [:]
        /// The changing collections of the table's rows.
        var collections: [Collection] = []
    }

    private struct Collection {
        let triggers: ElementTriggers
        let owners: Set<Int64>
        let before: [Int64: PastElements]
    }

    private var parts: [String: Part] = [:]
    private let connection: any Connection

    /// - Parameters:
    ///   - rows: The ids of the rows that will change, by table; for a collection's table, the ids of the owners.
    ///   - triggers: The triggers of these tables.
    init(
        _ rows: [String: Set<Int64>], _ triggers: [String: [TriggerDescription]], _ connection: any Connection
    ) throws {
        self.connection = connection
        let inspector = SchemaInspector(connection)
        for (table, ids) in rows.sortedUnspecialized(by: { $0.key < $1.key }) {
            // Without the triggers the class keeps no history any more.
            guard
                triggers[table, default: []].contains(where: { HistoryTriggers.table(ofTrigger: $0.name) != nil }),
                let found = try inspector.table(table)
            else { continue }
            if let owner = try inspector.foreignKeys(of: found.name)[ChildTable.ownerColumn],
                let name = try inspector.table(owner)?.name, let triggers = ElementTriggers(found, owner: name)
            {
                let before = try PastElements.read(triggers, ids, connection)
                try part(name, inspector) {
                    $0.collections.append(Collection(triggers: triggers, owners: ids, before: before))
                }
            } else {
                try part(found.name, inspector) { part in
                    part.ids = ids
                    part.before = try HistoryRows.read(ids, part.columns, found.name, connection)
                }
            }
        }
    }

    private mutating func part(
        _ table: String, _ inspector: SchemaInspector, _ body: (inout Part) throws -> Void
    ) throws {
        let key = Naming.folded(table)
        var part =
            try parts[key]
            ?? Part(
                table: table,
                columns: HistoryTriggers.columns(inspector.table(table)?.columns ?? []).map(\.name))
        try body(&part)
        parts[key] = part
    }

    /// Adds an entry for each row that changed, or whose collections changed.
    func add() throws {
        for (_, part) in parts.sortedUnspecialized(by: { $0.key < $1.key }) {
            let after = try HistoryRows.read(part.ids, part.columns, part.table, connection)
            let elements = try part.collections.map { try PastElements.read($0.triggers, $0.owners, connection) }
            for id in part.collections.reduce(part.ids, { $0.union($1.owners) }).sorted() {
                var hasEntry = try add(id, part.before[id], after[id], part)
                for (collection, elements) in zip(part.collections, elements) {
                    let changes = (elements[id] ?? PastElements()).changes(
                        since: collection.before[id] ?? PastElements())
                    guard !changes.isEmpty else { continue }
                    if !hasEntry { try addEntry(id, .changed, part) }
                    hasEntry = true
                    try add(changes, collection.triggers)
                }
            }
        }
    }

    /// - Returns: Whether the row changed.
    private func add(_ id: Int64, _ old: [DatabaseValue]?, _ new: [DatabaseValue]?, _ part: Part) throws -> Bool {
        guard old != new else { return false }
        try addEntry(id, old == nil ? .created : new == nil ? .deleted : .changed, part)
        let value = try connection.prepare(HistoryStatements.value)
        for (place, column) in part.columns.enumerated() {
            let (from, to) = (old?[place] ?? .null, new?[place] ?? .null)
            if from != to { try value.execute([.text(column), from, to]) }
        }
        return true
    }

    private func addEntry(_ id: Int64, _ change: HistoryEntry.Change, _ part: Part) throws {
        try connection.prepare(HistoryStatements.entry(connection.dialect)).execute(
            [.text(part.table), .integer(id), .text(change.rawValue)])
    }

    private func add(_ changes: [PastElements.Change], _ triggers: ElementTriggers) throws {
        let statement = try connection.prepare(HistoryStatements.element)
        for change in changes {
            try statement.execute(
                [
                    .text(triggers.table), .text(change.change.rawValue), triggers.hasKeys ? change.place : .null,
                    change.old ?? .null, change.new ?? .null,
                ])
        }
    }

    /// The values of some columns of rows.
    static func read(
        _ ids: Set<Int64>, _ columns: [String], _ table: String, _ connection: any Connection
    ) throws -> [Int64: [DatabaseValue]] {
        var rows: [Int64: [DatabaseValue]] = [:]
        let sql: SQL =
            "SELECT \(names: ["id"] + columns) FROM \(name: table) WHERE \"id\" \(connection.dialect.isInList("?", .plain))"
        try connection.forEachRow(sql, ids) { id, values in rows[id] = values }
        return rows
    }
}

extension Connection {
    /// Calls `body` with the id in the first column of each row, and the values of the other columns.
    ///
    /// - Parameter ids: The list that is passed to the statement.
    func forEachRow(
        _ sql: SQL, _ ids: Set<Int64>, _ body: (_ id: Int64, _ values: [DatabaseValue]) throws -> Void
    ) throws {
        let statement = try prepare(sql)
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(list: Array(ids), at: 1) } catch { throw StoreError.value(error) }
        while try statement.step() {
            var values: [DatabaseValue] = []
            do throws(ValueFault) {
                for place in 1..<statement.columnCount { values.append(try statement.column(place).value()) }
            } catch { throw StoreError.value(error) }
            try body(statement.integer(0), values)
        }
    }
}
