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
        switch part {
        case .hour: return second / 3600
        case .minute: return second / 60 % 60
        case .second: return second % 60
        // The first of January 1970 was a Thursday.
        case .weekday: return (day % 7 + 11) % 7 + 1
        case .year: return civil(day).year
        case .month: return civil(day).month
        case .day: return civil(day).day
        case .dayOfYear: return day - firstDay(of: civil(day).year) + 1
        }
    }

    /// The date of a day, counted from 1970, in the proleptic Gregorian calendar.
    ///
    /// Years are counted from March, so that a leap day is their last (H. Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms", `civil_from_days`).
    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        return (
            yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    /// The first of January, counted from 1970.
    private static func firstDay(of year: Int) -> Int {
        let before = year - 1
        let era = (before >= 0 ? before : before - 399) / 400
        let yearOfEra = before - era * 400
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + 306 - 719_468
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
