internal import StoreEngine

/// A value of a property in separate memory.
final class ValueMemory {
    private let address: Address
    private let codec: PropertyCodec
    /// The value, retained as long as the memory, because a weak reference does not retain its object.
    private let kept: Any?

    /// Copies the value at `field`.
    ///
    /// - Parameter keepsObject: Whether an object that the value refers to weakly lives as long as the copy.
    init(copying field: Address, _ codec: PropertyCodec, keepsObject: Bool = false) {
        self.codec = codec
        address = codec.facts.allocate()
        kept = keepsObject ? codec.value(field) : nil
        codec.copy(field, to: address)
    }

    deinit {
        codec.destroy(address)
        address.deallocate()
    }

    /// Calls `body` with the address of the value, and keeps the memory until `body` returns. Without this, the
    /// optimizer could release the object before, because a use of the address is not a use of the object.
    func withAddress<R, E: Error>(_ body: (Address) throws(E) -> R) throws(E) -> R {
        defer { withExtendedLifetime(self) {} }
        return try body(address)
    }

    /// Replaces a field's value with this value.
    func assign(to field: Address) { withAddress { codec.assign($0, to: field) } }

    /// Some values that differ from each other in a column, including nil if the type is optional; empty if fewer than
    /// two values can be created.
    ///
    /// The codec provides the values, or they are decoded from the column form of this value, changed in one place. The
    /// memory of a type outside the library is never written field by field.
    func samples() -> [ValueMemory] {
        var found: [ValueMemory] = []
        func add(_ sample: Address) {
            // A value that cannot be encoded does not equal itself.
            guard codec.isSame(sample, sample), !found.contains(where: { $0.withAddress { codec.isSame($0, sample) } })
            else {
                return
            }
            // Keeps the first three samples and the last sample, which is nil for optionals.
            if found.count == 4 { found.removeLast() }
            found.append(ValueMemory(copying: sample, codec, keepsObject: true))
        }
        codec.withSamples(add)
        if found.count < 2, codec.makesValues, let stored = try? withAddress({ try codec.encode($0) }) {
            let memory = ElementMemory(codec)
            for other in stored.neighbours where found.count < 3 && codec.decode(other, at: memory.address) {
                add(memory.address)
                codec.destroy(memory.address)
            }
        }
        return found.count > 1 ? found : []
    }
}

extension ValueMemory {
    /// The value that a codec creates from a column; `T` must be the codec's type.
    static func value<T>(of codec: PropertyCodec, _ column: Cell) throws(ValueFault) -> T {
        assert(codec.valueType == T.self, "\(codec.valueType) is not \(T.self)")
        return try Address.value(as: T.self) { memory throws(ValueFault) in try codec.create(column, at: memory) }
    }
}
