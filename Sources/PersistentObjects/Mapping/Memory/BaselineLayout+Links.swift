// What the loading of links wants of a baseline.
extension BaselineLayout {
    /// Takes what the object has for what the database has: what is read next replaces it.
    func makeSame(_ place: Int, _ object: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer) {
        setBaseline(of: slots[place], to: slots[place].address(in: object), in: block)
    }

    /// The database has nil for an optional collection.
    func setNilCollection(_ place: Int, _ codec: CollectionCodec, in block: UnsafeMutableRawPointer) {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: Swift.max(codec.facts.size, 1), alignment: Swift.max(codec.facts.alignment, 1))
        defer { memory.deallocate() }
        codec.createNil(at: memory)
        setBaseline(of: slots[place], to: memory, in: block)
        codec.destroy(memory)
    }

    /// The baseline's own weak reference, which tells whether a weak reference that reads nil was cleared or has died.
    func holdWeakly(_ object: PersistentObject, _ place: Int, in block: UnsafeMutableRawPointer) {
        WeakMemory.assign(object, to: block + slots[place].blockOffset + 8)
    }

    /// Whether the database has nil for an optional collection.
    func hasNilCollection(_ place: Int, _ codec: CollectionCodec, in block: UnsafeMutableRawPointer) -> Bool {
        switch slots[place].content {
        case .value: codec.isNil(block + slots[place].blockOffset)
        case .encoding: encodedValue(place, in: block) == .null
        case .links, .reference, .weakReference: image(place, in: block).isNil
        }
    }
}
