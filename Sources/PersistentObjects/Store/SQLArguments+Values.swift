public import StoreEngine

extension SQLArguments {
    /// Returns the argument at an index, from 0, as a Swift type.
    ///
    /// The type can be any type that a property with its own column can have.
    ///
    /// ```swift
    /// let name: String = try arguments.value(0)
    /// let age: Int? = try arguments.value(1)      // nil if the argument is NULL
    /// let born = try arguments.value(2, as: Date.self)
    /// ```
    ///
    /// An integer is also accepted for a `Double` or `Float`.
    ///
    /// - Throws: `StoreError` if there is no such argument or it is of another kind: `typeMismatch` states which
    ///   argument it is, its value's kind, and the kind expected.
    public func value<T>(_ index: Int, as type: T.Type = T.self) throws -> T {
        // The most frequent types are read directly, because finding a codec takes longer than reading them.
        if type == String.self, let text = try text(index) as? T { return text }
        if type == Int.self, let number = try integer(index), let value = Int(exactly: number) as? T { return value }
        let argument = try argument(index)
        let isReal = type == Double.self || type == Double?.self || type == Float.self || type == Float?.self
        if isReal, case .integer = argument.storageClass, let number = try number(index) {
            if let value = number as? T { return value }
            if let value = Float(number) as? T { return value }
        }
        guard case .success(let codec) = CodecFactory.codec(for: type) else {
            throw StoreError(
                .misuse, "Argument \(index + 1) is read as \(TypeSpelling.of(type)), which no column can hold")
        }
        // The codec was made for exactly T.
        do throws(ValueFault) {
            return try Address.value(as: T.self) { memory throws(ValueFault) in
                try codec.create(argument.cell, at: memory)
            }
        } catch { throw located(error, index) }
    }
}
