/// The column format of a date, UUID or decimal number, if it is not the library's own.
///
/// Use a format for tables that other programs read or created, and for indexes over decimal numbers.
///
/// ```swift
/// @Column("InvoiceDate", format: .dateTime) var date = Date()
/// ```
///
/// Dates are in UTC. A string is read in any of the forms `2009-01-31`, `2009-01-31 23:59`, `2009-01-31 23:59:59.5` and
/// `2009-01-31T23:59:59Z`, also with an offset such as `+02:00`, and written in the declared format. Queries compare
/// the stored column values, so all rows should use one format.
public enum ColumnFormat: Sendable, Hashable {
    /// A date as `2009-01-31 23:59:59`, with a fraction if it has one.
    ///
    /// The default for a `Date` in an existing table.
    case dateTime
    /// A date as `2009-01-31T23:59:59Z`, with a fraction if it has one.
    case iso8601
    /// A day as `2009-01-31`; saving a date with a time of day other than midnight is an error.
    case day
    /// A date as seconds since 1970, as an integer or with a fraction.
    case unixSeconds
    /// A date as milliseconds since 1970, rounded to an integer.
    case unixMilliseconds
    /// A date as a Julian day number.
    case julianDay
    /// A date as seconds since 2001, the format of the library's own tables.
    case secondsSince2001
    /// A UUID as 36 lowercase characters, the default for a `UUID` in an existing table.
    case uuidText
    /// A UUID as 16 bytes, the format of the library's own tables.
    case uuidBlob
    /// A `Decimal` as an integer count of its smallest unit, with 0 to 18 decimal places.
    ///
    /// With `.scaled(2)`, 12.34 is stored as 1234. Saving a number with more decimal places is an error. See
    /// `@Column(scale:)`.
    case scaled(Int)
}
