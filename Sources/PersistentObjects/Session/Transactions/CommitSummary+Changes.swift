internal import StoreEngine

extension CommitSummary {
    /// The summary of a transaction whose changes the database has kept. The changed properties are unknown.
    init(_ changes: [TableChange], _ classes: StoredClasses) {
        self.init()
        var list = RowEventList<RowEvent.Key>()
        var reported: Set<RowEvent.Key> = []
        for change in changes where !change.table.isEmpty {
            let table = Naming.folded(change.table)
            tables.insert(table)
            if change.kind == .reported { hasUnreportedRows = true }
            let maps = classes.classes(sharing: table)
            let top = maps.first { map in maps.allSatisfy { $0.derives(from: map) } } ?? maps.first
            guard let ids = change.ids else {
                hasHiddenRows = true
                hasUnknownRows = true
                if let top { events.append(RowEvent(top, 0, .unknown, nil, isSilent: !top.sendsEvents)) }
                continue
            }
            rows[table, default: []] += ids
            // A class that this process does not know is reported as the topmost class.
            let named = change.className.flatMap { name in maps.first { $0.name == name } }
            guard let map = named ?? top else { continue }
            for id in ids {
                let kind: RowEvent.Kind =
                    switch change.kind {
                    case .inserted: .inserted
                    case .deleted: .deleted
                    case .updated, .reported: .updated
                    }
                let event = RowEvent(map, id, kind, nil, isSilent: !map.sendsEvents)
                // The rows of a collection are written before or after the row of their owner, and are part of its change.
                guard change.kind != .reported || !reported.contains(event.key) else { continue }
                reported.insert(event.key)
                list.add(event, event.key)
            }
        }
        events += list.events
    }
}
