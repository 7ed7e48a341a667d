internal import StoreEngine

// The events of the rows that a deletion deletes.
extension Deletion {
    /// Records the classes of rows before they are deleted, the collections that lose elements, and the references that
    /// become nil.
    func recordClasses(in events: CommitEvents) throws {
        guard let log = events.log else { return }
        for (node, ids) in rows.enumerated() where !ids.isEmpty {
            try events.recordClasses(of: ids, rules.nodes[node].map)
        }
        // A row may lose several references.
        var references: [EventDetails.Row: [String]] = [:]
        for (link, owners) in clearedIncoming {
            guard let ordinal = link.map.ordinal(of: link.property.name) else { continue }
            if link.isCollection {
                events.recordChanges(ColumnSet([ordinal]), of: owners, link.map, isExact: false)
            } else {
                let table = log.place(of: link.map.table)
                for owner in owners {
                    references[EventDetails.Row(table: table, id: owner), default: []].append(link.property.name)
                }
            }
        }
        events.expectChanges(references)
    }
}
