internal import StoreEngine

// Collections are written by comparing them with what the baseline has.
extension BaselineLayout {
    /// Calls `body` with the baseline's value of one property; with nil where it cannot be had.
    func withOldValue(
        _ place: Int, in block: UnsafeMutableRawPointer, _ body: (UnsafeMutableRawPointer?) throws -> Void
    ) rethrows {
        let slot = slots[place]
        let kept = block + slot.blockOffset
        switch slot.content {
        case .value: try body(kept)
        case .encoding:
            let memory = ElementMemory(slot.codec)
            guard let stored = kept.assumingMemoryBound(to: DatabaseValue?.self).pointee,
                slot.codec.decode(stored, at: memory.address)
            else { return try body(nil) }
            defer { slot.codec.destroy(memory.address) }
            try body(memory.address)
        case .reference, .weakReference, .links: try body(nil)
        }
    }
}
