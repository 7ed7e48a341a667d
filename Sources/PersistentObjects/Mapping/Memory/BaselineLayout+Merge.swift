internal import StoreEngine

// A row that was read again meets an object that the user has.
extension BaselineLayout {
    /// Sees whether a column holds what its property takes, so that a row is merged whole or not at all.
    func check(_ column: ColumnValue, _ place: Int) throws(ValueFault) {
        try withValue(column, place) { _ in }
    }

    /// Makes the value of a column in memory of its own for the time of `body`.
    private func withValue(
        _ column: ColumnValue, _ place: Int, _ body: (UnsafeMutableRawPointer) -> Void
    ) throws(ValueFault) {
        let fresh = slots[place].codec.facts.allocate()
        defer { fresh.deallocate() }
        try slots[place].codec.create(column, at: fresh)
        defer { slots[place].codec.destroy(fresh) }
        body(fresh)
    }

    /// Brings one property to what a column holds: the baseline always, the object unless the user has changed the
    /// property and `keepsEdits`.
    func merge(
        _ column: ColumnValue, _ place: Int, into object: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer,
        keepsEdits: Bool
    ) throws(ValueFault) {
        try withValue(column, place) { merge($0, slots[place], into: object, block, keepsEdits: keepsEdits) }
    }

    private func merge(
        _ fresh: UnsafeMutableRawPointer, _ slot: Slot, into object: UnsafeMutableRawPointer,
        _ block: UnsafeMutableRawPointer, keepsEdits: Bool
    ) {
        if slot.hasSharedBuffer { ObjectMemory.checkNotBeingModified(slot.address(in: object)) }
        let isEdited = !isSame(slot, object, block)
        setBaseline(of: slot, to: fresh, in: block)
        guard !(isEdited && keepsEdits), !isSame(slot, object, block) else { return }
        let field = slot.address(in: object)
        ObjectMemory.checkNotBeingAccessed(field)
        slot.codec.assign(fresh, to: field)
    }
}
