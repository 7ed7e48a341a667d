internal import Foundation
internal import StoreEngine

extension Double: ColumnScalar {
    static var columnType: ColumnType { .real }

    @inline(__always)
    static func read(_ column: some FieldColumn) throws(ValueFault) -> Double {
        if let real = column.real { return real }
        // A column that is not STRICT may store an integral value as INTEGER.
        guard let integer = column.integer else { throw column.mismatch(expected: "REAL") }
        guard let value = Double(exactly: integer) else { throw .outOfRange(type: "Double") }
        return value
    }

    @inline(__always)
    func bind(to statement: Statement, at index: Int32) throws(ValueFault) { try statement.bind(self, at: index) }

    func encoded() throws(ValueFault) -> DatabaseValue {
        guard !isNaN else { throw .notStorable(reason: "NaN cannot be stored. Use an optional and nil") }
        return .real(self)
    }

    // Compared by bits, so that an unchanged NaN is not a change.
    @inline(__always)
    static func isSame(_ a: Double, _ b: Double) -> Bool { a.bitPattern == b.bitPattern }

    static func converted(_ value: Any) -> Double? {
        switch value {
        case let value as Double: value
        case let value as Float: Double(value)
        case let value as any BinaryInteger: Double(exactly: value)
        default: nil
        }
    }

    static var samples: [Double] { [113.25, 57.5, 0] }
}

extension Float: ColumnScalar {
    static var columnType: ColumnType { .real }

    static func read(_ column: Cell) throws(ValueFault) -> Float {
        let double = try Double.read(column)
        // A Float is restored exactly; a value that another program wrote is rounded, as in any Float.
        let value = Float(double)
        guard value.isInfinite == double.isInfinite else { throw .outOfRange(type: "Float") }
        return value
    }

    func bind(to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(Double(self), at: index)
    }

    func encoded() throws(ValueFault) -> DatabaseValue { try Double(self).encoded() }
    static func isSame(_ a: Float, _ b: Float) -> Bool { a.bitPattern == b.bitPattern }

    static func converted(_ value: Any) -> Float? {
        switch value {
        case let value as Float: value
        case let value as Double: Float(exactly: value)
        case let value as any BinaryInteger: Float(exactly: value)
        default: nil
        }
    }

    static var samples: [Float] { [113.25, 57.5, 0] }
}

extension Decimal: ColumnScalar {
    static var columnType: ColumnType { .text }
    static var logicalType: LogicalType { .decimal }

    static func read(_ column: Cell) throws(ValueFault) -> Decimal {
        let text = try column.text()
        // Foundation stops at the first unknown character, and rounds if the digits do not fit.
        guard let wanted = plain(text), let value = Decimal(string: text, locale: posix), !value.isNaN,
            plain(value.description) == wanted
        else {
            throw .rejected(
                type: "Decimal", reason: "the string is not a decimal number that Decimal can represent exactly")
        }
        return value
    }

    private static let posix = Locale(identifier: "en_US_POSIX")

    /// The number without a plus sign and without redundant zeros; nil if the string is not a number.
    private static func plain(_ text: String) -> String? {
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let parts = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let zero = UInt8(ascii: "0")
        guard parts.count <= 2, parts.contains(where: { !$0.isEmpty }),
            parts.joined().allSatisfy({ (zero...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        let whole = parts[0].drop { $0 == zero }
        var fraction = parts.count == 2 ? parts[1] : ""[...].utf8
        while fraction.last == zero { fraction = fraction.dropLast() }
        let isZero = whole.isEmpty && fraction.isEmpty
        return "\(isNegative && !isZero ? "-" : "")\(Substring(whole)).\(Substring(fraction))"
    }

    func bind(to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(text(), at: index)
    }

    func encoded() throws(ValueFault) -> DatabaseValue { .text(try text()) }

    private func text() throws(ValueFault) -> String {
        guard !isNaN else { throw .notStorable(reason: "NaN cannot be stored. Use an optional and nil") }
        return description
    }

    static func converted(_ value: Any) -> Decimal? {
        switch value {
        case let value as Decimal: value
        case let value as Int: Decimal(value)
        default: nil
        }
    }

    static func decoded(_ value: DatabaseValue) -> Decimal? {
        if case .text(let text) = value { Decimal(string: text, locale: posix) } else { nil }
    }

    static var samples: [Decimal] { [Decimal(11325) / 100, 57, 0] }
}

extension Date: ColumnScalar {
    static var columnType: ColumnType { .real }

    // A Date stores seconds since the reference date, so each value is restored exactly.
    @inline(__always)
    static func read(_ column: some FieldColumn) throws(ValueFault) -> Date {
        Date(timeIntervalSinceReferenceDate: try Double.read(column))
    }

    @inline(__always)
    func bind(to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(timeIntervalSinceReferenceDate, at: index)
    }

    func encoded() throws(ValueFault) -> DatabaseValue { try timeIntervalSinceReferenceDate.encoded() }

    @inline(__always)
    static func isSame(_ a: Date, _ b: Date) -> Bool {
        Double.isSame(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
    }

    static func decoded(_ value: DatabaseValue) -> Date? {
        Double.decoded(value).map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    static var samples: [Date] { Double.samples.map { Date(timeIntervalSinceReferenceDate: $0) } }
}
