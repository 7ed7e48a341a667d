internal import StoreEngine

// What a deletion says to subscribers of the rows that it deletes.
extension Session {
    /// Notes the classes of rows before they are deleted, the collections that they leave, and the references to them
    /// that become nil.
    func noteClasses(of deletion: Deletion) throws {
        guard let log = eventLog else { return }
        for (node, ids) in deletion.rows.enumerated() where !ids.isEmpty {
            try noteClasses(of: ids, deletion.rules.nodes[node].map)
        }
        // A row may lose several references.
        var references: [EventNotes.Row: [String]] = [:]
        for (link, owners) in deletion.loosened {
            guard let place = link.map.place(of: link.property.name) else { continue }
            let table = log.place(of: link.map.table)
            if link.isCollection {
                let note = eventNotes.note(link.map, ColumnSet([place]), isExact: false)
                for owner in owners { log.add(note, table, owner) }
            } else {
                for owner in owners {
                    references[EventNotes.Row(table: table, id: owner), default: []].append(link.property.name)
                }
            }
        }
        for (row, names) in references { log.expect(eventNotes.note(naming: names), row.table, row.id) }
    }
}
