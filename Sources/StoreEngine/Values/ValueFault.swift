/// Why a value cannot go into a column, or cannot come out of it.
///
/// Thrown where neither class, property nor row are known; whoever knows them
/// makes a `StoreError` of it. It never carries the value itself, so that no
/// data ends in a log.
package enum ValueFault: Error, Sendable, Equatable {
    /// The column holds another storage class than the property's type takes.
    case typeMismatch(expected: String, found: StorageClass)
    /// The number is beyond the limits of the type, or has a fraction that it cannot hold.
    case outOfRange(type: String)
    /// The bytes of a text are no UTF-8.
    case invalidText
    /// There is no way to store this value.
    case notStorable(reason: String)
    /// The value has the right storage class, but the type does not take it.
    case rejected(type: String, reason: String)
    /// There was no memory for the value.
    case outOfMemory
    /// The engine refused to bind the value, with a code of its own.
    case engine(code: Int32)
}

extension ValueFault {
    /// Whether a value of the right kind is refused.
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
