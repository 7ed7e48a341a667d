// Foreign: how values are stored in columns of existing tables, in any form that loses no information. It knows cells
// and types, and must know neither tables nor classes.

internal import Foundation
internal import StoreEngine

/// A form for a column that another program declared with any type or without a type. A cell of another storage class
/// is converted if the conversion is exact.
enum ForeignForm<Base: ColumnForm>: ColumnForm {
    typealias Value = Base.Value

    static var columnType: ColumnType { Base.columnType }
    static var acceptsNull: Bool { Base.acceptsNull }
    static var isQuantity: Bool { Base.isQuantity }
    static var encodesByUser: Bool { Base.encodesByUser }

    static func read(_ column: Cell) throws(ValueFault) -> Value {
        // The form itself rejects cells that cannot be converted, with its own message.
        guard let value = try ForeignCell.converted(column, to: Base.columnType) else { return try Base.read(column) }
        return try value.withCell { (cell) throws(ValueFault) in try Base.read(cell) }
    }

    static func bind(_ value: Value, to statement: Statement, at index: Int32) throws(ValueFault) {
        try Base.bind(value, to: statement, at: index)
    }

    static func encode(_ value: Value) throws(ValueFault) -> DatabaseValue { try Base.encode(value) }
    static func decode(_ value: DatabaseValue) throws(ValueFault) -> Value { try Base.decode(value) }
    static func isSame(_ a: Value, _ b: Value) -> Bool { Base.isSame(a, b) }
    static func converted(_ value: Any?) -> Value? { Base.converted(value) }
    static func argument(_ value: Any?) throws(ValueFault) -> DatabaseValue? { try Base.argument(value) }
    static var samples: [Value] { Base.samples }
}

/// A form that also reads cells of other storage classes.
protocol ConvertingForm: ColumnForm {
    /// The meaning of a cell, in the form's own storage class.
    static func meaning(of stored: DatabaseValue) throws(ValueFault) -> DatabaseValue
}

extension ForeignForm: ConvertingForm {
    static func meaning(of stored: DatabaseValue) throws(ValueFault) -> DatabaseValue {
        if Base.columnType == .real, case .integer(let number) = stored, let real = Double(exactly: number) {
            return .real(real)
        }
        return try stored.withCell { (cell) throws(ValueFault) in
            try ForeignCell.converted(cell, to: Base.columnType)
        } ?? stored
    }
}

extension OptionalForm: ConvertingForm where Wrapped: ConvertingForm {
    static func meaning(of stored: DatabaseValue) throws(ValueFault) -> DatabaseValue {
        try Wrapped.meaning(of: stored)
    }
}

/// The meaning of a cell in a column that is not STRICT, for a form of another storage class.
enum ForeignCell {
    /// Nil if the cell needs no conversion, or cannot be converted.
    static func converted(_ cell: Cell, to type: ColumnType) throws(ValueFault) -> DatabaseValue? {
        switch (type, cell.storageClass) {
        case (.integer, .text): Int64(try cell.text()).map { .integer($0) }
        case (.real, .text): number(try cell.text()).map { .real($0) }
        case (.text, .integer): cell.integer.map { .text(String($0)) }
        case (.text, .real): cell.real.map { .text("\($0)") }
        case (.blob, .text): .blob(Array(try cell.text().utf8))
        default: nil
        }
    }

    /// A number in SQL syntax; Swift would also accept `nan` and hexadecimal numbers.
    private static func number(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}

/// A form that differs from the query form of its type, so that compared values are encoded again.
protocol RecodingForm: ColumnForm {
    /// A finder's argument in the query encoding of its type.
    static func queryArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue?
    /// A value of a query in its column form; a value already in this form is unchanged.
    static func recoded(_ argument: DatabaseValue) throws(ValueFault) -> DatabaseValue
}

extension OptionalForm: RecodingForm where Wrapped: RecodingForm {
    static func queryArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        value == nil ? .null : try Wrapped.queryArgument(value)
    }

    static func recoded(_ argument: DatabaseValue) throws(ValueFault) -> DatabaseValue { try Wrapped.recoded(argument) }
}

/// A form with several variants, which a property chooses with its column format.
protocol FormattedForm: RecodingForm {
    static var format: ColumnFormat { get }
}

extension OptionalForm: FormattedForm where Wrapped: FormattedForm {
    static var format: ColumnFormat { Wrapped.format }
}

/// A decimal number in a numeric column: `NUMERIC(10,2)`.
enum DecimalForm: RecodingForm {
    typealias Value = Decimal

    static var columnType: ColumnType { .real }
    static var isQuantity: Bool { true }

    static func read(_ column: Cell) throws(ValueFault) -> Decimal {
        switch column.storageClass {
        case .text: return try Decimal.read(column)
        case .integer: return Decimal(column.integer ?? 0)
        case .real:
            // The number was originally written as the shortest string with this value.
            guard let real = column.real, let value = Decimal(string: "\(real)", locale: nil) else {
                throw .outOfRange(type: "Decimal")
            }
            return value
        case .blob, .null: throw column.mismatch(expected: "a number")
        }
    }

    static func bind(_ value: Decimal, to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(try encode(value), at: index)
    }

    /// A number if that is exact, otherwise a string, which a numeric column preserves up to 15 digits.
    static func encode(_ value: Decimal) throws(ValueFault) -> DatabaseValue {
        let exact = try value.encoded()
        guard case .text(let text) = exact else { return exact }
        if let integer = Int64(text) { return .integer(integer) }
        guard let real = Double(text), real.isFinite, Decimal(string: "\(real)", locale: nil) == value else {
            return exact
        }
        return .real(real)
    }

    static func decode(_ value: DatabaseValue) throws(ValueFault) -> Decimal {
        try value.withCell { (cell) throws(ValueFault) in try read(cell) }
    }

    static func queryArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        try value.flatMap { (value) throws(ValueFault) in try Decimal.argument(value) }
    }

    static func recoded(_ argument: DatabaseValue) throws(ValueFault) -> DatabaseValue {
        guard case .text = argument else { return argument }
        return try encode(try decode(argument))
    }

    static func isSame(_ a: Decimal, _ b: Decimal) -> Bool { a == b }
    static func converted(_ value: Any?) -> Decimal? { value.flatMap { Decimal.converted($0) } }
    static var samples: [Decimal] { Decimal.samples }
}

/// A UUID in a column of strings or bytes; either is read.
enum UUIDForm<Style: UUIDStyle>: FormattedForm {
    typealias Value = UUID

    static var format: ColumnFormat { Style.format }
    static var columnType: ColumnType { Style.format == .uuidText ? .text : .blob }

    static func read(_ column: Cell) throws(ValueFault) -> UUID {
        guard column.storageClass == .text else { return try UUID.read(column) }
        guard let value = UUID(uuidString: try column.text()) else {
            throw .rejected(type: "UUID", reason: "the string is not a UUID")
        }
        return value
    }

    static func bind(_ value: UUID, to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(try encode(value), at: index)
    }

    static func encode(_ value: UUID) throws(ValueFault) -> DatabaseValue {
        Style.format == .uuidText ? .text(value.uuidString.lowercased()) : try value.encoded()
    }

    static func decode(_ value: DatabaseValue) throws(ValueFault) -> UUID {
        try value.withCell { (cell) throws(ValueFault) in try read(cell) }
    }

    static func queryArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        try converted(value).map { (value) throws(ValueFault) in try value.encoded() }
    }

    static func recoded(_ argument: DatabaseValue) throws(ValueFault) -> DatabaseValue {
        guard case .blob = argument else { return argument }
        return try encode(try decode(argument))
    }

    static func isSame(_ a: UUID, _ b: UUID) -> Bool { a == b }
    static func converted(_ value: Any?) -> UUID? { value as? UUID }
    static var samples: [UUID] { UUID.samples }
}

protocol UUIDStyle {
    static var format: ColumnFormat { get }
}

enum TextUUID: UUIDStyle { static var format: ColumnFormat { .uuidText } }
enum BlobUUID: UUIDStyle { static var format: ColumnFormat { .uuidBlob } }
