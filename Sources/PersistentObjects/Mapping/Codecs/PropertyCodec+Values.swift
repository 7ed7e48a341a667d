internal import StoreEngine

// Values that stand in no object.
extension PropertyCodec {
    /// Replaces a value by what its encoding says; false where that is not possible.
    func replace(_ field: Address, by stored: DatabaseValue) -> Bool {
        let memory = facts.allocate()
        defer { memory.deallocate() }
        guard decode(stored, at: memory) else { return false }
        assign(memory, to: field)
        destroy(memory)
        return true
    }

    /// The encoding of a value; nil where it is not of the codec's type.
    func stored<V>(_ value: V) throws(ValueFault) -> DatabaseValue? {
        // A key is another type in memory than users see.
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
