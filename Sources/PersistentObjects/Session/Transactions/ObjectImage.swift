/// What one object was like when a transaction first touched it: copies of what its row held and what was edited, and its
/// state. `Restoration` says what is brought back of it.
final class ObjectImage {
    private(set) var object: PersistentObject
    /// How many images its transaction had made before.
    var number = 0
    let map: ClassMap
    /// Nil for an object that was new.
    private let identity: IdentityMap?
    private let rowID: Int64
    /// What its row held.
    private let base: ObjectCopy?
    /// Properties in boxes that were not loaded.
    private let unloaded: ColumnSet
    /// And those that were set without being loaded; the baseline has nothing of them.
    private let assigned: ColumnSet
    /// Whether the session knew what its last save had changed in it.
    private let wasRemembered: Bool
    /// Inverses whose objects were not kept.
    private let released: ColumnSet
    /// What it had that is not in the baseline: unsaved edits, of a new object all.
    var values: ObjectCopy?
    /// Whether the transaction has saved or deleted it, so that all of it goes back.
    var isWhole = false
    /// Whether the object was new, and its save was refused since.
    private(set) var wasRefused = false
    /// Otherwise the properties that the saving of other objects changed.
    private var places = ColumnSet()
    /// Those of them that the user has edited since, and not before: these edits stay, as all do of an object that was
    /// not saved.
    private var kept = ColumnSet()
    /// What the user had edited when its row was read again, by the place of the property.
    private var edits: [Int: ObjectCopy] = [:]

    init(of object: PersistentObject, _ map: ClassMap, values: ObjectCopy?) {
        self.object = object
        self.map = map
        identity = object.lifecycle == .saved ? object.identityMap : nil
        rowID = object.rowID
        var (unloaded, assigned, released) = (ColumnSet(), ColumnSet(), ColumnSet())
        let start = ObjectMemory.start(of: object)
        wasRemembered = start.header.isRemembered
        for place in map.links.boxes {
            switch map.baseline.slots[place].box(in: start)?.state {
            case .unloaded: unloaded.insert(place)
            case .assigned: assigned.insert(place)
            case .released: released.insert(place)
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
            self.values = values ?? ObjectCopy(of: object, map, map.baseline.allPlaces)
        }
    }

    var wasNew: Bool { identity == nil }

    /// Whether there is no other reference to the object.
    func isOnlyHolder() -> Bool { isKnownUniquelyReferenced(&object) }

    /// Records that the saving of other objects changes a property.
    func note(_ place: Int) { places.insert(place) }

    /// It was new, and its save was refused: nothing was done to it.
    func refuse() { (isWhole, wasRefused) = (false, true) }

    /// Notes what the user has edited when the row is read again. What was noted before and is no edit now the user has
    /// taken back, unless the row had it by chance.
    func noteEdits(_ places: ColumnSet) {
        edits = edits.filter { $1.isSame($0, of: object) }
        guard !places.isEmpty else { return }
        let values = ObjectCopy(of: object, map, places)
        places.forEach { edits[$0] = values }
    }

    /// Takes over what an older image of the same object has noted.
    func taking(_ older: ObjectImage) -> ObjectImage {
        merge(older)
        number = older.number
        return self
    }

    /// Takes over what an inner transaction has done besides.
    func merge(_ inner: ObjectImage) {
        isWhole = isWhole || inner.isWhole
        inner.places.forEach { places.insert($0) }
        edits.merge(inner.edits) { _, last in last }
    }

    /// Restores the row's values, and the object's state: in the identity map or not, saved, new or deleted. Values of
    /// other objects may refer to it, so this comes before any values.
    func restoreRow() {
        guard isWhole else {
            keepEdits()
            restoreBaseline(places)
            return restoreReadEdits()
        }
        ObjectMemory.start(of: object).header.isRemembered = wasRemembered
        guard let identity, let base else { return restoreNew() }
        if object.lifecycle != .saved {
            // A block that is refused is destroyed.
            func register() -> PersistentObject? {
                let fresh = identity.takeBlock()
                base.copy(to: fresh)
                return identity.register(
                    IdentityMap.Arrival(object: object, key: rowID, block: fresh, identity: identity))
            }
            // What was fetched meanwhile for the row gives way.
            while let other = register() {
                other.identityMap?.remove(other)
            }
        } else {
            restoreBaseline(map.baseline.allPlaces)
        }
    }

    /// Edits that the row had by chance when it was read are edits again; those that the user has taken back are not.
    private func restoreReadEdits() {
        guard let base, let current = object.baseline else { return }
        let layout = map.baseline
        for (place, values) in edits {
            let isEdited = !layout.isSame(layout.slots[place], ObjectMemory.start(of: object), current)
            if isEdited || values.isSame(place, of: object) { base.assign(place, to: current) }
        }
    }

    private func keepEdits() {
        guard base != nil, let current = object.baseline else { return }
        places.forEach { place in
            let slot = map.baseline.slots[place]
            let wasEdited = values?.places.contains(place) ?? false
            if wasEdited || slot.codec is InverseCodec { return }
            if !map.baseline.isSame(slot, ObjectMemory.start(of: object), current) { kept.insert(place) }
        }
    }

    private func restoreNew() {
        if object.lifecycle == .saved { object.identityMap?.discard(object) }
        object.lifecycle = .new
        // It may have had its id before.
        object.rowID = object.keepsID(map) ? rowID : 0
    }

    private func restoreBaseline(_ places: ColumnSet) {
        guard let base, let current = object.baseline else { return }
        places.forEach { base.assign($0, to: current) }
    }

    /// Brings the values back; `lookup` finds the objects of links by their ids.
    ///
    /// - Returns: What has changed in an object that is new again.
    @discardableResult
    func restoreValues(_ lookup: (PersistentObject.Type, Int64) -> PersistentObject?) -> ColumnSet {
        var changed = ColumnSet()
        (isWhole ? map.baseline.allPlaces : places).forEach { place in
            if kept.contains(place) {
                keepEdit(place)
            } else if let values, values.places.contains(place) {
                if values.restore(place, of: object) { changed.insert(place) }
            } else if wasUnread(place) {
                unload(place)
            } else if released.contains(place), let inverse = map.properties[place].codec as? InverseCodec {
                release(place, inverse)
            } else {
                restoreFromBaseline(place, lookup)
            }
        }
        return changed
    }

    private func wasUnread(_ place: Int) -> Bool { unloaded.contains(place) || assigned.contains(place) }

    private func box(_ place: Int) -> LinkBox? { map.baseline.slots[place].box(in: ObjectMemory.start(of: object)) }

    /// The user has edited it since, so it stays.
    private func keepEdit(_ place: Int) { if wasUnread(place) { box(place)?.state = .assigned } }

    /// It was not read at the start, and is read at its next access.
    private func unload(_ place: Int) {
        let box = box(place)
        let wasUnloaded = box?.state == .unloaded
        box?.state = .unloaded
        if !wasUnloaded { map.baseline.didChange(place, of: ObjectMemory.start(of: object)) }
    }

    /// Its objects were not kept at the start.
    private func release(_ place: Int, _ inverse: InverseCodec) {
        let start = ObjectMemory.start(of: object)
        let layout = map.baseline
        let slot = layout.slots[place]
        let field = slot.address(in: start)
        ObjectMemory.checkNotBeingAccessed(field)
        let isSame = object.baseline.map { layout.isSame(slot, start, $0) } ?? true
        inverse.set([], at: field)
        let box = slot.box(in: start)
        box?.state = .released
        box?.isStale = inverse.condition != nil
        if !isSame { layout.didChange(place, of: start) }
    }

    /// What it had is still there, or is made of the baseline.
    private func restoreFromBaseline(_ place: Int, _ lookup: (PersistentObject.Type, Int64) -> PersistentObject?) {
        let start = ObjectMemory.start(of: object)
        let layout = map.baseline
        let slot = layout.slots[place]
        if let box = slot.box(in: start), box.state == .unloaded { box.state = .loaded }
        if let baseline = object.baseline, !layout.isSame(slot, start, baseline) {
            layout.restore(place, of: start, from: baseline, lookup)
        }
    }

    /// Brings only the edits back that it had at the start.
    func restoreEdits() {
        guard isWhole, let values else { return }
        values.places.forEach { values.restore($0, of: object) }
    }
}
