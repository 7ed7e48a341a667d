internal import StoreEngine

/// A start value for creating an embedded value field by field: its optional fields are nil, and the other fields have
/// sample values that the type accepts.
///
/// Code that copies it replaces all fields that are not nil with the row's values.
final class EmbeddedBlank<Value>: @unchecked Sendable {  // immutable; only copied
    let value: Value

    init(_ value: Value) { self.value = value }

    /// Whether there is a value in memory of `Value?`.
    static func isPresent(_ field: Address) -> Bool { field[as: Value?.self] != nil }
}

extension EmbeddedBlank where Value: Decodable {
    /// Creates a value by decoding samples; nil if the type accepts none of them.
    ///
    /// - Parameter fields: The offsets of its fields in the value.
    static func made(_ fields: [(offset: Int, codec: PropertyCodec)]) -> EmbeddedBlank? {
        guard var value = JSONProbe.value(of: Value.self, sample: 0) else { return nil }
        let isBlank = Address.with(&value) { start in
            fields.allSatisfy { !$0.codec.acceptsNull || $0.codec.replace(start + $0.offset, by: .null) }
        }
        return isBlank ? EmbeddedBlank(value) : nil
    }
}
