internal import StoreEngine

/// How unsaved edits of an object are handled if its row is read again.
enum EditRule {
    /// The edits are kept, with their original base values: a save detects concurrent changes to them.
    case keep
    /// The edits are kept, on top of the row's current values.
    case rebase
    case drop
}

// Merging a row that was read again into its object in memory.
extension BaselineLayout {
    /// Checks whether a column's value fits its property, so that a row is merged completely or not at all.
    func check(_ column: Cell, _ ordinal: Int) throws(ValueFault) {
        try withValue(column, ordinal) { _ in }
    }

    /// Creates a column's value in separate memory for the duration of `body`.
    private func withValue(
        _ column: Cell, _ ordinal: Int, _ body: (Address) -> Void
    ) throws(ValueFault) {
        let fresh = slots[ordinal].codec.facts.allocate()
        defer { fresh.deallocate() }
        try slots[ordinal].codec.create(column, at: fresh)
        defer { slots[ordinal].codec.destroy(fresh) }
        body(fresh)
    }

    /// Updates one property to a column's value; returns whether the value differs from the base value of an edit.
    func merge(
        _ column: Cell, _ ordinal: Int, into object: Address, _ block: Address,
        _ edits: EditRule
    ) throws(ValueFault) -> Bool {
        var isConflict = false
        try withValue(column, ordinal) { isConflict = merge($0, ordinal, into: object, block, edits) }
        return isConflict
    }

    /// Records a column's value as the database's; the object keeps its value.
    func rebase(_ column: Cell, _ ordinal: Int, under object: Address, _ block: Address) throws(ValueFault) {
        let slot = slots[ordinal]
        try withValue(column, ordinal) { fresh in
            if object.header.isRemembered, differs(fresh, slot, block) { object.header.isRemembered = false }
            setBaseline(of: slot, to: fresh, in: block)
        }
    }

    /// Whether a column's value equals the object's value.
    func isSame(_ column: Cell, _ ordinal: Int, of object: Address) throws(ValueFault) -> Bool {
        var isSame = false
        let slot = slots[ordinal]
        try withValue(column, ordinal) { isSame = slot.codec.isSame($0, slot.address(in: object)) }
        return isSame
    }

    /// Whether a column's value differs from a baseline.
    func differs(_ column: Cell, _ ordinal: Int, from block: Address) throws(ValueFault) -> Bool {
        var isDifferent = false
        try withValue(column, ordinal) { isDifferent = differs($0, slots[ordinal], block) }
        return isDifferent
    }

    private func merge(
        _ fresh: Address, _ ordinal: Int, into object: Address,
        _ block: Address, _ edits: EditRule
    ) -> Bool {
        let slot = slots[ordinal]
        let field = slot.address(in: object)
        if slot.hasSharedBuffer { slot.checkNotBeingModified(field) }
        let isEdited = edits != .drop && !isSame(slot, object, block)
        // The object and the baseline keep sharing their buffer, because equal bits make a scan cheap.
        if !isEdited, edits != .drop, slot.content == .value, slot.codec.isSame(fresh, block + slot.blockOffset) {
            return false
        }
        if isEdited, edits == .keep, isConflict(fresh, slot, field, block) { return true }
        if object.header.isRemembered, differs(fresh, slot, block) { object.header.isRemembered = false }
        setBaseline(of: slot, to: fresh, in: block)
        guard !isEdited, !isSame(slot, object, block) else { return false }
        slot.checkNotBeingAccessed(field)
        slot.codec.assign(fresh, to: field)
        didChange(ordinal, of: object)
        return false
    }

    /// Whether the database has neither the base value of an edit nor the edited value. For a number, any change
    /// elsewhere is a conflict, because two sessions that each add 1 mean 2.
    ///
    /// - Parameter field: The edited value.
    func isConflict(
        _ fresh: Address, _ slot: Slot, _ field: Address,
        _ block: Address
    ) -> Bool {
        switch slot.content {
        case .value:
            return !slot.codec.isSame(fresh, block + slot.blockOffset)
                && (slot.codec.isQuantity || !slot.codec.isSame(fresh, field))
        case .encoding:
            let value = try? slot.codec.encode(fresh)
            return value != encoded(block, slot)[as: DatabaseValue?.self] && value != (try? slot.codec.encode(field))
        case .reference, .weakReference, .links:
            return isConflict(slot.links.image(fresh), slot, field, block)
        }
    }

    /// Whether the database's value now differs from the baseline.
    private func differs(_ fresh: Address, _ slot: Slot, _ block: Address) -> Bool {
        switch slot.content {
        case .value: !slot.codec.isSame(fresh, block + slot.blockOffset)
        case .encoding: (try? slot.codec.encode(fresh)) != encoded(block, slot)[as: DatabaseValue?.self]
        case .reference, .weakReference, .links: slot.links.image(fresh) != image(slot, in: block)
        }
    }

    /// The same for the ids of a link.
    func isConflict(
        _ image: LinkImage, _ slot: Slot, _ field: Address, _ block: Address
    ) -> Bool {
        image != self.image(slot, in: block) && image != slot.links.image(field)
    }

    /// Whether two baselines have equal values of a property.
    func isSame(_ ordinal: Int, _ one: Address, _ other: Address) -> Bool {
        let slot = slots[ordinal]
        switch slot.content {
        case .value: return slot.codec.isSame(one + slot.blockOffset, other + slot.blockOffset)
        case .encoding:
            return encoded(one, slot)[as: DatabaseValue?.self] == encoded(other, slot)[as: DatabaseValue?.self]
        case .reference, .weakReference: return keptID(slot, one) == keptID(slot, other)
        case .links: return image(slot, in: one) == image(slot, in: other)
        }
    }
}
