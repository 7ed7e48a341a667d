internal import Foundation
internal import StoreEngine

/// A date in a format that differs from the library's default.
enum DateForm<Style: DateStyle>: FormattedForm {
    typealias Value = Date

    static var format: ColumnFormat { Style.format }
    static var columnType: ColumnType { Style.columnType }

    static func read(_ column: Cell) throws(ValueFault) -> Date {
        guard column.storageClass == .text else {
            guard let number = column.real ?? column.integer.map({ Double($0) }) else {
                throw column.mismatch(expected: Style.columnType.rawValue)
            }
            return try Style.date(number)
        }
        guard let date = DateText.date(try column.text()) else {
            throw .rejected(type: "Date", reason: "the string is not a date such as 2009-01-31 or 2009-01-31 23:59:59")
        }
        return date
    }

    static func bind(_ value: Date, to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(try encode(value), at: index)
    }

    static func encode(_ value: Date) throws(ValueFault) -> DatabaseValue {
        guard !value.timeIntervalSinceReferenceDate.isNaN else {
            throw .notStorable(reason: "NaN cannot be stored. Use an optional and nil")
        }
        return try Style.stored(value)
    }

    static func decode(_ value: DatabaseValue) throws(ValueFault) -> Date {
        try value.withCell { (cell) throws(ValueFault) in try read(cell) }
    }

    // Compared by bits, so a change beyond the column's precision is an edit, too.
    static func isSame(_ a: Date, _ b: Date) -> Bool { Date.isSame(a, b) }
    static func converted(_ value: Any?) -> Date? { value as? Date }

    static func argument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        guard let date = value as? Date else { return nil }
        return try Style.argument(date)
    }

    static func queryArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        try converted(value).map { (date) throws(ValueFault) in try date.encoded() }
    }

    static func recoded(_ argument: DatabaseValue) throws(ValueFault) -> DatabaseValue {
        guard case .real(let seconds) = argument else { return argument }
        return try Style.argument(Date(timeIntervalSinceReferenceDate: seconds))
    }

    static var samples: [Date] { Date.samples }
}

/// A date format.
protocol DateStyle {
    static var format: ColumnFormat { get }
    static var columnType: ColumnType { get }
    /// The date that a number represents.
    static func date(_ number: Double) throws(ValueFault) -> Date
    static func stored(_ date: Date) throws(ValueFault) -> DatabaseValue
    /// The form in which a finder's argument is compared.
    static func argument(_ date: Date) throws(ValueFault) -> DatabaseValue
}

extension DateStyle {
    static func argument(_ date: Date) throws(ValueFault) -> DatabaseValue { try stored(date) }
}

/// The string formats: the meaning of a number is unknown.
protocol TextDateStyle: DateStyle {
    static func text(_ date: Date) -> String?
}

extension TextDateStyle {
    static var columnType: ColumnType { .text }

    static func date(_ number: Double) throws(ValueFault) -> Date {
        throw .rejected(
            type: "Date",
            reason: "the column holds a number. Specify its unit and epoch, for example @Column(\"…\", format: "
                + ".unixSeconds)")
    }

    static func stored(_ date: Date) throws(ValueFault) -> DatabaseValue {
        guard let text = text(date) else {
            throw .notStorable(reason: "a date stored as text cannot have a year before 0 or after 9999")
        }
        return .text(text)
    }
}

enum DateTimeStyle: TextDateStyle {
    static var format: ColumnFormat { .dateTime }
    static func text(_ date: Date) -> String? { DateText.text(date, separator: " ", suffix: "") }
}

enum ISOStyle: TextDateStyle {
    static var format: ColumnFormat { .iso8601 }
    static func text(_ date: Date) -> String? { DateText.text(date, separator: "T", suffix: "Z") }
}

enum DayStyle: TextDateStyle {
    static var format: ColumnFormat { .day }
    static func text(_ date: Date) -> String? { DateText.day(date) }

    static func stored(_ date: Date) throws(ValueFault) -> DatabaseValue {
        guard isDay(date) else {
            throw .notStorable(
                reason: "it has a time of day in UTC, which a column of days cannot store. Set it to midnight, or "
                    + "use the format .dateTime")
        }
        return try DateTimeStyle.stored(date).day
    }

    // A time is not shortened to its day, so that it sorts after the day, as strings do.
    static func argument(_ date: Date) throws(ValueFault) -> DatabaseValue {
        let value = try DateTimeStyle.stored(date)
        return isDay(date) ? value.day : value
    }

    private static func isDay(_ date: Date) -> Bool {
        date.timeIntervalSinceReferenceDate.truncatingRemainder(dividingBy: 86400) == 0
    }
}

extension DatabaseValue {
    /// The day of a date as a string.
    fileprivate var day: DatabaseValue {
        if case .text(let text) = self { .text(String(text.prefix(10))) } else { self }
    }
}

enum UnixStyle: DateStyle {
    static var format: ColumnFormat { .unixSeconds }
    static var columnType: ColumnType { .real }
    static func date(_ number: Double) throws(ValueFault) -> Date { Date(timeIntervalSince1970: number) }

    // Most programs store an integer. A REAL column converts the integer to REAL.
    static func stored(_ date: Date) throws(ValueFault) -> DatabaseValue {
        let seconds = date.timeIntervalSince1970
        return Int64(exactly: seconds).map { .integer($0) } ?? .real(seconds)
    }
}

enum UnixMillisecondStyle: DateStyle {
    static var format: ColumnFormat { .unixMilliseconds }
    static var columnType: ColumnType { .integer }
    static func date(_ number: Double) throws(ValueFault) -> Date { Date(timeIntervalSince1970: number / 1000) }

    static func stored(_ date: Date) throws(ValueFault) -> DatabaseValue {
        guard let count = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) else {
            throw .notStorable(reason: "the date is too distant to be counted in milliseconds")
        }
        return .integer(count)
    }
}

enum JulianStyle: DateStyle {
    static var format: ColumnFormat { .julianDay }
    static var columnType: ColumnType { .real }
    /// The Julian day of 2001-01-01.
    private static let reference = 2_451_910.5

    static func date(_ number: Double) throws(ValueFault) -> Date {
        // Doubles represent these days to less than a tenth of a millisecond.
        let seconds = (number - reference) * 86400
        return Date(timeIntervalSinceReferenceDate: (seconds * 1000).rounded() / 1000)
    }

    // Computed from milliseconds as SQLite computes it, so that equal times have equal bits.
    static func stored(_ date: Date) throws(ValueFault) -> DatabaseValue {
        let day = 86_400_000.0
        return .real(((date.timeIntervalSinceReferenceDate * 1000).rounded() + reference * day) / day)
    }
}
