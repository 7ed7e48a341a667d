internal import Foundation
internal import StoreEngine

/// A decimal number as an integer count of its smallest unit: `@Column(scale: 2)` stores 12.34 as 1234.
///
/// The integers sort like the numbers they represent, so that an index can be used.
enum ScaledForm<Scale: DecimalScale>: FormattedForm {
    typealias Value = Decimal

    static var format: ColumnFormat { .scaled(Scale.digits) }
    static var columnType: ColumnType { .integer }
    static var isQuantity: Bool { true }

    static func read(_ column: Cell) throws(ValueFault) -> Decimal {
        guard let number = column.integer else { throw column.mismatch(expected: "INTEGER") }
        return Decimal(sign: .plus, exponent: -Scale.digits, significand: Decimal(number))
    }

    static func bind(_ value: Decimal, to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(try encode(value), at: index)
    }

    static func encode(_ value: Decimal) throws(ValueFault) -> DatabaseValue { try scaled(try value.encoded()) }

    private static func scaled(_ text: DatabaseValue) throws(ValueFault) -> DatabaseValue {
        guard case .text(let text) = text else { return text }
        guard let number = ScaledDecimal.number(of: text, scale: Scale.digits) else {
            // A string that is not a number is rejected with Decimal's message.
            _ = try DatabaseValue.text(text).withCell { (cell) throws(ValueFault) in try Decimal.read(cell) }
            throw .notStorable(
                reason: "the number has more than \(Scale.digits) decimal places, or does not fit in 64 bits. "
                    + "Round it, or give the column another scale")
        }
        return .integer(number)
    }

    static func decode(_ value: DatabaseValue) throws(ValueFault) -> Decimal {
        try value.withCell { (cell) throws(ValueFault) in try read(cell) }
    }

    static func queryArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        try converted(value).map { (value) throws(ValueFault) in try value.encoded() }
    }

    static func recoded(_ argument: DatabaseValue) throws(ValueFault) -> DatabaseValue { try scaled(argument) }
    static func isSame(_ a: Decimal, _ b: Decimal) -> Bool { a == b }
    static func converted(_ value: Any?) -> Decimal? { value.flatMap { Decimal.converted($0) } }
    static var samples: [Decimal] { [113, 57, 0] }
}

/// The number of decimal places of a decimal number.
protocol DecimalScale {
    static var digits: Int { get }
}

enum NoDigits: DecimalScale { static var digits: Int { 0 } }
enum OneDigitMore<Scale: DecimalScale>: DecimalScale { static var digits: Int { Scale.digits + 1 } }

extension CodecFactory {
    /// The form for a scale; nil for a scale that does not fit in 64 bits.
    static func scaledForm(_ digits: Int) -> (any ColumnForm.Type)? {
        guard ScaledDecimal.scales.contains(digits) else { return nil }
        func form<Scale: DecimalScale>(_: Scale.Type) -> any ColumnForm.Type { ScaledForm<Scale>.self }
        func next<Scale: DecimalScale>(_: Scale.Type) -> any DecimalScale.Type { OneDigitMore<Scale>.self }
        var scale: any DecimalScale.Type = NoDigits.self
        for _ in 0..<digits { scale = next(scale) }
        return form(scale)
    }
}
