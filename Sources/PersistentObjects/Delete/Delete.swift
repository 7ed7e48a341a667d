/// Deletes rows, by objects or by conditions, and follows the delete rules.
struct Delete: SessionVerb {
    let session: SessionParts

    init(_ session: SessionParts) { self.session = session }
}

// Calls of `willDelete`. They concern only objects in memory: no object is loaded for them.
extension Delete {
    /// Calls `willDelete` of objects to delete.
    func callWillDelete(_ objects: [PersistentObject], _ map: ClassMap, _ notified: NotifiedObjects) throws {
        guard map.hooks.contains(.willDelete), !objects.isEmpty else { return }
        try session.writing.asSaving { for object in objects where notified.add(object) { try object.willDelete() } }
    }

    /// Calls `willDelete` of the objects of all rows that a deletion found.
    func callWillDelete(_ deletion: Deletion, _ notified: NotifiedObjects) throws {
        for (node, ids) in deletion.rowsByNode where !ids.isEmpty {
            guard let hierarchy = classes.usedHierarchy(of: deletion.rules.nodes[node].map.root) else { continue }
            let listening = hierarchy.allIdentities.filter { $0.classMap.hooks.contains(.willDelete) && $0.count > 0 }
            guard !listening.isEmpty else { continue }
            let objects = listening[0].objects(for: ids).found
            for identity in listening {
                try callWillDelete(objects.filter { $0.keeper === identity }, identity.classMap, notified)
            }
        }
    }

    /// Calls `willDelete` of all objects of a class and its subclasses.
    func callWillDelete(allOf space: ClassSpace) throws {
        let notified = NotifiedObjects()
        for identity in space.hierarchy.allIdentities
        where identity.classMap.hooks.contains(.willDelete) && identity.classMap.derives(from: space.map) {
            try callWillDelete(identity.liveObjects(), identity.classMap, notified)
        }
    }
}
