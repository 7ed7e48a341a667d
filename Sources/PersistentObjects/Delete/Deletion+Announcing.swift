internal import StoreEngine

// What a deletion says to subscribers of the rows that it deletes.
extension Session {
    /// Notes the classes of rows before they are deleted, and the collections that they leave.
    func noteClasses(of deletion: Deletion) throws {
        guard let log = eventLog else { return }
        for (node, ids) in deletion.rows.enumerated() where !ids.isEmpty {
            try noteClasses(of: ids, deletion.rules.nodes[node].map)
        }
        for (link, owners) in deletion.loosened where link.isCollection {
            guard let place = link.map.place(of: link.property.name) else { continue }
            let note = eventNotes.note(link.map, ColumnSet([place]), isExact: false)
            for owner in owners { log.add(note, log.place(of: link.map.table), owner) }
        }
    }
}
