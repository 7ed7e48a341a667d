package import Foundation

/// Dates as texts, `2025-11-22T17:30:00.125Z`, that come back with the same bits.
///
/// A `Date` is a Double of seconds since 2001. Its shortest decimal digits are
/// the fraction that is written, and the text is read as the whole decimal
/// number again, rounded once: nothing is lost. A date that has no such text
/// is written as that number.
package enum ISODate {
    /// From 1970-01-01 to 2001-01-01, in days.
    private static let referenceDay = 11_323

    package static func json(_ date: Date) -> JSONValue {
        let seconds = date.timeIntervalSinceReferenceDate
        if let text = text(seconds) { return .text(text) }
        return seconds.isFinite ? .number("\(seconds)") : .text(JSONValue.infinity(isNegative: seconds < 0))
    }

    /// The text for seconds since the reference date; nil where there is none that is exact.
    static func text(_ seconds: Double) -> String? {
        // Beyond these are years of other than four digits.
        guard seconds > -64_000_000_000, seconds < 253_000_000_000, seconds.bitPattern != (-0.0).bitPattern else {
            return nil
        }
        let parts = "\(seconds)".split(separator: ".")
        guard parts.count == 2, !parts[1].contains("e"), parts[1].count <= 18, var whole = Int(parts[0]) else {
            return nil
        }
        var fraction = parts[1] == "0" ? "" : String(parts[1])
        if seconds < 0, !fraction.isEmpty {
            // -5.25 is 0.75 behind -6.
            whole -= 1
            fraction = complement(fraction)
        }
        let day = Int((Double(whole) / 86400).rounded(.down))
        let (year, month, dayOfMonth) = civil(day + referenceDay)
        guard (0...9999).contains(year) else { return nil }
        let second = whole - day * 86400
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
        let time = "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        return "\(date)T\(time)\(fraction.isEmpty ? "" : ".")\(fraction)Z"
    }

    /// Seconds since the reference date; nil where the text is no date.
    ///
    /// A date alone, a blank for the T, and offsets from UTC are understood. Without an offset it is a time in `zone`.
    package static func seconds(_ text: String, in zone: TimeZone? = nil) -> Double? {
        var reader = Reader(rest: text.utf8[...])
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), (1...12).contains(month), (1...days(in: month, year)).contains(day)
        else { return nil }
        var whole = (daysFromCivil(year, month, day) - referenceDay) * 86400
        var fraction = ""
        var offset: Int?
        if !reader.rest.isEmpty {
            guard reader.take("T") || reader.take(" ") || reader.take("t") else { return nil }
            guard let hour = reader.number(2), reader.take(":"), let minute = reader.number(2), hour < 24, minute < 60
            else { return nil }
            var second = 0
            if reader.take(":") {
                guard let number = reader.number(2), number < 60 else { return nil }
                second = number
                if reader.take(".") || reader.take(",") {
                    guard let digits = reader.digits() else { return nil }
                    fraction = digits
                }
            }
            whole += hour * 3600 + minute * 60 + second
            guard reader.readOffset(into: &offset), reader.rest.isEmpty else { return nil }
        }
        if let offset {
            whole -= offset
        } else if let zone {
            whole -= localOffset(whole, zone)
        }
        while fraction.hasSuffix("0") { fraction.removeLast() }
        guard whole < 0, !fraction.isEmpty else { return Double("\(whole).\(fraction.isEmpty ? "0" : fraction)") }
        return Double("-\(-(whole + 1)).\(complement(fraction))")
    }

    /// How far a zone is from UTC at a time on its clocks.
    private static func localOffset(_ whole: Int, _ zone: TimeZone) -> Int {
        let guess = zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(whole)))
        return zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(whole - guess)))
    }

    /// The digits of one minus a fraction.
    private static func complement(_ fraction: String) -> String {
        var digits = fraction.utf8.map { UInt8(ascii: "9") - $0 + UInt8(ascii: "0") }
        var place = digits.count - 1
        while place >= 0 {
            if digits[place] < UInt8(ascii: "9") {
                digits[place] += 1
                break
            }
            digits[place] = UInt8(ascii: "0")
            place -= 1
        }
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    private struct Reader {
        var rest: Substring.UTF8View

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard let first = rest.first, UInt32(first) == character.value else { return false }
            rest = rest.dropFirst()
            return true
        }

        mutating func digits() -> String? {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest.dropFirst(digits.count)
            return digits.isEmpty ? nil : String(Substring(digits))
        }

        mutating func number(_ count: Int) -> Int? {
            let digits = rest.prefix(count)
            guard digits.count == count, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { return nil }
            rest = rest.dropFirst(count)
            return Int(Substring(digits))
        }

        /// Reads an offset from UTC, in seconds to the east; it stays nil if the text has none.
        ///
        /// - Returns: False if there is one that no clock has: more than 23:59.
        mutating func readOffset(into offset: inout Int?) -> Bool {
            if take("Z") || take("z") {
                offset = 0
                return true
            }
            let before = rest
            if take(" "), rest.first.map({ $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }) != true {
                rest = before
                return true
            }
            let sign = take("+") ? 1 : take("-") ? -1 : 0
            guard sign != 0 else { return true }
            guard let hours = number(2) else { return false }
            _ = take(":")
            guard let minutes = rest.isEmpty ? 0 : number(2), hours < 24, minutes < 60 else { return false }
            offset = sign * (hours * 3600 + minutes * 60)
            return true
        }
    }
}

// The calendar of ISO 8601, by Howard Hinnant's formulas; days are counted from 1970-01-01.
extension ISODate {
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }

    private static func daysFromCivil(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func days(in month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
