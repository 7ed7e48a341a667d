internal import Foundation
internal import StoreEngine

/// A value as it is written in a call of a finder on the command line, before the type of its property is known.
package indirect enum DescribedLiteral: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number with decimal places, as it was written.
    case number(String)
    case text(String)
    case list([DescribedLiteral])
    case range(lower: DescribedLiteral?, upper: DescribedLiteral?, includesUpper: Bool)

    /// The value for a property of a codec's type. A string that is not a value of the type stays a string, which the
    /// codec rejects.
    func value(for codec: PropertyCodec?) -> Any? {
        let type = codec.map { ($0.valueType as? any OptionalType.Type)?.wrapped ?? $0.valueType }
        switch self {
        case .null: return nil
        case .bool(let value): return value
        case .integer(let number): return Int(number)
        case .number(let text):
            if type == Decimal.self { return Decimal(string: text) ?? text }
            // As a literal in Swift, which is rounded to the type.
            if type == Float.self, let number = Float(text), number.isFinite { return number }
            return Double(text) ?? text
        case .text(let text):
            if type == Date.self {
                return DateText.date(text) ?? text
            } else if type == UUID.self {
                return UUID(uuidString: text) ?? text
            } else if type == URL.self {
                return URL(string: text) ?? text
            } else if type == Decimal.self {
                return Decimal(string: text) ?? text
            } else if type == Character.self {
                return text.count == 1 ? Character(text) : text
            } else if type == Data.self || type == [UInt8].self {
                guard let bytes = Hexadecimal.bytes(text.utf8) else { return text }
                return type == Data.self ? Data(bytes) : bytes
            }
            return text
        case .list(let elements): return elements.map { $0.value(for: codec) }
        case .range(let lower, let upper, let includesUpper):
            return DescribedRange(
                lower: lower.flatMap { $0.value(for: codec) }, upper: upper.flatMap { $0.value(for: codec) },
                includesUpper: includesUpper)
        }
    }
}

/// A range as it is written on the command line.
struct DescribedRange {
    let lower: Any?
    let upper: Any?
    let includesUpper: Bool
}
