internal import Foundation

/// Parts of dates in time zones.
///
/// `po_date_part(part, date, zone)`: a part, such as `day`, of a date in seconds since 2001, in a time zone of the time
/// zone database. NULL gives NULL, and so does a date whose parts `strftime` cannot compute.
enum ZonedDate {
    static let function = EngineFunction(builtIn: "po_date_part", argumentCount: 3) { call in
        guard let word = try call.arguments.text(0), let date = try call.arguments.number(1),
            let name = try call.arguments.text(2)
        else { return }
        guard let part = DatePart(rawValue: word) else { throw FunctionFailure("A date has no part \(word)") }
        guard let zone = zone(named: name) else { throw FunctionFailure("There is no time zone \(name)") }
        guard let number = value(of: part, date, in: zone) else { return }
        try call.give(.integer(Int64(number)))
    }

    /// A part of a date in seconds since 2001; nil if the dialects return NULL.
    static func value(of part: DatePart, _ date: Double, in zone: TimeZone) -> Int? {
        // The fraction is truncated, as in the dialects.
        guard let whole = Int(exactly: (date + 63_145_526_400).rounded(.towardZero)) else { return nil }
        let seconds = whole - 62_167_219_200
        guard (-62_167_219_200...253_402_300_799).contains(seconds) else { return nil }
        let local = seconds + zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        let day = Int((Double(local) / 86_400).rounded(.down))
        let second = local - day * 86_400
        let civil = GregorianCalendar.date(day - GregorianCalendar.dayOf2001)
        switch part {
        case .hour: return second / 3600
        case .minute: return second / 60 % 60
        case .second: return second % 60
        // The first of January 1970 was a Thursday.
        case .weekday: return (day % 7 + 11) % 7 + 1
        case .year: return civil.year
        case .month: return civil.month
        case .day: return civil.day
        case .dayOfYear: return day - GregorianCalendar.dayOf2001 - GregorianCalendar.days(civil.year, 1, 1) + 1
        }
    }

    /// The zones so far, cached because looking up a zone takes longer than using it.
    private static let zones = Locked<[String: TimeZone]>([:])

    private static func zone(named name: String) -> TimeZone? {
        if let known = zones.withLock({ $0[name] }) { return known }
        guard let found = TimeZone(identifier: name) else { return nil }
        zones.withLock { $0[name] = found }
        return found
    }
}
