internal import Foundation
internal import StoreEngine

/// Dates as ISO 8601 strings in UTC: the common form for columns with a format, conversions and JSON.
///
/// A `Date` is a Double of seconds since 2001. A string is read as the whole decimal number of its seconds and rounded
/// once.
enum DateText {
    /// The date of a string; nil if the string is not a date. See `seconds(_:in:isWhole:)`.
    static func date(_ text: String) -> Date? { seconds(text).map { Date(timeIntervalSinceReferenceDate: $0) } }

    /// Seconds since the reference date; nil if the string is not a date.
    ///
    /// It accepts a date alone, a space instead of the T, and offsets from UTC. Without an offset the time is in
    /// `zone`, or in UTC.
    ///
    /// - Parameter isWhole: Whether a string without a time, seconds or offset is rejected.
    static func seconds(_ text: String, in zone: TimeZone? = nil, isWhole: Bool = false) -> Double? {
        var reader = Reader(text)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), (1...12).contains(month),
            (1...GregorianCalendar.length(ofMonth: month, year)).contains(day)
        else { return nil }
        var whole = GregorianCalendar.days(year, month, day) * 86400
        var fraction: Substring.UTF8View?
        var offset: Int?
        var hasSeconds = false
        if !reader.isAtEnd {
            guard reader.take("T") || reader.take(" ") || reader.take("t"), let hour = reader.number(2),
                reader.take(":"), let minute = reader.number(2), hour < 24, minute < 60
            else { return nil }
            whole += hour * 3600 + minute * 60
            hasSeconds = reader.take(":")
            if hasSeconds {
                guard let second = reader.number(2), second < 60 else { return nil }
                whole += second
                if reader.take(".") || reader.take(",") {
                    guard let digits = reader.digits() else { return nil }
                    fraction = digits
                }
            }
            guard reader.readOffset(into: &offset), reader.isAtEnd else { return nil }
        }
        if isWhole, !hasSeconds || offset == nil { return nil }
        whole -= offset ?? zone.map { localOffset(whole, $0) } ?? 0
        return fraction.flatMap { seconds(whole, String(decoding: $0, as: UTF8.self)) } ?? Double(whole)
    }

    private static func seconds(_ whole: Int, _ digits: String) -> Double? {
        guard whole < 0, digits.utf8.contains(where: { $0 != UInt8(ascii: "0") }) else {
            return Double("\(whole).\(digits)")
        }
        // -5.25 is 0.75 after -6.
        return Double("-\(-(whole + 1)).\(complement(digits))")
    }

    /// The UTC offset of a zone at a local time.
    private static func localOffset(_ whole: Int, _ zone: TimeZone) -> Int {
        let guess = zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(whole)))
        return zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(whole - guess)))
    }

    /// The digits of one minus a fraction, without trailing zeros.
    private static func complement(_ fraction: String) -> String {
        var digits = Array(fraction.utf8)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        for place in digits.indices.dropLast() { digits[place] = 0x69 - digits[place] }
        // 0x69 is "0" + "9"; the last digit, which is not 0, is subtracted from ten.
        if let last = digits.last { digits[digits.count - 1] = 0x6a - last }
        return String(decoding: digits, as: UTF8.self)
    }
}

// Dates as strings.
extension DateText {
    /// `2009-01-31`; nil if the year does not have four digits.
    static func day(_ date: Date) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
        // The years 0 to 9999.
        guard seconds >= -63_145_526_400, seconds < 252_423_993_600 else { return nil }
        return GregorianCalendar.text(ofDay: Int((seconds / 86400).rounded(.down)))
    }

    /// `2009-01-31 23:59:59`, with as many decimal places as needed; nil if the year does not have four digits.
    ///
    /// - Parameter isExact: Whether it has more than nine decimal places if needed to restore the same date.
    static func text(_ date: Date, separator: String, suffix: String, isExact: Bool = false) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        guard let start = wholeText(whole, separator) else { return nil }
        guard seconds != whole else { return start + suffix }
        for (digits, scale) in [(3, 1e3), (6, 1e6), (9, 1e9)] {
            let part = ((seconds - whole) * scale).rounded()
            guard part < scale else { continue }
            let text = "\(start).\(GregorianCalendar.padded(Int(part), digits))"
            if self.date(text) == date { return text + suffix }
        }
        if isExact { return exact(seconds, separator).map { $0 + suffix } }
        // A contemporary date does not need more than nine decimal places.
        let part = min(((seconds - whole) * 1e9).rounded(), 999_999_999)
        return "\(start).\(GregorianCalendar.padded(Int(part), 9))\(suffix)"
    }

    /// `2025-11-22T17:30:00.125` with the fewest digits that restore the same date, to the bit; nil if there is no such
    /// string.
    static func exact(_ seconds: Double, _ separator: String) -> String? {
        let parts = "\(seconds)".split(separator: ".")
        guard seconds.bitPattern != (-0.0).bitPattern, parts.count == 2, !parts[1].contains("e"), parts[1].count <= 18,
            let start = wholeText(seconds.rounded(.down), separator)
        else { return nil }
        guard parts[1] != "0" else { return start }
        return "\(start).\(seconds < 0 ? complement(String(parts[1])) : String(parts[1]))"
    }

    private static func wholeText(_ seconds: Double, _ separator: String) -> String? {
        guard let day = day(Date(timeIntervalSinceReferenceDate: seconds)) else { return nil }
        let time = Int(seconds - (seconds / 86400).rounded(.down) * 86400)
        return "\(day)\(separator)\(GregorianCalendar.text(ofSeconds: time))"
    }
}

/// Scans a string from left to right.
private struct Reader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// A number with exactly this many digits.
    mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    /// One digit or more.
    mutating func digits() -> Substring.UTF8View? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(digits.count)
        return digits.isEmpty ? nil : digits
    }

    /// Reads an offset from UTC, in seconds to the east, which a space may precede. If the string has no offset,
    /// `offset` stays nil.
    ///
    /// - Returns: False for an impossible offset, beyond 23:59.
    mutating func readOffset(into offset: inout Int?) -> Bool {
        if take("Z") || take("z") {
            offset = 0
            return true
        }
        let before = rest
        _ = take(" ")
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0 else {
            rest = before
            return true
        }
        guard let hours = number(2) else { return false }
        _ = take(":")
        guard let minutes = isAtEnd ? 0 : number(2), hours < 24, minutes < 60 else { return false }
        offset = sign * (hours * 3600 + minutes * 60)
        return true
    }
}
