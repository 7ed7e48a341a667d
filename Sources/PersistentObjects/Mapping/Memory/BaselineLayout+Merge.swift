internal import StoreEngine

// A row that was read again meets an object that the user has.
extension BaselineLayout {
    /// Brings one property to what a column holds: the baseline always, the object unless the user has changed the
    /// property and `keepsEdits`.
    func merge(
        _ column: ColumnValue, _ place: Int, into object: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer,
        keepsEdits: Bool
    ) throws(ValueFault) {
        let slot = slots[place]
        let facts = slot.codec.facts
        let fresh = UnsafeMutableRawPointer.allocate(
            byteCount: Swift.max(facts.size, 1), alignment: Swift.max(facts.alignment, 1))
        defer { fresh.deallocate() }
        try slot.codec.create(column, at: fresh)
        defer { slot.codec.destroy(fresh) }
        if slot.hasSharedBuffer { ObjectMemory.checkNotBeingModified(object + slot.objectOffset) }
        let isEdited = !isSame(slot, object, block)
        setBaseline(of: slot, to: fresh, in: block)
        guard !(isEdited && keepsEdits), !isSame(slot, object, block) else { return }
        let field = object + slot.objectOffset
        ObjectMemory.checkNotBeingAccessed(field)
        slot.codec.assign(fresh, to: field)
    }
}
