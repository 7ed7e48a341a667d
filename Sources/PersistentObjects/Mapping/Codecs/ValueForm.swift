internal import Foundation
internal import StoreEngine

/// The form in which values of a type with several forms are stored: columns in different forms are not comparable.
enum ValueForm: Equatable {
    /// A date or a UUID. A property without a declared format has the library's default format.
    case format(ColumnFormat)
    /// A decimal number as a string of its digits.
    case digits
    /// A decimal number as the engine's own numeric type.
    case number
}

extension ValueForm: CustomStringConvertible {
    var description: String {
        switch self {
        case .format(let format): "the format .\(format)"
        case .digits: "a Decimal's digits as a string"
        case .number: "a Decimal as a number of the engine"
        }
    }
}

extension PropertyCodec {
    /// The form of its values; nil for types that have only one form.
    var valueForm: ValueForm? {
        if let format { return .format(format) }
        let type = (valueType as? any OptionalType.Type)?.wrapped ?? valueType
        if type == Date.self { return .format(.secondsSince2001) }
        if type == UUID.self { return .format(.uuidBlob) }
        return type == Decimal.self ? isDecimal ? .digits : .number : nil
    }
}
