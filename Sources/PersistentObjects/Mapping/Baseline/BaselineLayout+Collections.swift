internal import StoreEngine

// The baseline of a collection, which a save compares with the collection.
extension BaselineLayout {
    /// Calls `body` with the baseline's value of one property; with nil if it is not available.
    func withOldValue(
        _ ordinal: Int, in block: Address, _ body: (Address?) throws -> Void
    ) rethrows {
        let slot = slots[ordinal]
        switch slot.content {
        case .value: try body(block + slot.blockOffset)
        case .encoding: try withDecoded(slot, block, body)
        case .reference, .weakReference, .links: try body(nil)
        }
    }

    /// Records that the database has nil for an optional collection.
    func setNilCollection(_ ordinal: Int, _ codec: CollectionCodec, in block: Address) {
        let memory = codec.facts.allocate()
        defer { memory.deallocate() }
        codec.createNil(at: memory)
        setBaseline(of: slots[ordinal], to: memory, in: block)
        codec.destroy(memory)
    }

    /// Whether the database has nil for an optional collection.
    func hasNilCollection(_ ordinal: Int, _ codec: CollectionCodec, in block: Address) -> Bool {
        switch slots[ordinal].content {
        case .value: codec.isNil(block + slots[ordinal].blockOffset)
        case .encoding: encodedValue(ordinal, in: block) == .null
        case .links, .reference, .weakReference: image(ordinal, in: block).isNil
        }
    }
}
