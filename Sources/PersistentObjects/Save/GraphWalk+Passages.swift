// Most objects that a save reaches are clean and refer only to objects that the walk has reached. The walk skips them
// with one check each, in a loop without reference counting and calls.

/// The data for skipping clean objects of one class. It is plain data, so that nothing is retained.
struct Passage {
    let keeper: Borrowed<ObjectKeeper>
    private let classMap: Borrowed<ClassMap>
    let layout: Borrowed<BaselineLayout>
    let steps: FixedBuffer<LinkStep>
    /// Whether objects of the class can be skipped. They cannot if they have hooks, or collections of links.
    let isOpen: Bool

    var map: ClassMap { classMap.object }

    /// Borrows the class map, which lives as long as the process.
    init(_ keeper: Borrowed<ObjectKeeper>, _ map: ClassMap) {
        self.keeper = keeper
        classMap = Borrowed(map)
        layout = Borrowed(map.baseline)
        steps = map.links.steps
        isOpen =
            map.hooks.isDisjoint(with: .beforeSave)
            && map.links.eagerCollections.allSatisfy {
                !map.properties[$0].isLink
            }
    }
}

/// A check that compares only bits, because the object's deinitialization may have begun.
private struct BareLook {
    private let layout: Borrowed<BaselineLayout>
    private let hub: Address
    private let hubID: Int64

    /// Nil for a class with a link that takes more than one word in the object.
    init?(_ map: ClassMap, _ hub: PersistentObject) {
        guard map.links.boxes.isEmpty, map.baseline.comparedSlots.allSatisfy({ map.baseline.slots[$0].isBareReference })
        else { return nil }
        layout = Borrowed(map.baseline)
        self.hub = ObjectMemory.start(of: hub)
        hubID = hub.linkID
    }

    @inline(__always)
    func passes(_ start: Address, _ keeper: Borrowed<ObjectKeeper>) -> Bool {
        guard start.header.keeper == keeper, start.header.lifecycle == .saved, let block = start.header.baseline
        else { return false }
        return layout.with { $0.hasSameBits(start, block, referringTo: hub, hubID) }
    }
}

extension GraphWalk {
    /// Whether a saved object has no changes and refers to no object that the walk must check.
    @inline(__always)
    func passes(_ start: Address, _ passage: Passage) -> Bool {
        guard passage.isOpen, let block = start.header.baseline else { return false }
        for step in passage.steps {
            switch step.lead(in: start) {
            case .nowhere: continue
            case .object(let target):
                guard target.header.isMarked || passesAtEnd(target) else { return false }
            case .unknown: return false
            }
        }
        return passage.layout.with { $0.changes(start, block).isEmpty }
    }

    /// Whether the walk has reached an object, or need not inspect it.
    @inline(__always)
    func isPassed(_ target: Address) -> Bool {
        if target.header.isMarked { return true }
        guard options.reachesAll, target.header.lifecycle == .saved, let keeper = target.header.keeper,
            let passage = knownPassage(keeper)
        else { return false }
        return passes(target, passage)
    }

    /// The same check for a target of such an object. The target's class must have no links.
    private func passesAtEnd(_ start: Address) -> Bool {
        guard options.reachesAll, start.header.lifecycle == .saved, let keeper = start.header.keeper,
            let passage = passages[keeper.address], passage.isOpen, passage.steps.isEmpty,
            let block = start.header.baseline
        else { return false }
        return passage.layout.with { $0.changes(start, block).isEmpty }
    }

    /// The live objects of rows that refer to `hub`, without objects whose bits show that they are clean and refer only
    /// to it.
    ///
    /// The objects are checked under their table's lock and are not retained, so no reference is followed.
    func unpassed(
        _ ids: [Int64], of identity: IdentityMap, referringTo hub: PersistentObject
    ) -> [PersistentObject] {
        guard options.reachesAll, let passage = passages[Borrowed(identity).address], passage.isOpen,
            let plan = BareLook(passage.map, hub)
        else { return identity.objects(for: ids).found }
        return identity.objects(for: ids, unless: { plan.passes($0, passage.keeper) })
    }

    /// Adds the objects of a list that cannot be skipped.
    func reach(_ targets: [PersistentObject], from object: PersistentObject, _ map: ClassMap, _ ordinal: Int) throws {
        let passesAny = options.reachesAll
        var known: Passage?
        try Address.with(targets) { first in
            guard let first else { return }
            for index in targets.indices {
                let target = (first + index * MemoryLayout<Address>.size).load(as: Address.self)
                if target.header.isMarked { continue }
                if passesAny, target.header.lifecycle == .saved, let keeper = target.header.keeper {
                    if known?.keeper != keeper { known = knownPassage(keeper) }
                    if let known, passes(target, known) { continue }
                }
                try reach(targets[index], from: object, map, ordinal)
            }
        }
    }
}
