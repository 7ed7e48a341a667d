internal import StoreEngine

public import struct Foundation.Date
public import struct Foundation.TimeZone

// Parts of a date in UTC, because a column stores a point in time without a time zone. The calendar is the proleptic
// Gregorian calendar with a year 0. A part is nil for nil, before the year 0 and after the year 9999. Fractions of
// seconds are truncated.
extension Term where Value == Date {
    /// The year, in UTC.
    public var year: Term<Int, Int?> { part(.year, .offset(0)) }

    /// The month, from 1, in UTC.
    public var month: Term<Int, Int?> { part(.month, .offset(0)) }

    /// The day of the month, from 1, in UTC.
    public var day: Term<Int, Int?> { part(.day, .offset(0)) }

    /// The hour, from 0, in UTC.
    public var hour: Term<Int, Int?> { part(.hour, .offset(0)) }

    /// The minute, from 0, in UTC.
    public var minute: Term<Int, Int?> { part(.minute, .offset(0)) }

    /// The second, from 0, in UTC.
    public var second: Term<Int, Int?> { part(.second, .offset(0)) }

    /// The day of the week, from 1 for Sunday, in UTC.
    public var weekday: Term<Int, Int?> { part(.weekday, .offset(0)) }

    /// The day of the year, from 1, in UTC.
    public var dayOfYear: Term<Int, Int?> { part(.dayOfYear, .offset(0)) }
}

// Parts of a date in a time zone: the local date and time of the same moment.
extension Term where Value == Date {
    /// The year, in a time zone.
    public func year(in zone: TimeZone) -> Term<Int, Int?> { part(.year, zone) }

    /// The month, from 1, in a time zone.
    public func month(in zone: TimeZone) -> Term<Int, Int?> { part(.month, zone) }

    /// The day of the month, from 1, in a time zone.
    public func day(in zone: TimeZone) -> Term<Int, Int?> { part(.day, zone) }

    /// The hour, from 0, in a time zone.
    public func hour(in zone: TimeZone) -> Term<Int, Int?> { part(.hour, zone) }

    /// The minute, from 0, in a time zone.
    public func minute(in zone: TimeZone) -> Term<Int, Int?> { part(.minute, zone) }

    /// The second, from 0, in a time zone.
    public func second(in zone: TimeZone) -> Term<Int, Int?> { part(.second, zone) }

    /// The day of the week, from 1 for Sunday, in a time zone.
    public func weekday(in zone: TimeZone) -> Term<Int, Int?> { part(.weekday, zone) }

    /// The day of the year, from 1, in a time zone.
    public func dayOfYear(in zone: TimeZone) -> Term<Int, Int?> { part(.dayOfYear, zone) }

    private func part(_ part: DatePart, _ zone: TimeZone) -> Term<Int, Int?> {
        let name = zone.identifier
        // Such a name is a UTC offset in hours and minutes. An engine may interpret its sign the other way round.
        if name.hasPrefix("GMT") || name == "UTC" { return self.part(part, .offset(zone.secondsFromGMT())) }
        guard let literal = SQLLiteral(.text(name)) else {
            var expression = expression
            expression.fail(QueryError.notExpressible("The name of a time zone contains a NUL"))
            return Term<Int, Int?>(expression, scopes)
        }
        return self.part(part, .named(literal))
    }

    private func part(_ part: DatePart, _ zone: DateZone) -> Term<Int, Int?> {
        made(.datePart(ZonedDatePart(part, zone)))
    }
}
