// Inverses: keeps both sides of a relationship in memory consistent. It knows objects, their boxes and the identity
// maps, and must not read rows.

internal import StoreEngine

/// Keeps inverses in memory consistent with the references and collections on their other side.
final class InverseAgreement {
    private struct Key: Hashable {
        let target: ObjectIdentifier
        let other: ObjectIdentifier
        let ordinal: Int
    }

    /// The inverses that hold objects.
    let held = HeldLinks()
    /// The inverses with a condition.
    let filtered = FilteredInverses()
    /// The transaction that records the inverses before their changes.
    var level: TransactionLevel?
    /// The ordinals of the inverses of a property in a target's class.
    private var known: [Key: [Int]] = [:]

    /// Called after some properties of a class's rows changed; nil if rows were inserted or deleted.
    @inline(__always)
    func didChangeValues(of map: ClassMap, _ changed: ColumnSet? = nil) {
        if !filtered.isEmpty { filtered.didChange(map, changed) }
    }

    /// Called after a row was read in which `object` refers to `target`.
    func didLink(_ object: PersistentObject, _ map: ClassMap, _ ordinal: Int, to target: PersistentObject) {
        for (layout, ordinal, start, block) in loadedBoxes(of: target, map, ordinal) {
            if layout.isFiltered(ordinal) {
                // If no other session has written, the inverse already contains the object if the condition is true.
                let isStale = target.identityMap?.session.map { !$0.isCurrent(target) } ?? true
                if isStale { _ = FilteredInverses.release(ordinal, of: target, layout) }
                continue
            }
            touch(target, ordinal)
            add([object], to: target, layout, ordinal, start, block)
        }
    }

    /// Called after objects of one class began or ceased to refer to `target`.
    func didChange(
        _ target: PersistentObject, _ map: ClassMap, _ otherOrdinal: Int, linked: [PersistentObject],
        unlinked: [PersistentObject]
    ) {
        for (layout, ordinal, start, block) in loadedBoxes(of: target, map, otherOrdinal) {
            // An inverse that the user edited is not reloaded. Only objects that no longer refer to its owner are
            // removed.
            let isFiltered = layout.isFiltered(ordinal)
            if isFiltered, FilteredInverses.release(ordinal, of: target, layout) { continue }
            touch(target, ordinal)
            let isUnique = map.properties[otherOrdinal].isUnique
            if !unlinked.isEmpty, !isUnique, releaseSingle(unlinked, layout, ordinal, start, block) { continue }
            if !unlinked.isEmpty { remove(unlinked, layout, ordinal, start, block) }
            if !linked.isEmpty, !isFiltered { add(linked, to: target, layout, ordinal, start, block) }
        }
    }

    /// Called after a row was read again, so that `object` refers to the objects of `new` instead of the rows of `old`.
    func didRead(
        _ object: PersistentObject, _ map: ClassMap, _ ordinal: Int, from old: [Int64], to new: [PersistentObject],
        _ target: (Int64) -> PersistentObject?
    ) {
        let kept = Set(new.map(\.rowID))
        let former = Set(old)
        for id in former.subtracting(kept) {
            if let target = target(id) { didChange(target, map, ordinal, linked: [], unlinked: [object]) }
        }
        for target in new where !former.contains(target.rowID) { didLink(object, map, ordinal, to: target) }
    }

    /// Called after objects of one class that referred to `target` were deleted.
    func didDelete(_ objects: [PersistentObject], _ map: ClassMap, _ ordinal: Int, from target: PersistentObject) {
        didChange(target, map, ordinal, linked: [], unlinked: objects)
    }

    /// Called if other objects may refer to `target` in the file. Inverses that the user did not edit are read again.
    func didChangeInFile(_ target: PersistentObject, _ map: ClassMap, _ ordinal: Int) {
        for (layout, ordinal, start, block) in loadedBoxes(of: target, map, ordinal)
        where layout.isSame(layout.slots[ordinal], start, block) {
            touch(target, ordinal)
            layout.slots[ordinal].box(in: start)?.state = .unloaded
            layout.didChange(ordinal, of: start)
        }
    }

    /// Whether an object has inverses that are in memory.
    func areRead(of target: PersistentObject) -> Bool {
        guard let map = target.identityMap?.classMap else { return false }
        let start = ObjectMemory.start(of: target)
        return map.links.inverses.contains { map.baseline.slots[$0].box(in: start)?.state != .unloaded }
    }

    private func touch(_ target: PersistentObject, _ ordinal: Int) {
        guard let level, let keeper = target.identityMap else { return }
        level.touch(target, keeper.classMap, ordinal)
    }

    private typealias LoadedBox = (BaselineLayout, Int, Address, Address)

    private func loadedBoxes(of target: PersistentObject, _ other: ClassMap, _ ordinal: Int) -> [LoadedBox] {
        guard let keeper = target.identityMap, !keeper.classMap.links.inverses.isEmpty,
            let block = target.baseline
        else { return [] }
        let map = keeper.classMap
        let start = ObjectMemory.start(of: target)
        // Usually no inverse has been read, which is a fast check.
        guard areRead(of: target) else { return [] }
        return inverses(of: map, other, ordinal).compactMap { inverse in
            guard let box = map.properties[inverse].box(in: start), box.state != .unloaded else { return nil }
            return (map.baseline, inverse, start, block)
        }
    }

    private func inverses(of target: ClassMap, _ other: ClassMap, _ ordinal: Int) -> [Int] {
        let key = Key(target: ObjectIdentifier(target), other: ObjectIdentifier(other), ordinal: ordinal)
        if let ordinals = known[key] { return ordinals }
        let name = other.properties[ordinal].name
        let ordinals = target.links.inverses.filter { inverse in
            guard let side = try? InverseSide.of(target.properties[inverse], in: target) else { return false }
            return side.other.properties[side.ordinal].name == name
                && (other.derives(from: side.other) || side.other.derives(from: other))
        }
        known[key] = ordinals
        return ordinals
    }

    /// Called after objects were added to an inverse.
    func didFill(_ owner: PersistentObject, _ ordinal: Int, size: Int) {
        guard let identity = owner.identityMap,
            let box = identity.classMap.properties[ordinal].box(in: ObjectMemory.start(of: owner))
        else { return }
        box.isFilled = true
        held.record(identity, ordinal, [owner.rowID], size: size)
    }

    private func add(
        _ linked: [PersistentObject], to target: PersistentObject, _ layout: BaselineLayout, _ ordinal: Int,
        _ start: Address, _ block: Address
    ) {
        guard let codec = layout.slots[ordinal].codec as? InverseCodec else { return }
        var image = layout.image(ordinal, in: block)
        // An array can refer to the same object twice.
        var seen: Set<ObjectIdentifier> = []
        var new = linked.filter { object in
            ClassMap.isClass(type(of: object), codec.target) && !image.hasSortedID(object.rowID)
                && seen.insert(ObjectIdentifier(object)).inserted
        }
        guard !new.isEmpty else { return }
        let isEdited = codec.isSingle && !layout.isSame(layout.slots[ordinal], start, block)
        image.ids += new.map(\.rowID)
        image.ids.sort()
        if codec.isSingle { image.ids.removeSubrange(1...) }
        layout.setImage(image, of: ordinal, in: block)
        // If several objects refer to the target, a one-to-one inverse has the object with the first id.
        if codec.isSingle {
            new.removeAll { isEdited || $0.rowID != image.ids[0] }
            if new.isEmpty { return }
        }
        guard let box = layout.slots[ordinal].box(in: start), box.state != .released else {
            return layout.didChange(ordinal, of: start)
        }
        if !box.isFilled { didFill(target, ordinal, size: new.count) }
        let field = layout.slots[ordinal].address(in: start)
        let known = Set(codec.objects(field).map { ObjectIdentifier($0) })
        let unknown = new.filter { !known.contains(ObjectIdentifier($0)) }
        guard !unknown.isEmpty else { return }
        ObjectMemory.checkNotBeingAccessed(field)
        for object in unknown { codec.add(object, at: field) }
        layout.didChange(ordinal, of: start)
    }

    /// Makes a one-to-one inverse load again if its object was removed, because another object may refer to its owner.
    /// Returns false if the inverse has another object or is edited.
    private func releaseSingle(
        _ deleted: [PersistentObject], _ layout: BaselineLayout, _ ordinal: Int, _ start: Address, _ block: Address
    ) -> Bool {
        let slot = layout.slots[ordinal]
        guard let codec = slot.codec as? InverseCodec, codec.isSingle, layout.isSame(slot, start, block),
            let box = slot.box(in: start), let shown = layout.image(ordinal, in: block).ids.first,
            deleted.contains(where: { $0.rowID == shown })
        else { return false }
        box.state = .unloaded
        layout.didChange(ordinal, of: start)
        return true
    }

    private func remove(
        _ deleted: [PersistentObject], _ layout: BaselineLayout, _ ordinal: Int, _ start: Address,
        _ block: Address
    ) {
        guard let codec = layout.slots[ordinal].codec as? InverseCodec else { return }
        let ids = Set(deleted.map(\.rowID))
        var image = layout.image(ordinal, in: block)
        let count = image.ids.count
        image.ids.removeAll { ids.contains($0) }
        layout.setImage(image, of: ordinal, in: block)
        let field = layout.slots[ordinal].address(in: start)
        let identifiers = Set(deleted.map { ObjectIdentifier($0) })
        let objects = codec.objects(field)
        let left = objects.filter { !identifiers.contains(ObjectIdentifier($0)) }
        guard left.count < objects.count else {
            let isReleased = layout.slots[ordinal].box(in: start)?.state == .released
            return isReleased && image.ids.count < count ? layout.didChange(ordinal, of: start) : ()
        }
        ObjectMemory.checkNotBeingAccessed(field)
        codec.set(left, at: field)
        layout.didChange(ordinal, of: start)
    }
}

extension BaselineLayout {
    /// Whether a property is an inverse with a condition.
    fileprivate func isFiltered(_ ordinal: Int) -> Bool { (slots[ordinal].codec as? InverseCodec)?.condition != nil }
}
