internal import Foundation

/// Dates as texts in UTC, in the forms that SQL's functions know: `2009-01-31`, `2009-01-31 23:59:59.5` and the like.
enum DateText {
    /// The date of a text; nil where it is none.
    static func date(_ text: String) -> Date? {
        var rest = Reader(text)
        guard let year = rest.number(4), rest.take("-"), let month = rest.number(2), rest.take("-"),
            let day = rest.number(2), (1...12).contains(month), (1...length(month, year)).contains(day)
        else { return nil }
        var seconds = days(year, month, day) * 86400
        var fraction = 0.0
        if !rest.isAtEnd {
            guard rest.take("T") || rest.take(" "), let hour = rest.number(2), rest.take(":"),
                let minute = rest.number(2), hour < 24, minute < 60
            else { return nil }
            seconds += hour * 3600 + minute * 60
            if rest.take(":") {
                guard let second = rest.number(2), second < 60 else { return nil }
                seconds += second
                if rest.take(".") {
                    guard let digits = rest.digits(), let value = Double("0." + digits) else { return nil }
                    fraction = value
                }
            }
            guard let offset = rest.offset() else { return nil }
            seconds -= offset
        }
        guard rest.isAtEnd else { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
    }

    /// `2009-01-31`; nil where a year has not four digits.
    static func day(_ date: Date) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
        // The years 0 to 9999.
        guard seconds >= -63_145_526_400, seconds < 252_423_993_600 else { return nil }
        let (year, month, day) = civil(Int((seconds / 86400).rounded(.down)))
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// `2009-01-31 23:59:59`, with as many digits behind a point as it takes; nil where a year has not four digits.
    static func text(_ date: Date, separator: String, suffix: String) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        guard let start = wholeText(whole, separator) else { return nil }
        guard seconds != whole else { return start + suffix }
        for digits in [3, 6] {
            let scale = digits == 3 ? 1e3 : 1e6
            let part = ((seconds - whole) * scale).rounded()
            guard part < scale else { continue }
            let text = "\(start).\(padded(Int(part), digits))"
            if self.date(text) == date { return text + suffix }
        }
        // More digits than a date of our time has.
        let part = min(((seconds - whole) * 1e9).rounded(), 999_999_999)
        return "\(start).\(padded(Int(part), 9))\(suffix)"
    }

    private static func wholeText(_ seconds: Double, _ separator: String) -> String? {
        guard let day = day(Date(timeIntervalSinceReferenceDate: seconds)) else { return nil }
        let time = Int(seconds - (seconds / 86400).rounded(.down) * 86400)
        return "\(day)\(separator)\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    // MARK: The calendar

    private static func length(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 2001-01-01, in the Gregorian calendar of all times; years begin in March, so that leap days end them.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 730_791
    }

    /// The opposite.
    private static func civil(_ days: Int) -> (Int, Int, Int) {
        let days = days + 730_791
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }
}

/// Goes over a text from left to right.
private struct Reader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// A number of just so many digits.
    mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    /// One digit or more.
    mutating func digits() -> String? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(digits.count)
        return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
    }

    /// How many seconds a time is ahead of UTC; none, where nothing is said. A blank may come before it.
    mutating func offset() -> Int? {
        if isAtEnd || take("Z") { return 0 }
        _ = take(" ")
        let isAhead = take("+")
        guard isAhead || take("-"), let hours = number(2), take(":"), let minutes = number(2), hours < 15, minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (isAhead ? 1 : -1)
    }
}
