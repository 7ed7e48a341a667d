internal import StoreEngine

// Updates of the objects in memory. They do not fail, because the rows are already deleted.
extension Deletion {
    /// Marks the objects of the rows as deleted, and removes them from the links of other objects.
    func finish(_ session: SessionParts) {
        var deleted: [PersistentObject] = []
        var inverses = InverseChanges()
        for (node, ids) in rows.enumerated() where !ids.isEmpty {
            session.memory.pendingEdits.drop(Array(ids)) { $0.root == rules.nodes[node].map.root }
            guard let hierarchy = session.classes.usedHierarchy(of: rules.nodes[node].map.root) else { continue }
            let start = deleted.count
            for id in ids {
                if let object = hierarchy.rows.object(for: id) { deleted.append(object) }
            }
            for link in rules.nodes[node].inverted {
                guard let targets = session.classes.usedHierarchy(of: rules.nodes[link.target].map.root) else {
                    continue
                }
                let ordinals = LinkOrdinals(link)
                for object in deleted[start...] { record(object, ordinals, targets.rows, &inverses) }
            }
        }
        for object in deleted {
            guard let identity = object.identityMap else { continue }
            session.didDelete(object, identity)
        }
        inverses.apply(session.memory.inverses)
        for (node, ids) in rows.enumerated() where !ids.isEmpty {
            session.memory.inverses.didChangeValues(of: rules.nodes[node].map)
        }
        for (link, owners) in clearedIncoming {
            session.memory.inverses.didChangeValues(of: rules.nodes[link.owner].map)
            guard let hierarchy = session.classes.usedHierarchy(of: rules.nodes[link.owner].map.root) else { continue }
            let ordinals = LinkOrdinals(link)
            for id in owners {
                guard let object = hierarchy.rows.object(for: id), let (map, ordinal) = ordinals.find(in: object) else {
                    continue
                }
                session.level?.touch(object, map, ordinal)
                if link.isCollection {
                    dropElements(of: object, map, ordinal, link)
                } else {
                    dropReference(of: object, map, ordinal, link)
                }
            }
        }
        finishSoftly(session)
    }

    /// Records the remaining objects whose inverses contain a deleted object.
    private func record(
        _ object: PersistentObject, _ ordinals: LinkOrdinals, _ targets: RowTable, _ inverses: inout InverseChanges
    ) {
        guard let (map, ordinal) = ordinals.find(in: object), let block = object.baseline else { return }
        for id in map.baseline.image(ordinal, in: block).ids where !contains(id, ordinals.link.target) {
            if let target = targets.object(for: id) { inverses.unlink(object, map, ordinal, from: target) }
        }
    }

    private func isDeleted(_ object: PersistentObject, _ link: StoredLink) -> Bool {
        object.lifecycle == .deleted && contains(object.rowID, link.target)
    }

    private func dropReference(of object: PersistentObject, _ map: ClassMap, _ ordinal: Int, _ link: StoredLink) {
        guard let block = object.baseline else { return }
        let layout = map.baseline
        let start = ObjectMemory.start(of: object)
        if contains(layout.referenceID(ordinal, in: block), link.target) {
            layout.setReferenceID(LinkImage.none, of: ordinal, in: block)
        }
        let slot = layout.slots[ordinal]
        let field = slot.address(in: start)
        let reference = slot.reference
        if let box = slot.box(in: start), box.state == .unloaded {
            guard layout.referenceID(ordinal, in: block) == LinkImage.none else { return }
            // There is nothing left to load.
            reference.set(nil, at: field)
            box.state = .loaded
            layout.didChange(ordinal, of: start)
        } else if let target = reference.object(field), isDeleted(target, link) {
            ObjectMemory.checkNotBeingAccessed(field)
            reference.set(nil, at: field)
            layout.didChange(ordinal, of: start)
        }
    }

    private func dropElements(of object: PersistentObject, _ map: ClassMap, _ ordinal: Int, _ link: StoredLink) {
        let layout = map.baseline
        let start = ObjectMemory.start(of: object)
        let slot = layout.slots[ordinal]
        // Links that are not loaded are read later, without the deleted objects.
        guard let block = object.baseline, slot.box(in: start)?.state != .unloaded,
            let codec = slot.codec as? CollectionCodec
        else { return }
        let image = layout.image(ordinal, in: block)
        let kept = image.ids.indices.filter { !contains(image.ids[$0], link.target) }
        if kept.count < image.ids.count {
            var left = LinkImage(ids: kept.map { image.ids[$0] }, isNil: image.isNil)
            if !image.keys.isEmpty { left.keys = kept.map { image.keys[$0] } }
            layout.setImage(left, of: ordinal, in: block)
        }
        let field = slot.address(in: start)
        var staying: [PersistentObject] = []
        var keys: [DatabaseValue] = []
        codec.forEachRow(field) { key, element in
            let object = CollectionLinks.object(at: element)
            guard !isDeleted(object, link) else { return }
            staying.append(object)
            // A key that cannot be encoded cannot be restored either. Saving it throws the error.
            if let key { keys.append((try? codec.key?.encode(key)) ?? .null) }
        }
        guard staying.count < codec.count(field) else { return }
        ObjectMemory.checkNotBeingAccessed(field)
        // The image contains indices instead of ids, because new objects have no ids yet.
        let places = LinkImage(ids: staying.indices.map(Int64.init), keys: keys)
        slot.links.restore(places, into: field) { staying[Int($0)] }
        layout.didChange(ordinal, of: start)
    }
}

/// The places of a link's property in the classes of a hierarchy.
final class LinkOrdinals {
    let link: StoredLink
    private var known: [ObjectIdentifier: Int?] = [:]

    init(_ link: StoredLink) { self.link = link }

    /// Nil if the object's class does not have the property.
    func find(in object: PersistentObject) -> (ClassMap, Int)? {
        guard let map = object.identityMap?.classMap else { return nil }
        return find(in: map).map { (map, $0) }
    }

    /// Nil if the class does not have the property.
    func find(in map: ClassMap) -> Int? {
        if let ordinal = known[ObjectIdentifier(map)] { return ordinal }
        let isIts = ClassMap.isClass(map.type, link.declarer)
        let ordinal = isIts ? map.ordinal(of: link.property.name) : nil
        known[ObjectIdentifier(map)] = .some(ordinal)
        return ordinal
    }
}
