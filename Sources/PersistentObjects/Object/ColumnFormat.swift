/// How a date, UUID or decimal number stands in its column, where not as the library has it: for tables that others made
/// or read, and for indexes over decimal numbers.
///
/// ```swift
/// @Column("InvoiceDate", format: .dateTime) var date = Date()
/// ```
///
/// Dates are in UTC. A text is read in any of the forms `2009-01-31`,
/// `2009-01-31 23:59`, `2009-01-31 23:59:59.5` and `2009-01-31T23:59:59Z`, with an
/// offset `+02:00` too, and written in the form that is said here. Queries
/// compare columns as they stand in the file, so all rows should have one form.
public enum ColumnFormat: Sendable, Hashable {
    /// A date as `2009-01-31 23:59:59`, with a fraction where it has one. What a `Date` is in tables of others where
    /// nothing is said.
    case dateTime
    /// A date as `2009-01-31T23:59:59Z`, with a fraction where it has one.
    case iso8601
    /// A day as `2009-01-31`. A date with a time of day other than midnight is an error when it is saved.
    case day
    /// A date as seconds since 1970, whole or with a fraction.
    case unixSeconds
    /// A date as milliseconds since 1970, rounded to a whole number.
    case unixMilliseconds
    /// A date as a Julian day number.
    case julianDay
    /// A date as seconds since 2001: how the library's own tables have it.
    case secondsSince2001
    /// A UUID as 36 characters, in lower case. What a `UUID` is in tables of others where nothing is said.
    case uuidText
    /// A UUID as 16 bytes: how the library's own tables have it.
    case uuidBlob
    /// A `Decimal` as a whole number of its smallest part, with so many digits behind the point, 0 to 18: with
    /// `.scaled(2)` 12.34 is 1234. A number with more is an error when it is saved. See `@Column(scale:)`.
    case scaled(Int)
}
