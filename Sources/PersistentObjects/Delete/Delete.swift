/// Deletes rows, by objects or by conditions, with all that follows by delete rules.
struct Delete {
    let session: Session

    init(_ session: Session) { self.session = session }

    var connection: any Connection { session.connection }
    var classes: UsedClasses { session.classes }
    var memory: Memory { session.memory }
    var news: News { session.news }
}

// `willDelete`, of objects in memory only: nothing is read to be asked.
extension Delete {
    /// Asks objects that are to be deleted.
    func callWillDelete(_ objects: [PersistentObject], _ map: ClassMap, _ asked: AskedObjects) throws {
        guard map.hooks.contains(.willDelete), !objects.isEmpty else { return }
        try session.writing.asSaving { for object in objects where asked.add(object) { try object.willDelete() } }
    }

    /// Asks the objects of all rows that a deletion has found.
    func callWillDelete(_ deletion: Deletion, _ asked: AskedObjects) throws {
        for (node, ids) in deletion.rows.enumerated() where !ids.isEmpty {
            guard let hierarchy = classes.usedHierarchy(of: deletion.rules.nodes[node].map.root) else { continue }
            let listening = hierarchy.allIdentities.filter { $0.classMap.hooks.contains(.willDelete) && $0.count > 0 }
            guard !listening.isEmpty else { continue }
            let objects = listening[0].objects(for: ids).found
            for identity in listening {
                try callWillDelete(objects.filter { $0.keeper === identity }, identity.classMap, asked)
            }
        }
    }

    /// Asks all objects of a class and its subclasses.
    func callWillDelete(allOf space: ClassSpace) throws {
        let asked = AskedObjects()
        for identity in space.hierarchy.allIdentities
        where identity.classMap.hooks.contains(.willDelete) && identity.classMap.derives(from: space.map) {
            try callWillDelete(identity.liveObjects(), identity.classMap, asked)
        }
    }
}
