internal import StoreEngine

/// What one object was like at one moment: what its row held, as far as its session knew (a copy of its baseline), and
/// the values that it had itself of some properties, as a rule those with unsaved edits. Each is there if it was asked for.
///
/// It holds the objects that the values refer to. Of a value that may hold a class instance, which changes without being
/// set, it has the encoding.
final class ObjectCopy {
    let map: ClassMap
    /// The properties whose values it has.
    let places: ColumnSet
    /// A baseline, if it has what the row held, and then the values, where the layout has them.
    private let memory: Address
    private let hasRow: Bool
    private let valuesStart: Int
    /// What some kinds of values need besides; nil for most copies, which costs them nothing.
    private let notes: Notes?

    private struct Notes {
        var encodings: [Int: DatabaseValue] = [:]
        /// Of properties in boxes.
        var states: [Int: LinkBox.State] = [:]
        var weakTargets: [PersistentObject] = []
        /// Weak references whose objects have ended, and those of them that are no edit.
        var (ended, endedUnedited) = (ColumnSet(), ColumnSet())

        var isEmpty: Bool { encodings.isEmpty && states.isEmpty && weakTargets.isEmpty && ended.isEmpty }

        mutating func noteWeak(_ slot: BaselineLayout.Slot, _ place: Int, _ field: Address, _ block: Address?) {
            if let target = slot.reference.object(field) { weakTargets.append(target) }
            guard WeakMemory.hasEnded(field) else { return }
            ended.insert(place)
            if let block, slot.isOfBaseline(endedAt: field, block) { endedUnedited.insert(place) }
        }
    }

    /// What the row held.
    ///
    /// - Parameter block: The object's baseline.
    init(ofRow block: Address, _ map: ClassMap) {
        self.map = map
        places = ColumnSet()
        hasRow = true
        valuesStart = 0
        notes = nil
        memory = .allocate(byteCount: map.baseline.blockSize)
        map.baseline.copy(block, to: memory)
    }

    /// The values of some properties.
    convenience init(of object: PersistentObject, _ map: ClassMap, _ places: ColumnSet) {
        self.init(of: ObjectMemory.start(of: object), map, places, row: nil)
    }

    /// The values of some properties, and what the row held.
    ///
    /// - Parameters:
    ///   - start: The address of an object that may be dying.
    ///   - block: Its baseline; nil if what the row held is not wanted.
    init(of start: Address, _ map: ClassMap, _ places: ColumnSet, row block: Address?) {
        self.map = map
        self.places = places
        let layout = map.baseline
        hasRow = block != nil
        // The alignment of no value exceeds 16.
        valuesStart = hasRow ? (layout.blockSize + 15) & ~15 : 0
        memory = .allocate(byteCount: valuesStart + layout.valuesSize)
        let values = memory + valuesStart
        var notes = Notes()
        if layout.hasSharedBuffers { layout.checkSharedBuffers(of: start) }
        if let block { layout.copy(block, to: memory) }
        places.forEach { place in
            let slot = layout.slots[place]
            let field = slot.address(in: start)
            if let box = slot.box(in: start) { notes.states[place] = box.state }
            if slot.content == .encoding, let value = try? slot.codec.encode(field) { notes.encodings[place] = value }
            slot.codec.copy(field, to: values + layout.valueOffsets[place])
            if slot.content == .weakReference { notes.noteWeak(slot, place, field, start.header.baseline) }
        }
        self.notes = notes.isEmpty ? nil : notes
    }

    /// What weak references are to.
    var weakTargets: [PersistentObject] { notes?.weakTargets ?? [] }

    private func value(_ place: Int) -> Address { memory + (valuesStart + map.baseline.valueOffsets[place]) }

    deinit {
        if hasRow { map.baseline.destroy(memory) }
        places.forEach { map.baseline.slots[$0].codec.destroy(value($0)) }
        memory.deallocate()
    }
}

// What the row held; a copy without it says nothing of it.
extension ObjectCopy {
    private var row: Address? { hasRow ? memory : nil }

    /// Whether a baseline says the same of a property.
    func isSame(_ place: Int, as block: Address) -> Bool { row.map { map.baseline.isSame(place, $0, block) } ?? true }

    /// Has a baseline say the same of a property as then.
    func assign(_ place: Int, to block: Address) {
        if let row { map.baseline.assign(place, from: row, to: block) }
    }

    /// Makes a baseline of it, in fresh memory.
    func copy(to fresh: Address) {
        if let row { map.baseline.copy(row, to: fresh) }
    }

    /// What the row held of a property, in a box; nil for nil.
    func rowValue(_ place: Int) -> (any Sendable)? { row.flatMap { map.baseline.baselineValue(place, in: $0) } }
}

// The values that the object had.
extension ObjectCopy {
    /// Puts the value of one property back into the object, which the user can see (R4).
    ///
    /// - Returns: Whether that is another value, in an object that may be observed.
    @discardableResult
    func restore(_ place: Int, of object: PersistentObject) -> Bool {
        let isChange = map.baseline.isObserved && !(isSame(place, of: object) && hasSameState(place, of: object))
        putBack(place, into: object)
        if isChange { map.baseline.didChange(place, of: ObjectMemory.start(of: object)) }
        return isChange
    }

    private func hasSameState(_ place: Int, of object: PersistentObject) -> Bool {
        guard let box = map.baseline.slots[place].box(in: ObjectMemory.start(of: object)) else { return true }
        return box.state == notes?.states[place]
    }

    private func putBack(_ place: Int, into object: PersistentObject) {
        let start = ObjectMemory.start(of: object)
        let slot = map.baseline.slots[place]
        let field = slot.address(in: start)
        slot.checkNotBeingAccessed(field)
        let copy = value(place)
        if notes?.endedUnedited.contains(place) ?? false, let block = object.baseline {
            slot.makeEnded(field, block)
        } else if notes?.ended.contains(place) ?? false {
            WeakMemory.makeEnded(field)
        } else if let value = notes?.encodings[place] {
            restore(value, copy, slot, field)
        } else {
            slot.codec.assign(copy, to: field)
        }
        if let state = notes?.states[place] { slot.box(in: start)?.state = state }
    }

    /// The value of one property in a box; nil for nil.
    func sendableValue(_ place: Int) -> (any Sendable)? { map.properties[place].codec.sendableValue(value(place)) }

    /// Whether the object has the same in a property now.
    func isSame(_ place: Int, of object: PersistentObject) -> Bool {
        let slot = map.baseline.slots[place]
        let field = slot.address(in: ObjectMemory.start(of: object))
        let copy = value(place)
        switch slot.content {
        case .value: return slot.codec.isSame(copy, field)
        case .encoding: return notes?.encodings[place].map { $0 == (try? slot.codec.encode(field)) } ?? false
        case .reference, .weakReference, .links: return slot.links.image(copy) == slot.links.image(field)
        }
    }

    /// Has the baseline say what was copied of properties that differ from it by now.
    func rebaseChanges(of object: PersistentObject) {
        guard let block = object.baseline else { return }
        places.forEach { place in
            if isSame(place, of: object) { return }
            let copy = value(place)
            map.baseline.setBaseline(of: map.baseline.slots[place], to: copy, in: block)
        }
    }

    /// A value whose encoding is still the same is left: the user may hold the instance in it.
    private func restore(
        _ value: DatabaseValue, _ copy: Address, _ slot: BaselineLayout.Slot,
        _ field: Address
    ) {
        let isGone = slot.codec.isInNil(field) && !slot.codec.isInNil(copy)
        if !isGone, (try? slot.codec.encode(field)) == value { return }
        if (try? slot.codec.encode(copy)) == value { return slot.codec.bringBack(copy, to: field) }
        let decoded = slot.codec.facts.allocate()
        defer { decoded.deallocate() }
        slot.codec.bringBack(copy, to: field)
        guard slot.codec.decode(value, at: decoded) else { return }
        slot.codec.assign(decoded, to: field)
        slot.codec.destroy(decoded)
    }
}
