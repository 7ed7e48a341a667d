/// The reason that a value cannot be stored in a column, or read from it.
///
/// Thrown where class, property and row are unknown; code that knows them creates a `StoreError` from it. It never
/// contains the value itself, so that no data ends up in a log.
package enum ValueFault: Error, Sendable, Equatable {
    /// The column's storage class differs from the property's type.
    case typeMismatch(expected: String, found: StorageClass)
    /// The number is outside the range of the type, or has a fraction that the type cannot represent.
    case outOfRange(type: String)
    /// The bytes of a string are not valid UTF-8.
    case invalidText
    /// The value cannot be stored.
    case notStorable(reason: String)
    /// The value has the right storage class, but the type does not accept it.
    case rejected(type: String, reason: String)
    /// Memory ran out for the value.
    case outOfMemory
    /// The engine refused to bind the value, with its own code.
    case engine(code: Int32)
}

extension ValueFault {
    /// Whether a value of the right type is rejected.
    package var isOfValue: Bool {
        switch self {
        case .rejected, .outOfRange: true
        default: false
        }
    }
}

extension ValueFault: CustomStringConvertible {
    /// A clause in lowercase, because messages are completed with it.
    package var description: String {
        switch self {
        case .typeMismatch(let expected, let found): "expected \(expected), but the column holds \(found)"
        case .outOfRange(let type): "the number does not fit in \(type)"
        case .invalidText: "the string is not valid UTF-8"
        case .notStorable(let reason): reason
        case .rejected(let type, let reason): "not a valid \(type): \(reason)"
        case .outOfMemory: "there is not enough memory for the value"
        case .engine(let code): "SQLite refused the value (code \(code))"
        }
    }
}
