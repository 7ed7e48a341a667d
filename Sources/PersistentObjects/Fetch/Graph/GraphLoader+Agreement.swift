// Rows that are read again: what other objects have of them, and what they have lost, is brought to what they say.
extension GraphLoader {
    /// Takes the weak references of an object that is up to date whose objects have died: their rows are there.
    func addDiedReferences(of object: PersistentObject, _ map: ClassMap) {
        guard map.links.hasWeakReferences, let block = object.baseline else { return }
        let start = ObjectMemory.start(of: object)
        let layout = map.baseline
        for (index, place) in map.links.references.enumerated() {
            let slot = layout.slots[place]
            guard slot.content == .weakReference, slot.boxOffset < 0,
                slot.reference.object(slot.address(in: start)) == nil,
                layout.referenceID(place, in: block) != LinkImage.none, layout.isSame(slot, start, block)
            else { continue }
            frame(map).addReferrer(object, index)
            layout.didChange(place, of: start)
        }
    }

    /// A row that was read again refers to another object than before.
    func didLeave(_ old: Int64, for new: Int64, _ object: PersistentObject, _ map: ClassMap, _ place: Int) {
        guard old != LinkImage.none, old != new else { return }
        let rows = try? session.space(of: map.baseline.slots[place].reference.target).identity
        session.memory.inverses.didRead(object, map, place, from: [old], to: []) { rows?.object(for: $0) }
    }

    /// The same of a collection, where it is not one that the user has changed.
    func didRead(
        _ targets: [PersistentObject], after old: [Int64], _ object: PersistentObject, _ map: ClassMap,
        _ place: Int, _ space: ClassSpace
    ) {
        let isConcerned = targets.contains { target in
            target.identityMap.map { !$0.classMap.links.inverses.isEmpty }
                ?? false
        }
        guard isConcerned || !old.isEmpty else { return }
        session.memory.inverses.didRead(object, map, place, from: old, to: targets) {
            space.identity.object(for: $0)
        }
    }
}
