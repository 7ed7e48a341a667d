/// The references of one property in objects of one fetch: the objects, and beside them the ids of what they refer to.
///
/// Lists in parallel, and no more for each reference: a fetch may have as many as rows.
struct ReferenceLinks {
    let map: ClassMap
    let place: Int
    /// The referenced class.
    let target: ClassSpace
    var objects: [PersistentObject] = []
    var ids: [Int64] = []
}

extension GraphLoader {
    /// Links the references whose objects are in memory, and notes the others.
    func link(
        _ objects: [PersistentObject], _ map: ClassMap, _ place: Int, _ pending: inout PendingLinks
    ) throws {
        let target = try session.space(of: map.baseline.slots[place].reference.target)
        let ids = objects.map { object in
            object.baseline.map { map.baseline.referenceID(place, in: $0) } ?? LinkImage.none
        }
        let links = ReferenceLinks(map: map, place: place, target: target, objects: objects, ids: ids)
        let left = try make(links)
        if !left.ids.isEmpty { pending.add(left, try session.space(of: target.map.root)) }
    }

    /// Links those whose objects have been read.
    func finish(_ links: ReferenceLinks) throws {
        let left = try make(links)
        guard let object = left.objects.first, let id = left.ids.first else { return }
        throw GraphLoader.broken(id, links.target.map, object, links.map, links.place)
    }

    /// Makes links; the answer is those whose objects are not in memory.
    private func make(_ links: ReferenceLinks) throws -> ReferenceLinks {
        let (map, place, space) = (links.map, links.place, links.target)
        let slot = map.baseline.slots[place]
        let reference = slot.reference
        let isPlain = !reference.isWeak && slot.boxOffset < 0
        var left = ReferenceLinks(map: map, place: place, target: space)
        // What is known of the class of the last target.
        var keeper: ObjectKeeper?
        var hasInverses = true
        // Neighbours often refer to the same object, whose inverses have been asked then.
        var told: (target: PersistentObject, areRead: Bool)?
        let targets = space.identity.liveObjects(for: links.ids)
        if targets.allSatisfy({ $0 == nil }) { return links }
        for (index, object) in links.objects.enumerated() {
            guard let target = targets[index] else {
                left.objects.append(object)
                left.ids.append(links.ids[index])
                continue
            }
            if target.keeper !== keeper {
                guard space.contains(target) else { throw GraphLoader.wrongClass(target, object, map, place) }
                keeper = target.keeper
                hasInverses = target.identityMap.map { !$0.classMap.links.inverses.isEmpty } ?? true
            }
            let start = ObjectMemory.start(of: object)
            if isPlain {
                (start + slot.objectOffset)[as: PersistentObject?.self] = target
            } else {
                set(target, slot, reference, start, object, map, place)
            }
            guard hasInverses else { continue }
            if told?.target !== target {
                session.inverses.didLink(object, map, place, to: target)
                told = (target, session.inverses.areRead(of: target))
            } else if told?.areRead == true {
                session.inverses.didLink(object, map, place, to: target)
            }
        }
        return left
    }

    private func set(
        _ target: PersistentObject, _ slot: BaselineLayout.Slot, _ reference: ReferenceCodec, _ start: Address,
        _ object: PersistentObject, _ map: ClassMap, _ place: Int
    ) {
        reference.set(target, at: slot.address(in: start))
        if reference.isWeak {
            if let block = object.baseline { map.baseline.holdWeakly(target, place, in: block) }
            session.heldTargets.append(target)
        }
        if let box = slot.box(in: start) { box.state = .loaded }
    }
}
