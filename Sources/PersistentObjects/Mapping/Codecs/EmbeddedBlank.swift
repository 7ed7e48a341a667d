internal import StoreEngine

/// A value to begin from where an embedded one comes into being field by field: its optional fields are nil, the others
/// are whatever the type takes.
///
/// Whoever is given a copy replaces all that is not nil in it by what the row has.
final class EmbeddedBlank<Value>: @unchecked Sendable {  // set once, and copied from then on
    let value: Value

    init(_ value: Value) { self.value = value }

    /// Whether there is a value in memory of `Value?`.
    static func isPresent(_ field: Address) -> Bool { field[as: Value?.self] != nil }
}

extension EmbeddedBlank where Value: Decodable {
    /// Made of samples, as the type decodes itself; nil where it takes none.
    ///
    /// - Parameter fields: Where in the value its fields are.
    static func made(_ fields: [(offset: Int, codec: PropertyCodec)]) -> EmbeddedBlank? {
        guard var value = JSONProbe.value(of: Value.self, sample: 0) else { return nil }
        let isBlank = Address.with(&value) { start in
            fields.allSatisfy { !$0.codec.acceptsNull || $0.codec.replace(start + $0.offset, by: .null) }
        }
        return isBlank ? EmbeddedBlank(value) : nil
    }
}
