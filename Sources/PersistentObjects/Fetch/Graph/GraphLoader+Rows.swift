internal import StoreEngine

// The links in an object's row: ids are recorded, and objects are loaded later.
extension GraphLoader {
    /// Adds a row's links, for an object that was created for the row or is refreshed from it.
    ///
    /// - Parameter edits: The treatment of the user's edits; nil for a new object.
    func add(
        _ object: PersistentObject, _ block: Address, _ map: ClassMap, _ row: GraphRow,
        _ edits: EditRule?
    ) throws(ValueFault) {
        let isNew = edits == nil
        if isNew { record(object, map) }
        guard !map.links.isEmpty else { return }
        if !isNew { undo.recordRefresh(of: object) }
        if edits == .drop { reloaded = object }
        let frame = frame(map)
        let start = ObjectMemory.start(of: object)
        for (index, ordinal) in map.links.references.enumerated() {
            let id = try row.referenceID(ordinal)
            if take(id, ordinal, of: object, map, start, block, edits) { frame.addReferrer(object, index) }
        }
        addParts(object, start, block, frame, row, edits)
    }

    /// Adds the links in a new object's row that are not plain references.
    func addOthers(
        _ object: PersistentObject, _ block: Address, _ frame: Frame, _ row: GraphRow
    ) throws(ValueFault) {
        let map = frame.map
        let start = ObjectMemory.start(of: object)
        for (index, ordinal) in map.links.references.enumerated()
        where !map.links.plainReferences.contains(where: { $0.ordinal == ordinal }) {
            let id = try row.referenceID(ordinal)
            if take(id, ordinal, of: object, map, start, block, nil) { frame.addReferrer(object, index) }
        }
        addParts(object, start, block, frame, row, nil)
    }

    /// Adds the collections and the properties in boxes.
    private func addParts(
        _ object: PersistentObject, _ start: Address, _ block: Address, _ frame: Frame, _ row: GraphRow,
        _ edits: EditRule?
    ) {
        let map = frame.map
        for (index, ordinal) in map.links.eagerCollections.enumerated() {
            // An optional collection has a column that states whether it is nil.
            if map.baseline.slots[ordinal].codec.acceptsNull, row.isNull(ordinal) {
                setNil(ordinal, of: object, map, start, block, edits)
            } else {
                frame.addOwner(object, index)
            }
        }
        guard !map.links.boxes.isEmpty else { return }
        for ordinal in map.links.boxes { unload(ordinal, of: object, map, start, row, block, edits) }
        frame.boxed.append(object)
    }

    /// Records a reference's id, and returns whether the object that it refers to must be loaded now.
    private func take(
        _ id: Int64, _ ordinal: Int, of object: PersistentObject, _ map: ClassMap, _ start: Address,
        _ block: Address, _ edits: EditRule?
    ) -> Bool {
        let layout = map.baseline
        let slot = layout.slots[ordinal]
        let isNew = edits == nil
        if edits == .keep, !layout.isSame(slot, start, block) {
            let image = LinkImage(ids: id == LinkImage.none ? [] : [id])
            if layout.isConflict(image, slot, slot.address(in: start), block) {
                conflicted.insert(ObjectIdentifier(object))
                return false
            }
        }
        if !isNew {
            didLeave(layout.referenceID(ordinal, in: block), for: id, object, map, ordinal)
            if layout.referenceID(ordinal, in: block) != id { start.header.isRemembered = false }
        }
        if let box = slot.box(in: start) {
            let isEdited = edits != .drop && !isNew && !layout.isSame(slot, start, block)
            let isChange =
                layout.isObserved && !isNew && !isEdited
                && (layout.referenceID(ordinal, in: block) != id || !layout.isSame(slot, start, block))
            layout.setReferenceID(id, of: ordinal, in: block)
            if !isEdited { box.state = .unloaded }
            if isChange { layout.didChange(ordinal, of: start) }
            return false
        }
        let field = slot.address(in: start)
        if !isNew {
            let isSame = layout.isSame(slot, start, block)
            // A deleted object no longer represents its row.
            let hasDied =
                isSame && id != LinkImage.none
                && slot.reference.object(field).map { $0.lifecycle == .deleted } ?? (slot.content == .weakReference)
            if !hasDied, isSame || edits != .drop, layout.referenceID(ordinal, in: block) == id { return false }
            if edits == .drop || isSame { undo.record(object, map, ordinal) }
            layout.setReferenceID(id, of: ordinal, in: block)
            if edits != .drop, !isSame { return false }
            ObjectMemory.checkNotBeingAccessed(field)
            layout.didChange(ordinal, of: start)
        } else {
            layout.setReferenceID(id, of: ordinal, in: block)
        }
        guard id == LinkImage.none else { return true }
        let isWeak = slot.content == .weakReference
        if isWeak || slot.reference.object(field) != nil { slot.reference.set(nil, at: field) }
        return false
    }

    private func setNil(
        _ ordinal: Int, of object: PersistentObject, _ map: ClassMap, _ start: Address,
        _ block: Address, _ edits: EditRule?
    ) {
        let layout = map.baseline
        let slot = layout.slots[ordinal]
        guard let codec = map.properties[ordinal].codec as? CollectionCodec else { return }
        let isEdited = edits != nil && edits != .drop && !layout.isSame(slot, start, block)
        let old = layout.image(ordinal, in: block).ids
        if !old.isEmpty, !isEdited, let links = codec as? any LinkCodec,
            let space = try? session.space(of: links.target)
        {
            didRead([], after: old, object, map, ordinal, space)
        }
        let field = slot.address(in: start)
        if isEdited, edits == .keep, !layout.hasNilCollection(ordinal, codec, in: block), !codec.isNil(field) {
            conflicted.insert(ObjectIdentifier(object))
        } else if isEdited {
            layout.setNilCollection(ordinal, codec, in: block)
        } else {
            ObjectMemory.checkNotBeingAccessed(field)
            let isChange = layout.isObserved && edits != nil && !codec.isNil(field)
            codec.setNil(at: field)
            layout.setBaseline(of: slot, to: field, in: block)
            if isChange { layout.didChange(ordinal, of: start) }
        }
    }

    /// Makes a lazy property unloaded, unless the user edited it. It is read at its next access.
    private func unload(
        _ ordinal: Int, of object: PersistentObject, _ map: ClassMap, _ start: Address, _ row: GraphRow,
        _ block: Address, _ edits: EditRule?
    ) {
        let layout = map.baseline
        let slot = layout.slots[ordinal]
        guard let box = slot.box(in: start) else { return }
        box.attach(to: object, at: ordinal, map.observed)
        // A reference's state follows from its id, which was recorded before.
        if slot.content == .reference || slot.content == .weakReference {
            guard layout.referenceID(ordinal, in: block) == LinkImage.none, box.state == .unloaded else { return }
            slot.reference.set(nil, at: slot.address(in: start))
            box.state = .loaded
            return
        }
        if edits == .keep || edits == .rebase, !layout.isSame(slot, start, block) { return }
        // An unloaded property cannot be compared, so its observers are always notified.
        if edits != nil, box.state != .unloaded { layout.didChange(ordinal, of: start) }
        box.state = .unloaded
        if map.properties[ordinal].isSelected, row.isNull(ordinal) {
            setNil(ordinal, of: object, map, start, block, .drop)
            box.state = .loaded
        }
    }

    /// Called after all rows of a statement were read: lazy parts of their objects are loaded together from now on.
    func didReadRows() {
        recordLatest()
        for frame in frames where frame.boxed.count > 1 {
            let siblings = Siblings(frame.boxed.map(\.rowID))
            for object in frame.boxed {
                let start = ObjectMemory.start(of: object)
                for ordinal in frame.map.links.boxes {
                    frame.map.baseline.slots[ordinal].box(in: start)?.siblings = siblings
                }
            }
        }
        for frame in frames { frame.boxed = [] }
    }
}
