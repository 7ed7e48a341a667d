/// The changes of a fetch to objects that were already in memory. They are undone if the fetch fails.
///
/// Otherwise these objects would refer to objects that were removed from the identity map, which the next save would
/// consider new.
///
/// It records single links, because a fetch records each link that it loads, and an `ObjectCopy` would copy the whole
/// row for each.
struct GraphUndo {
    private struct Link {
        let object: PersistentObject
        let map: ClassMap
        let ordinal: Int
        let image: LinkImage
        let targets: [PersistentObject]
        let wasLoaded: Bool
        /// Whether it was a weak reference whose target had been released.
        let hadEnded: Bool
    }

    private var links: [Link] = []
    /// Objects whose rows were read again.
    private var refreshed: Set<ObjectIdentifier> = []

    mutating func recordRefresh(of object: PersistentObject) { refreshed.insert(ObjectIdentifier(object)) }

    func isRefreshed(_ object: PersistentObject) -> Bool {
        !refreshed.isEmpty && refreshed.contains(ObjectIdentifier(object))
    }

    /// Records an object's link and its baseline, before either changes.
    mutating func record(_ object: PersistentObject, _ map: ClassMap, _ ordinal: Int) {
        guard let block = object.baseline else { return }
        let slot = map.baseline.slots[ordinal]
        let start = ObjectMemory.start(of: object)
        let wasLoaded = slot.box(in: start).map { $0.state != .unloaded } ?? true
        var (image, targets) = (LinkImage(), [PersistentObject]())
        if slot.codec is ReferenceCodec {
            image.ids = [map.baseline.referenceID(ordinal, in: block)]
        } else if slot.codec is any LinkCodec {
            image = map.baseline.image(ordinal, in: block)
        } else {
            // A collection of values is read completely or not at all.
            return
        }
        let field = slot.address(in: start)
        if wasLoaded { slot.links.forEachTarget(field) { targets.append($0) } }
        let hadEnded = slot.content == .weakReference && WeakMemory.hasEnded(field)
        links.append(
            Link(
                object: object, map: map, ordinal: ordinal, image: image, targets: targets, wasLoaded: wasLoaded,
                hadEnded: hadEnded))
    }

    /// Undoes all recorded changes and marks the objects stale, so that the next fetch reads their rows again.
    func run(_ session: SessionParts) {
        for link in links.reversed() {
            guard let block = link.object.baseline else { continue }
            let layout = link.map.baseline
            let slot = layout.slots[link.ordinal]
            let start = ObjectMemory.start(of: link.object)
            let field = slot.address(in: start)
            var current: [PersistentObject] = []
            slot.links.forEachTarget(field) { current.append($0) }
            for target in current where !link.targets.contains(where: { $0 === target }) {
                session.memory.inverses.didDelete([link.object], link.map, link.ordinal, from: target)
            }
            // The inverses lost these targets when the row was read, before the new targets were linked.
            let former = Set(link.image.ids)
            for target in link.targets where former.contains(target.rowID) {
                session.memory.inverses.didLink(link.object, link.map, link.ordinal, to: target)
            }
            if !link.wasLoaded { slot.box(in: start)?.state = .unloaded }
            session.memory.markStale(link.object)
            if let reference = slot.codec as? ReferenceCodec {
                reference.set(link.targets.first, at: field)
                layout.setReferenceID(link.image.ids[0], of: link.ordinal, in: block)
                if reference.isWeak, let target = link.targets.first, target.rowID == link.image.ids[0] {
                    layout.holdWeakly(target, link.ordinal, in: block)
                }
                if link.hadEnded { slot.makeEnded(field, block) }
            } else {
                layout.setImage(link.image, of: link.ordinal, in: block)
                // If the fetch did not reach this collection, the user's edits are still in it.
                if current.elementsEqual(link.targets, by: ===) { continue }
                let targets = Dictionary(link.targets.map { ($0.rowID, $0) }, uniquingKeysWith: { first, _ in first })
                slot.links.restore(link.wasLoaded ? link.image : LinkImage(), into: field) { targets[$0] }
            }
        }
    }

    /// Removes a created object from the inverses that it was added to.
    static func forgetInverses(of object: PersistentObject, _ map: ClassMap, _ session: SessionParts) {
        let start = ObjectMemory.start(of: object)
        for ordinal in map.links.targets {
            let slot = map.baseline.slots[ordinal]
            if slot.codec is InverseCodec || !map.properties[ordinal].isLoaded(in: start) { continue }
            slot.links.forEachTarget(slot.address(in: start)) { target in
                session.memory.inverses.didDelete([object], map, ordinal, from: target)
            }
        }
    }
}
