// Makes objects and inverses agree with rows that were read again.
extension GraphLoader {
    /// Adds the weak references of a current object whose targets were released, because their rows still exist.
    func addDiedReferences(of object: PersistentObject, _ map: ClassMap) {
        guard map.links.hasWeakReferences, let block = object.baseline else { return }
        let start = ObjectMemory.start(of: object)
        let layout = map.baseline
        for (index, ordinal) in map.links.references.enumerated() {
            let slot = layout.slots[ordinal]
            guard slot.content == .weakReference, slot.boxOffset < 0,
                slot.reference.object(slot.address(in: start)) == nil,
                layout.referenceID(ordinal, in: block) != LinkImage.none, layout.isSame(slot, start, block)
            else { continue }
            frame(map).addReferrer(object, index)
            layout.didChange(ordinal, of: start)
        }
    }

    /// Updates the inverses if a row that was read again refers to another object than before.
    func didLeave(_ old: Int64, for new: Int64, _ object: PersistentObject, _ map: ClassMap, _ ordinal: Int) {
        guard old != LinkImage.none, old != new else { return }
        let rows = try? session.space(of: map.baseline.slots[ordinal].reference.target).identity
        session.memory.inverses.didRead(object, map, ordinal, from: [old], to: []) { rows?.object(for: $0) }
    }

    /// Updates the inverses for a collection that was read again, unless the user edited it.
    func didRead(
        _ targets: [PersistentObject], after old: [Int64], _ object: PersistentObject, _ map: ClassMap,
        _ ordinal: Int, _ space: ClassSpace
    ) {
        let isConcerned = targets.contains { target in
            target.identityMap.map { !$0.classMap.links.inverses.isEmpty }
                ?? false
        }
        guard isConcerned || !old.isEmpty else { return }
        session.memory.inverses.didRead(object, map, ordinal, from: old, to: targets) {
            space.identity.object(for: $0)
        }
    }
}
