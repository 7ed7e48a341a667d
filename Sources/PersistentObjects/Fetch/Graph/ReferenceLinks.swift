/// The references of one property in objects of one fetch: the objects, and in parallel the ids of their targets.
///
/// Parallel lists need the least memory for each reference, because a fetch may have as many references as rows.
struct ReferenceLinks {
    let map: ClassMap
    let ordinal: Int
    /// The referenced class.
    let target: ClassSpace
    var objects: [PersistentObject] = []
    /// `LinkImage.none` for a nil reference.
    var ids: [Int64] = []

    /// The class and the property.
    var name: String { "\(map.name).\(map.properties[ordinal].name)" }

    var hasAny: Bool { ids.contains { $0 != LinkImage.none } }

    /// The references at some indices.
    func only(_ indices: [Int]) -> ReferenceLinks {
        guard indices.count < objects.count else { return self }
        return ReferenceLinks(
            map: map, ordinal: ordinal, target: target, objects: indices.map { objects[$0] },
            ids: indices.map { ids[$0] })
    }
}

extension GraphLoader {
    /// Links the references whose targets are in memory and records the remaining references.
    func link(
        _ objects: [PersistentObject], _ map: ClassMap, _ ordinal: Int, _ pending: inout PendingLinks
    ) throws {
        let ids = objects.map { object in
            object.baseline.map { map.baseline.referenceID(ordinal, in: $0) } ?? LinkImage.none
        }
        try link(objects, ids, map, ordinal, &pending)
    }

    /// Links the references of objects whose ids are known. The first `linkedCount` objects are already linked.
    func link(
        _ objects: [PersistentObject], _ ids: [Int64], _ map: ClassMap, _ ordinal: Int, linkedCount: Int = 0,
        _ pending: inout PendingLinks
    ) throws {
        let target = try session.space(of: map.baseline.slots[ordinal].reference.target)
        let links = ReferenceLinks(map: map, ordinal: ordinal, target: target, objects: objects, ids: ids)
        let left = target.identity.isEmpty ? links : try make(links, from: linkedCount)
        if left.hasAny { pending.add(left, try session.space(of: target.map.root)) }
    }

    /// Links the references whose targets were read.
    func finish(_ links: ReferenceLinks) throws {
        let left = try make(links)
        guard let object = left.objects.first, let id = left.ids.first else { return }
        throw GraphLoader.broken(id, links.target.map, object, links.map, links.ordinal)
    }

    /// Makes the links from an index on, and returns the references whose targets are not in memory.
    private func make(_ links: ReferenceLinks, from first: Int = 0) throws -> ReferenceLinks {
        let space = links.target
        let slot = links.map.baseline.slots[links.ordinal]
        let reference = slot.reference
        guard !reference.isWeak, slot.boxOffset < 0 else { return try makeEach(links, slot, reference) }
        let left = space.identity.link(links.objects, links.ids, from: first, at: slot.objectOffset)
        var missing = left.missing
        for (index, target) in left.others {
            if mayBeAnothers(target, space) {
                missing.append(index)
            } else {
                try set(target, links, index, slot, reference)
            }
        }
        if !space.map.links.inverses.isEmpty || !left.others.isEmpty { updateInverses(links, slot, reference) }
        return links.only(missing)
    }

    /// Makes the links if the references are weak or in boxes.
    private func makeEach(
        _ links: ReferenceLinks, _ slot: BaselineLayout.Slot, _ reference: ReferenceCodec
    ) throws -> ReferenceLinks {
        var missing: [Int] = []
        for (index, target) in links.target.identity.liveObjects(for: links.ids).enumerated() {
            guard let target else {
                if links.ids[index] != LinkImage.none { missing.append(index) }
                continue
            }
            if mayBeAnothers(target, links.target) {
                missing.append(index)
                continue
            }
            try set(target, links, index, slot, reference)
        }
        updateInverses(links, slot, reference)
        return links.only(missing)
    }

    /// Whether an object of the wrong class is stale, so that its row may have the right class by now.
    private func mayBeAnothers(_ target: PersistentObject, _ space: ClassSpace) -> Bool {
        !space.contains(target) && !session.memory.isCurrent(target)
    }

    /// Updates the loaded inverses of the targets that were linked.
    private func updateInverses(_ links: ReferenceLinks, _ slot: BaselineLayout.Slot, _ reference: ReferenceCodec) {
        let inverses = OwnInverses(of: links.target)
        let isPlain = !reference.isWeak && slot.boxOffset < 0
        // Neighbors often refer to the same object. If that object has no loaded inverse, it is not checked again.
        var unread = LinkImage.none
        for (index, id) in links.ids.enumerated() where id != LinkImage.none && id != unread {
            // Most targets have no loaded inverse, which their memory shows without counting references to them.
            if isPlain, inverses.areUnread(of: id, referredTo: links.objects, index, slot.objectOffset) {
                unread = id
                continue
            }
            let object = links.objects[index]
            // A different target is the former object, whose successor is not in memory yet.
            guard let target = reference.object(slot.address(in: ObjectMemory.start(of: object))), target.rowID == id
            else { continue }
            guard session.memory.inverses.areRead(of: target) else {
                unread = id
                continue
            }
            session.memory.inverses.didLink(object, links.map, links.ordinal, to: target)
        }
    }

    /// Sets a target if the reference is more than its field.
    private func set(
        _ target: PersistentObject, _ links: ReferenceLinks, _ index: Int, _ slot: BaselineLayout.Slot,
        _ reference: ReferenceCodec
    ) throws {
        let object = links.objects[index]
        guard links.target.contains(target) else {
            throw GraphLoader.wrongClass(target, object, links.map, links.ordinal)
        }
        let start = ObjectMemory.start(of: object)
        reference.set(target, at: slot.address(in: start))
        if reference.isWeak {
            if let block = object.baseline { links.map.baseline.holdWeakly(target, links.ordinal, in: block) }
            session.memory.heldTargets.append(target)
        }
        if let box = slot.box(in: start) { box.state = .loaded }
    }
}

/// The inverses of a class's own objects, seen in the objects' memory.
private struct OwnInverses {
    private let keeper: Borrowed<ObjectKeeper>
    private let boxOffsets: [Int]

    init(of space: ClassSpace) {
        keeper = Borrowed(space.identity)
        boxOffsets = space.map.links.inverses.map { space.map.baseline.slots[$0].boxOffset }
    }

    /// Whether the object in the plain reference of one of some objects represents the row `id`, belongs to the class, and
    /// has no inverse in memory.
    @inline(__always)
    func areUnread(of id: Int64, referredTo objects: [PersistentObject], _ index: Int, _ offset: Int) -> Bool {
        Address.with(objects) { list in
            guard let list else { return false }
            let object = (list + index * MemoryLayout<Address>.stride).load(as: Address.self)
            guard let target = (object + offset).load(as: Address?.self), target.header.rowID == id,
                target.header.keeper == keeper
            else { return false }
            return boxOffsets.allSatisfy { ObjectMemory.boxState(at: target + $0) == .unloaded }
        }
    }
}
