internal import StoreEngine

/// The state of one object at one moment: the row's values according to its session (a copy of its baseline), and the
/// object's own values of some properties, usually the edited properties. Each part exists only if it was requested.
///
/// It retains the objects that the values refer to. A value that may contain a class instance, which changes without an
/// assignment, is stored as its encoding.
final class ObjectCopy {
    let map: ClassMap
    /// The properties whose values it contains.
    let ordinals: ColumnSet
    /// A baseline, if it contains the row's values, followed by the values at the layout's offsets.
    private let memory: Address
    private let hasRow: Bool
    private let valuesStart: Int
    /// Additional state of some kinds of values; nil for most copies, which need no additional memory.
    private let extras: Extras?

    private struct Extras {
        var encodings: [Int: DatabaseValue] = [:]
        /// The states of properties in boxes.
        var states: [Int: LinkBox.State] = [:]
        var weakTargets: [PersistentObject] = []
        /// Weak references whose objects were deallocated, and the part of these references that is not an edit.
        var (ended, endedUnedited) = (ColumnSet(), ColumnSet())

        var isEmpty: Bool { encodings.isEmpty && states.isEmpty && weakTargets.isEmpty && ended.isEmpty }

        mutating func recordWeak(_ slot: BaselineLayout.Slot, _ ordinal: Int, _ field: Address, _ block: Address?) {
            if let target = slot.reference.object(field) { weakTargets.append(target) }
            guard WeakMemory.hasEnded(field) else { return }
            ended.insert(ordinal)
            if let block, slot.isOfBaseline(endedAt: field, block) { endedUnedited.insert(ordinal) }
        }
    }

    /// Copies the row's values.
    ///
    /// - Parameter block: The object's baseline.
    init(ofRow block: Address, _ map: ClassMap) {
        self.map = map
        ordinals = ColumnSet()
        hasRow = true
        valuesStart = 0
        extras = nil
        memory = .allocate(byteCount: map.baseline.blockSize)
        map.baseline.copy(block, to: memory)
    }

    /// Copies the values of some properties.
    convenience init(of object: PersistentObject, _ map: ClassMap, _ ordinals: ColumnSet) {
        self.init(of: ObjectMemory.start(of: object), map, ordinals, row: nil)
    }

    /// Copies the values of some properties, and the row's values.
    ///
    /// - Parameters:
    ///   - start: The address of an object that may be dying.
    ///   - block: Its baseline; nil to omit the row's values.
    init(of start: Address, _ map: ClassMap, _ ordinals: ColumnSet, row block: Address?) {
        self.map = map
        self.ordinals = ordinals
        let layout = map.baseline
        hasRow = block != nil
        // No value has an alignment over 16.
        valuesStart = hasRow ? (layout.blockSize + 15) & ~15 : 0
        memory = .allocate(byteCount: valuesStart + layout.valuesSize)
        let values = memory + valuesStart
        var extras = Extras()
        if layout.hasSharedBuffers { layout.checkSharedBuffers(of: start) }
        if let block { layout.copy(block, to: memory) }
        ordinals.forEach { ordinal in
            let slot = layout.slots[ordinal]
            let field = slot.address(in: start)
            if let box = slot.box(in: start) { extras.states[ordinal] = box.state }
            if slot.content == .encoding, let value = try? slot.codec.encode(field) {
                extras.encodings[ordinal] = value
            }
            slot.codec.copy(field, to: values + layout.valueOffsets[ordinal])
            if slot.content == .weakReference { extras.recordWeak(slot, ordinal, field, start.header.baseline) }
        }
        self.extras = extras.isEmpty ? nil : extras
    }

    /// The targets of weak references.
    var weakTargets: [PersistentObject] { extras?.weakTargets ?? [] }

    private func value(_ ordinal: Int) -> Address { memory + (valuesStart + map.baseline.valueOffsets[ordinal]) }

    deinit {
        if hasRow { map.baseline.destroy(memory) }
        ordinals.forEach { map.baseline.slots[$0].codec.destroy(value($0)) }
        memory.deallocate()
    }
}

// The row's values; a copy that was made without them treats them as unchanged.
extension ObjectCopy {
    private var row: Address? { hasRow ? memory : nil }

    /// Whether a baseline has the same value of a property.
    func isSame(_ ordinal: Int, as block: Address) -> Bool {
        row.map { map.baseline.isSame(ordinal, $0, block) } ?? true
    }

    /// Sets a baseline's value of a property to the copied row value.
    func assign(_ ordinal: Int, to block: Address) {
        if let row { map.baseline.assign(ordinal, from: row, to: block) }
    }

    /// Creates a baseline from the copied row values, in fresh memory.
    func copy(to fresh: Address) {
        if let row { map.baseline.copy(row, to: fresh) }
    }

    /// The row's value of a property, in a box; nil for nil.
    func rowValue(_ ordinal: Int) -> (any Sendable)? { row.flatMap { map.baseline.baselineValue(ordinal, in: $0) } }
}

// The object's values.
extension ObjectCopy {
    /// Restores the value of one property in the object, which is visible to the user (R4).
    ///
    /// - Returns: Whether the value changed, in an object that may be observed.
    @discardableResult
    func restore(_ ordinal: Int, of object: PersistentObject) -> Bool {
        let isChange = map.baseline.isObserved && !(isSame(ordinal, of: object) && hasSameState(ordinal, of: object))
        putBack(ordinal, into: object)
        if isChange { map.baseline.didChange(ordinal, of: ObjectMemory.start(of: object)) }
        return isChange
    }

    private func hasSameState(_ ordinal: Int, of object: PersistentObject) -> Bool {
        guard let box = map.baseline.slots[ordinal].box(in: ObjectMemory.start(of: object)) else { return true }
        return box.state == extras?.states[ordinal]
    }

    private func putBack(_ ordinal: Int, into object: PersistentObject) {
        let start = ObjectMemory.start(of: object)
        let slot = map.baseline.slots[ordinal]
        let field = slot.address(in: start)
        slot.checkNotBeingAccessed(field)
        let copy = value(ordinal)
        if extras?.endedUnedited.contains(ordinal) ?? false, let block = object.baseline {
            slot.makeEnded(field, block)
        } else if extras?.ended.contains(ordinal) ?? false {
            WeakMemory.makeEnded(field)
        } else if let value = extras?.encodings[ordinal] {
            restore(value, copy, slot, field)
        } else {
            slot.codec.assign(copy, to: field)
        }
        if let state = extras?.states[ordinal] { slot.box(in: start)?.state = state }
    }

    /// The value of one property in a box; nil for nil.
    func sendableValue(_ ordinal: Int) -> (any Sendable)? {
        map.properties[ordinal].codec.sendableValue(value(ordinal))
    }

    /// Whether the object has the same value of a property now.
    func isSame(_ ordinal: Int, of object: PersistentObject) -> Bool {
        let slot = map.baseline.slots[ordinal]
        let field = slot.address(in: ObjectMemory.start(of: object))
        let copy = value(ordinal)
        switch slot.content {
        case .value: return slot.codec.isSame(copy, field)
        case .encoding: return extras?.encodings[ordinal].map { $0 == (try? slot.codec.encode(field)) } ?? false
        case .reference, .weakReference, .links: return slot.links.image(copy) == slot.links.image(field)
        }
    }

    /// Sets the baseline to the copied values of the properties that now differ from it.
    func rebaseChanges(of object: PersistentObject) {
        guard let block = object.baseline else { return }
        ordinals.forEach { ordinal in
            if isSame(ordinal, of: object) { return }
            let copy = value(ordinal)
            map.baseline.setBaseline(of: map.baseline.slots[ordinal], to: copy, in: block)
        }
    }

    /// A value with an unchanged encoding is kept, because the user may hold the instance in it.
    private func restore(
        _ value: DatabaseValue, _ copy: Address, _ slot: BaselineLayout.Slot,
        _ field: Address
    ) {
        let becameNil = slot.codec.isInNil(field) && !slot.codec.isInNil(copy)
        if !becameNil, (try? slot.codec.encode(field)) == value { return }
        if (try? slot.codec.encode(copy)) == value { return slot.codec.restoreField(copy, to: field) }
        let decoded = slot.codec.facts.allocate()
        defer { decoded.deallocate() }
        slot.codec.restoreField(copy, to: field)
        guard slot.codec.decode(value, at: decoded) else { return }
        slot.codec.assign(decoded, to: field)
        slot.codec.destroy(decoded)
    }
}
