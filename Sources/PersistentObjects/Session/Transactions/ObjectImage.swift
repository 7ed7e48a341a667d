/// The state of one object when a transaction first touched it: copies of its row's values and of its edits.
/// `Restoration` defines the parts that are restored.
final class ObjectImage {
    private(set) var object: PersistentObject
    /// The number of images that its transaction created before this image.
    var number = 0
    let map: ClassMap
    /// The identity map of the object; nil for an object that was new.
    private let identity: IdentityMap?
    private let rowID: Int64
    /// The values of its row.
    private let base: ObjectCopy?
    /// Properties in boxes that were not loaded.
    private let unloaded: ColumnSet
    /// Properties that were set without being loaded, so that the baseline has no values for them.
    private let assigned: ColumnSet
    /// Whether the session's last save recorded changes of the object.
    private let wasRemembered: Bool
    /// Inverses whose objects were not held.
    private let released: ColumnSet
    /// The values that are not in the baseline: unsaved edits, or for a new object all values.
    var values: ObjectCopy?
    /// Whether the transaction saved or deleted the object, so that all of its properties are restored.
    var isWhole = false
    /// Whether the object was new and its save was refused.
    private(set) var wasRefused = false
    /// The properties that saves of other objects changed; used if not all properties are restored.
    private var ordinals = ColumnSet()
    /// The properties among `ordinals` that the user edited only afterwards. These edits stay, like all edits of an
    /// object that was not saved.
    private var kept = ColumnSet()
    /// The user's edits when its row was read again, by the ordinal of the property.
    private var edits: [Int: ObjectCopy] = [:]

    init(of object: PersistentObject, _ map: ClassMap, values: ObjectCopy?) {
        self.object = object
        self.map = map
        identity = object.lifecycle == .saved ? object.identityMap : nil
        rowID = object.rowID
        var (unloaded, assigned, released) = (ColumnSet(), ColumnSet(), ColumnSet())
        let start = ObjectMemory.start(of: object)
        wasRemembered = start.header.isRemembered
        for ordinal in map.links.boxes {
            switch map.baseline.slots[ordinal].box(in: start)?.state {
            case .unloaded: unloaded.insert(ordinal)
            case .assigned: assigned.insert(ordinal)
            case .released: released.insert(ordinal)
            case .loaded, nil: break
            }
        }
        self.unloaded = unloaded
        self.assigned = assigned
        self.released = released
        if identity != nil, let baseline = object.baseline {
            base = ObjectCopy(ofRow: baseline, map)
            self.values = values
        } else {
            base = nil
            self.values = values ?? ObjectCopy(of: object, map, map.baseline.allOrdinals)
        }
    }

    var wasNew: Bool { identity == nil }

    /// Whether there is no other reference to the object.
    func isOnlyHolder() -> Bool { isKnownUniquelyReferenced(&object) }

    /// Records that the saving of other objects changes a property.
    func record(_ ordinal: Int) { ordinals.insert(ordinal) }

    /// Records that the save of a new object was refused, so that nothing must be restored.
    func refuse() { (isWhole, wasRefused) = (false, true) }

    /// Records the user's edits when the row is read again. If an earlier edit is no longer an edit, the user has
    /// reverted it, unless the row had the same value by chance.
    func recordEdits(_ ordinals: ColumnSet) {
        edits = edits.filter { $1.isSame($0, of: object) }
        guard !ordinals.isEmpty else { return }
        let values = ObjectCopy(of: object, map, ordinals)
        ordinals.forEach { edits[$0] = values }
    }

    /// Merges the records of an older image of the same object.
    func taking(_ older: ObjectImage) -> ObjectImage {
        merge(older)
        number = older.number
        return self
    }

    /// Merges the records of an inner transaction.
    func merge(_ inner: ObjectImage) {
        isWhole = isWhole || inner.isWhole
        inner.ordinals.forEach { ordinals.insert($0) }
        edits.merge(inner.edits) { _, last in last }
    }

    /// Restores the row's values and the object's state: registered or not; saved, new or deleted. This is done for all
    /// objects before any values are restored, because values may refer to other objects.
    func restoreRow() {
        guard isWhole else {
            keepEdits()
            restoreBaseline(ordinals)
            return restoreReadEdits()
        }
        ObjectMemory.start(of: object).header.isRemembered = wasRemembered
        guard let identity, let base else { return restoreNew() }
        if object.lifecycle != .saved {
            // `register` destroys the block if another object represents the row.
            func register() -> PersistentObject? {
                let fresh = identity.takeBlock()
                base.copy(to: fresh)
                return identity.register(
                    IdentityMap.Arrival(object: object, key: rowID, block: fresh, identity: identity))
            }
            // An object that was fetched for the row in the meantime is removed.
            while let other = register() {
                other.identityMap?.remove(other)
            }
        } else {
            restoreBaseline(map.baseline.allOrdinals)
        }
    }

    /// Restores edits that matched the row by chance when it was read again, unless the user has reverted them.
    private func restoreReadEdits() {
        guard let base, let current = object.baseline else { return }
        let layout = map.baseline
        for (ordinal, values) in edits {
            let isEdited = !layout.isSame(layout.slots[ordinal], ObjectMemory.start(of: object), current)
            if isEdited || values.isSame(ordinal, of: object) { base.assign(ordinal, to: current) }
        }
    }

    private func keepEdits() {
        guard base != nil, let current = object.baseline else { return }
        ordinals.forEach { ordinal in
            let slot = map.baseline.slots[ordinal]
            let wasEdited = values?.ordinals.contains(ordinal) ?? false
            if wasEdited || slot.codec is InverseCodec { return }
            if !map.baseline.isSame(slot, ObjectMemory.start(of: object), current) { kept.insert(ordinal) }
        }
    }

    private func restoreNew() {
        if object.lifecycle == .saved { object.identityMap?.discard(object) }
        object.lifecycle = .new
        // The object may have had its id when it was new.
        object.rowID = object.keepsID(map) ? rowID : 0
    }

    private func restoreBaseline(_ ordinals: ColumnSet) {
        guard let base, let current = object.baseline else { return }
        ordinals.forEach { base.assign($0, to: current) }
    }

    /// Restores the values; `lookup` finds the objects of links by their ids.
    ///
    /// - Returns: The changes of an object that is new again.
    @discardableResult
    func restoreValues(_ lookup: (PersistentObject.Type, Int64) -> PersistentObject?) -> ColumnSet {
        var changed = ColumnSet()
        (isWhole ? map.baseline.allOrdinals : ordinals).forEach { ordinal in
            if kept.contains(ordinal) {
                keepEdit(ordinal)
            } else if let values, values.ordinals.contains(ordinal) {
                if values.restore(ordinal, of: object) { changed.insert(ordinal) }
            } else if wasUnread(ordinal) {
                unload(ordinal)
            } else if released.contains(ordinal), let inverse = map.properties[ordinal].codec as? InverseCodec {
                release(ordinal, inverse)
            } else {
                restoreFromBaseline(ordinal, lookup)
            }
        }
        return changed
    }

    private func wasUnread(_ ordinal: Int) -> Bool { unloaded.contains(ordinal) || assigned.contains(ordinal) }

    private func box(_ ordinal: Int) -> LinkBox? { map.baseline.slots[ordinal].box(in: ObjectMemory.start(of: object)) }

    /// Keeps a property that the user edited afterwards.
    private func keepEdit(_ ordinal: Int) { if wasUnread(ordinal) { box(ordinal)?.state = .assigned } }

    /// Unloads a property that was not loaded at the start; it is read at its next access.
    private func unload(_ ordinal: Int) {
        let box = box(ordinal)
        let wasUnloaded = box?.state == .unloaded
        box?.state = .unloaded
        if !wasUnloaded { map.baseline.didChange(ordinal, of: ObjectMemory.start(of: object)) }
    }

    /// Releases the objects of an inverse that were not held at the start.
    private func release(_ ordinal: Int, _ inverse: InverseCodec) {
        let start = ObjectMemory.start(of: object)
        let layout = map.baseline
        let slot = layout.slots[ordinal]
        let field = slot.address(in: start)
        ObjectMemory.checkNotBeingAccessed(field)
        let isSame = object.baseline.map { layout.isSame(slot, start, $0) } ?? true
        inverse.set([], at: field)
        let box = slot.box(in: start)
        box?.state = .released
        box?.isStale = inverse.condition != nil
        if !isSame { layout.didChange(ordinal, of: start) }
    }

    /// Restores a value from the baseline, unless it already equals the baseline.
    private func restoreFromBaseline(_ ordinal: Int, _ lookup: (PersistentObject.Type, Int64) -> PersistentObject?) {
        let start = ObjectMemory.start(of: object)
        let layout = map.baseline
        let slot = layout.slots[ordinal]
        if let box = slot.box(in: start), box.state == .unloaded { box.state = .loaded }
        if let baseline = object.baseline, !layout.isSame(slot, start, baseline) {
            layout.restore(ordinal, of: start, from: baseline, lookup)
        }
    }

    /// Restores only the edits that the object had at the start.
    func restoreEdits() {
        guard isWhole, let values else { return }
        values.ordinals.forEach { values.restore($0, of: object) }
    }
}
