internal import StoreEngine

// Reading a baseline's values, and restoring them.
extension BaselineLayout {
    /// The baseline's value of one property in a box; nil for NULL.
    func baselineValue(_ ordinal: Int, in block: Address) -> (any Sendable)? {
        let slot = slots[ordinal]
        switch slot.content {
        case .value: return slot.codec.sendableValue(block + slot.blockOffset)
        case .encoding: return withDecoded(slot, block) { $0.flatMap { slot.codec.sendableValue($0) } } ?? nil
        case .reference, .weakReference, .links: return slot.links.sendableIDs(image(ordinal, in: block))
        }
    }

    /// Restores the baseline's value of one property in the object, which is visible to the user (R4).
    ///
    /// `lookup` finds the objects of links by their ids.
    func restore(
        _ ordinal: Int, of object: Address, from block: Address,
        _ lookup: (PersistentObject.Type, Int64) -> PersistentObject?
    ) {
        let slot = slots[ordinal]
        if let box = slot.box(in: object), box.state != .loaded {
            // The value was never loaded. It is loaded at its next access.
            let wasAssigned = box.state == .assigned
            box.state = .unloaded
            if wasAssigned { didChange(ordinal, of: object) }
            return
        }
        let isChange = isObserved && !isSame(slot, object, block)
        defer { if isChange { didChange(ordinal, of: object) } }
        let field = slot.address(in: object)
        slot.checkNotBeingAccessed(field)
        switch slot.content {
        case .value: slot.codec.assign(block + slot.blockOffset, to: field)
        case .encoding: withDecoded(slot, block) { if let value = $0 { slot.codec.assign(value, to: field) } }
        case .reference, .weakReference, .links:
            let links = slot.links
            links.restore(image(ordinal, in: block), into: field) { lookup(links.target, $0) }
            guard slot.content == .weakReference, keptID(slot, block) != LinkImage.none else { return }
            // If the row's object does not exist, both weak references are marked as ended, which is not an edit.
            if let target = slot.reference.object(field) {
                holdWeakly(target, ordinal, in: block)
            } else {
                slot.makeEnded(field, block)
            }
        }
    }

    /// The baseline's value of a property that is not a link, as its column would store it.
    func storedValue(_ ordinal: Int, in block: Address) -> DatabaseValue? {
        let slot = slots[ordinal]
        switch slot.content {
        case .value: return try? slot.codec.encode(block + slot.blockOffset)
        case .encoding: return encodedValue(ordinal, in: block)
        case .reference, .weakReference, .links: return nil
        }
    }

    /// The baseline's encoding of a value.
    func encodedValue(_ ordinal: Int, in block: Address) -> DatabaseValue? {
        encoded(block, slots[ordinal])[as: DatabaseValue?.self]
    }

    func encoded(_ block: Address, _ slot: Slot) -> Address { block + slot.blockOffset }

    /// Creates the value of an encoded slot in separate memory for the duration of `body`.
    @discardableResult
    func withDecoded<R>(
        _ slot: Slot, _ block: Address, _ body: (Address?) throws -> R
    ) rethrows -> R {
        guard let stored = encoded(block, slot)[as: DatabaseValue?.self] else { return try body(nil) }
        let memory = slot.codec.facts.allocate()
        defer { memory.deallocate() }
        guard slot.codec.decode(stored, at: memory) else { return try body(nil) }
        defer { slot.codec.destroy(memory) }
        return try body(memory)
    }
}
