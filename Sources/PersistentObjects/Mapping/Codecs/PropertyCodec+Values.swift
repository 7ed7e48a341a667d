internal import StoreEngine

// Values outside objects.
extension PropertyCodec {
    /// Replaces a value with the value of an encoding; false if that is not possible.
    func replace(_ field: Address, by stored: DatabaseValue) -> Bool {
        let memory = facts.allocate()
        defer { memory.deallocate() }
        guard decode(stored, at: memory) else { return false }
        assign(memory, to: field)
        destroy(memory)
        return true
    }

    /// The encoding of a value; nil if the value is not of the codec's type.
    func stored<V>(_ value: V) throws(ValueFault) -> DatabaseValue? {
        // A key's type in memory differs from its visible type.
        guard !isKey else { return try encodeArgument(value) }
        guard V.self == valueType else { return nil }
        var value = value
        var result: DatabaseValue?
        var fault: ValueFault?
        Address.with(&value) { field in
            do throws(ValueFault) { result = try encode(field) } catch { fault = error }
        }
        if let fault { throw fault }
        return result
    }
}
