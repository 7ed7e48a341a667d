/// The memory of an `Int` that the library increments.
enum CounterMemory {
    static func load(_ offset: Int, in start: Address) -> Int {
        (start + offset)[as: Int.self]
    }

    static func store(_ value: Int, _ offset: Int, in start: Address) {
        let field = start + offset
        ObjectMemory.checkNotBeingAccessed(field)
        field[as: Int.self] = value
    }
}
