internal import StoreEngine

// The user's changes to an inverse are applied to the other side, because only that side is stored.
extension GraphWalk {
    /// Sets the other sides of inverses that the user changed.
    func applyInverses(of object: PersistentObject) throws {
        let map = try map(of: object)
        let start = ObjectMemory.start(of: object)
        for ordinal in map.links.inverses {
            let property = map.properties[ordinal]
            guard let box = property.box(in: start), box.state != .unloaded,
                let codec = property.codec as? InverseCodec
            else { continue }
            let field = property.address(in: start)
            if isUnedited(ordinal, of: object, map) { continue }
            let side = try InverseSide.of(property, in: map)
            let wanted = codec.objects(field)
            var former = try formerObjects(of: object, map, ordinal, box, side)
            if codec.isSingle { former = Array(former.prefix(1)) }
            let kept = Set(wanted.map { ObjectIdentifier($0) })
            let before = Set(former.map { ObjectIdentifier($0) })
            if !options.reachesAll {
                let leaving = former.filter { !kept.contains(ObjectIdentifier($0)) && $0.lifecycle == .saved }
                let coming = wanted.filter { !before.contains(ObjectIdentifier($0)) }
                if let other = (leaving + coming).first(where: leavesOut) {
                    throw refusal(other, map, property, object)
                }
            }
            for other in former where !kept.contains(ObjectIdentifier(other)) && other.lifecycle == .saved {
                try unlink(other, side, from: object)
                try add(other)
                if property.deleteRule == .cascade, let (map, ordinal) = try self.ordinal(side, in: other) {
                    recordLeaving(LeavingObject(object: other, map: map, ordinal: ordinal))
                }
            }
            var refused: Set<ObjectIdentifier> = []
            for other in wanted where !before.contains(ObjectIdentifier(other)) {
                if try !link(other, side, to: object) { refused.insert(ObjectIdentifier(other)) }
                try add(other)
            }
            // If the user changed the other side as well, that change takes precedence.
            if !refused.isEmpty {
                ObjectMemory.checkNotBeingAccessed(field)
                sides.willSet(object, map, ordinal)
                codec.set(wanted.filter { !refused.contains(ObjectIdentifier($0)) }, at: field)
            }
        }
    }

    private func formerObjects(
        of object: PersistentObject, _ map: ClassMap, _ ordinal: Int, _ box: LinkBox, _ side: InverseSide
    ) throws -> [PersistentObject] {
        guard object.lifecycle == .saved, let block = object.baseline else { return [] }
        if box.state == .assigned {
            return try LinkLoader(session).objectsOnOtherSide(of: [object.rowID], map, ordinal, side)[object.rowID]
                .objects
        }
        return try Fetch(session).find(
            try session.space(of: side.other.type), map.baseline.image(ordinal, in: block).ids)
    }

    /// The other object's map, and the place of the side's property in it.
    private func ordinal(_ side: InverseSide, in other: PersistentObject) throws -> (ClassMap, Int)? {
        let map = try map(of: other)
        let ordinal = map === side.other ? side.ordinal : map.ordinal(of: side.other.properties[side.ordinal].name)
        return ordinal.map { (map, $0) }
    }

    /// Makes `other` refer to `object`; returns false if the user set its reference to a different object.
    private func link(_ other: PersistentObject, _ side: InverseSide, to object: PersistentObject) throws -> Bool {
        guard let (map, ordinal) = try ordinal(side, in: other) else { return true }
        let property = map.properties[ordinal]
        let start = ObjectMemory.start(of: other)
        if let box = property.box(in: start), box.state == .unloaded { try box.load() }
        let field = property.address(in: start)
        if let reference = property.codec as? ReferenceCodec {
            let current = reference.object(field)
            if current === object { return true }
            let isEdited = other.baseline.map { !map.baseline.isSame(map.baseline.slots[ordinal], start, $0) } ?? true
            if isEdited, current != nil { return false }
            ObjectMemory.checkNotBeingAccessed(field)
            sides.willSet(other, map, ordinal)
            reference.set(object, at: field)
        } else if let collection = property.codec as? CollectionCodec {
            var isThere = false
            (property.codec as? any LinkCodec)?.forEachTarget(field) { if $0 === object { isThere = true } }
            guard !isThere else { return true }
            ObjectMemory.checkNotBeingAccessed(field)
            sides.willSet(other, map, ordinal)
            guard collection.insert(object, into: field) else {
                throw StoreError(
                    .misuse, "Objects cannot be added to the inverse of a dictionary. Set the dictionary",
                    className: map.name, property: property.name, rowID: other.id)
            }
        }
        return true
    }

    private func unlink(_ other: PersistentObject, _ side: InverseSide, from object: PersistentObject) throws {
        guard let (map, ordinal) = try ordinal(side, in: other) else { return }
        let property = map.properties[ordinal]
        let start = ObjectMemory.start(of: other)
        if let box = property.box(in: start), box.state == .unloaded { try box.load() }
        let field = property.address(in: start)
        if let reference = property.codec as? ReferenceCodec {
            guard reference.object(field) === object else { return }
            ObjectMemory.checkNotBeingAccessed(field)
            sides.willSet(other, map, ordinal)
            reference.set(nil, at: field)
        } else if let collection = property.codec as? CollectionCodec {
            ObjectMemory.checkNotBeingAccessed(field)
            sides.willSet(other, map, ordinal)
            collection.remove(object, from: field)
        }
    }
}
