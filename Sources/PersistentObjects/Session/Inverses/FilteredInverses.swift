/// The inverses with a condition that are in memory. Their objects depend on values that are not links, so they are
/// read again after each change that can affect them.
final class FilteredInverses {
    private struct Key: Hashable {
        let identity: ObjectIdentifier
        let ordinal: Int
    }

    /// One property of the objects of one class.
    private struct Entry {
        let identity: IdentityMap
        let ordinal: Int
        let reach: InverseReach
        var owners: Set<Int64>
        /// The number of owners at which deallocated owners are removed.
        var crowd = Entry.leastCrowd

        static let leastCrowd = 1024

        mutating func add(_ ids: [Int64]) {
            owners.formUnion(ids)
            guard owners.count > crowd else { return }
            owners = owners.filter { identity.object(for: $0) != nil }
            crowd = Swift.max(Entry.leastCrowd, 2 * owners.count)
        }
    }

    private var read: [Key: Entry] = [:]

    var isEmpty: Bool { read.isEmpty }

    /// Records that a property of some owners was read.
    func record(_ identity: IdentityMap, _ ordinal: Int, _ reach: InverseReach, _ owners: [Int64]) {
        let key = Key(identity: ObjectIdentifier(identity), ordinal: ordinal)
        read[key, default: Entry(identity: identity, ordinal: ordinal, reach: reach, owners: [])].add(owners)
    }

    /// Called after some properties of a class's rows changed; nil if rows were inserted or deleted.
    func didChange(_ map: ClassMap, _ changed: ColumnSet?) {
        for (key, entry) in read where entry.reach.isConcerned(by: map, changed) {
            var kept: Set<Int64> = []
            for id in entry.owners {
                guard let owner = entry.identity.object(for: id), owner.keeper === entry.identity else { continue }
                if !FilteredInverses.release(entry.ordinal, of: owner, entry.identity.classMap.baseline) {
                    kept.insert(id)
                }
            }
            if kept.isEmpty { read[key] = nil } else { read[key]?.owners = kept }
        }
    }

    /// Makes an inverse load again on its next access; false if the user has edited it.
    ///
    /// The objects stay in the inverse until then, because their edits are saved with the owner.
    ///
    /// - Parameter isStale: Whether its ids may be outdated; otherwise its objects are only looked up again.
    static func release(
        _ ordinal: Int, of owner: PersistentObject, _ layout: BaselineLayout, isStale: Bool = true
    ) -> Bool {
        let start = ObjectMemory.start(of: owner)
        guard let block = owner.baseline, let box = layout.slots[ordinal].box(in: start) else { return true }
        if box.state == .released { box.isStale = box.isStale || isStale }
        if box.state.isAway { return true }
        guard !box.isBeingEdited, layout.isSame(layout.slots[ordinal], start, block) else { return false }
        (box.state, box.isStale) = (.released, isStale)
        layout.didChange(ordinal, of: start)
        return true
    }
}
