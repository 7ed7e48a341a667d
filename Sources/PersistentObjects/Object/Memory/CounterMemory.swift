/// The memory of an `Int` that the library counts in.
enum CounterMemory {
    static func load(_ offset: Int, in start: UnsafeMutableRawPointer) -> Int {
        (start + offset).assumingMemoryBound(to: Int.self).pointee
    }

    static func store(_ value: Int, _ offset: Int, in start: UnsafeMutableRawPointer) {
        let field = start + offset
        ObjectMemory.checkNotBeingAccessed(field)
        field.assumingMemoryBound(to: Int.self).pointee = value
    }
}
