internal import StoreEngine

/// The events for the rows that an undo writes. They have the same form as the events of the save that it undoes.
struct UndoAnnouncement {
    let store: Store
    let connection: any Connection
    let events: CommitEvents

    init(_ session: Session) { (store, connection, events) = (session.store, session.connection, session.news.events) }

    /// Calls `apply`, which writes recorded changes, and announces the changed objects and properties.
    ///
    /// The engine may report an update as a deletion and an insertion, and does not report the rows of collections.
    func report(_ rows: [ChangedRow], _ apply: () throws -> Void) throws {
        guard let log = connection.rowLog else { return try apply() }
        try recordClasses(ofDeleted: rows)
        let start = log.changes.count
        try apply()
        var tables: [Int: UndoneRows] = [:]
        for (name, rows) in UndoAnnouncement.byTable(rows) {
            guard let owner = store.classes.owner(of: name),
                owner.map.foreign == nil || SchemaInspector(connection).isNumbered(owner.map)
            else {
                continue
            }
            let table = log.place(of: owner.map.table)
            let known = tables[table] ?? UndoneRows(store.classes.classes(sharing: owner.map.table))
            tables[table] = known
            for row in rows {
                guard let id = row.key else { continue }
                if let property = owner.property { known.add(property, of: id) } else { known.add(row, id) }
            }
        }
        let reported = tables.sortedUnspecialized { $0.key < $1.key }.flatMap { table, rows in
            rows.changes.map { kind, id, names in
                (kind: kind, table: table, id: id, detail: names.map { events.record(naming: $0) })
            }
        }
        log.replace(since: start, of: Set(tables.keys), reported)
    }

    /// Records the classes of deleted rows, because the rows cannot be read afterwards.
    private func recordClasses(ofDeleted rows: [ChangedRow]) throws {
        for (name, rows) in UndoAnnouncement.byTable(rows) {
            guard let map = store.classes.classes(sharing: name).first else { continue }
            let ids = rows.filter { $0.operation == .delete }.compactMap(\.key)
            if !ids.isEmpty { try events.recordClasses(of: ids, map) }
        }
    }

    /// The rows of each table.
    private static func byTable(_ rows: [ChangedRow]) -> [(table: String, rows: [ChangedRow])] {
        Dictionary(grouping: rows, by: \.table).sortedUnspecialized { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

/// The changes of an undo to the rows of one table and to their collections.
private final class UndoneRows {
    private struct Row {
        var kinds: [RowLog.Kind] = []
        /// Nil if a changed column belongs to no property.
        var names: Set<String>? = []
    }

    /// The names of the properties in the order of their declaration, superclasses' first.
    private var order: [String] = []
    private var names: [String: String] = [:]
    private var rows: [Int64: Row] = [:]
    private var ids: [Int64] = []

    init(_ maps: [ClassMap]) {
        for map in maps {
            for property in map.inDeclaredOrder.map({ map.properties[$0] }) {
                if !order.contains(property.name) { order.append(property.name) }
                guard property.hasColumn else { continue }
                for column in property.columns { names[Naming.folded(column)] = property.name }
            }
        }
    }

    private func change(_ id: Int64, _ body: (inout Row) -> Void) {
        if rows[id] == nil { ids.append(id) }
        body(&rows[id, default: Row()])
    }

    /// Adds elements of a collection.
    func add(_ property: Property, of id: Int64) { change(id) { $0.names?.insert(property.name) } }

    /// Adds a row.
    func add(_ row: ChangedRow, _ id: Int64) {
        change(id) { known in
            switch row.operation {
            case .insert: known.kinds.append(.inserted)
            case .delete: known.kinds.append(.deleted)
            case .update:
                for column in row.columns {
                    guard let name = names[Naming.folded(column)] else { return known.names = nil }
                    known.names?.insert(name)
                }
            }
        }
    }

    /// The changes to announce. An inserted or deleted row is not announced as updated as well.
    var changes: [(kind: RowLog.Kind, id: Int64, names: [String]?)] {
        ids.flatMap { id in
            guard let row = rows[id] else { return [(kind: RowLog.Kind, id: Int64, names: [String]?)]() }
            guard row.kinds.isEmpty else { return row.kinds.map { ($0, id, nil) } }
            return [(.updated, id, row.names.map { names in order.filter(names.contains) })]
        }
    }
}
