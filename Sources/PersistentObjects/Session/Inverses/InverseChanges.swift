/// The changes of a save or a deletion to inverses in memory. They are collected, so that an inverse that gets or loses
/// many objects changes once.
struct InverseChanges {
    private struct Key: Hashable {
        let target: ObjectIdentifier
        let map: ObjectIdentifier
        let ordinal: Int
    }

    private struct Change {
        let target: PersistentObject
        let map: ClassMap
        var linked: [PersistentObject] = []
        var unlinked: [PersistentObject] = []
    }

    private var all: [Key: Change] = [:]

    private mutating func change(
        _ target: PersistentObject, _ map: ClassMap, _ ordinal: Int, _ change: (inout Change) -> Void
    ) {
        let key = Key(target: ObjectIdentifier(target), map: ObjectIdentifier(map), ordinal: ordinal)
        change(&all[key, default: Change(target: target, map: map)])
    }

    /// Records that a property of `object` does not refer to `target` any more.
    mutating func unlink(_ object: PersistentObject, _ map: ClassMap, _ ordinal: Int, from target: PersistentObject) {
        change(target, map, ordinal) { $0.unlinked.append(object) }
    }

    /// Records that a property of `object` refers to the objects of `new` instead of the rows of `old`.
    mutating func relink(
        _ object: PersistentObject, _ map: ClassMap, _ ordinal: Int, from old: [Int64], to new: [PersistentObject],
        _ target: (Int64) -> PersistentObject?
    ) {
        let former = Set(old)
        for id in former.subtracting(new.map(\.rowID)) {
            if let target = target(id) { unlink(object, map, ordinal, from: target) }
        }
        for target in new where !former.contains(target.rowID) {
            change(target, map, ordinal) { $0.linked.append(object) }
        }
    }

    /// Changes the inverses that are in memory.
    func apply(_ agreement: InverseAgreement) {
        for (key, change) in all {
            agreement.didChange(
                change.target, change.map, key.ordinal, linked: change.linked, unlinked: change.unlinked)
        }
    }
}
