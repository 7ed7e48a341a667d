internal import Foundation

/// Moments as ISO 8601 texts that give back exactly the date they were made of: `2026-11-22T17:06:31.5Z`.
enum ISO8601Date {
    /// The text of a date: as many digits behind the seconds as it takes to have the same date back; nil beyond the
    /// years 1 to 9999.
    static func text(_ date: Date) -> String? {
        let time = date.timeIntervalSinceReferenceDate
        // 0001-01-01 and 9999-12-31, from 2001-01-01.
        guard time >= -63_113_904_000, time < 252_423_993_600 else { return nil }
        let whole = time.rounded(.down)
        let seconds = Date(timeIntervalSinceReferenceDate: whole).formatted(.iso8601).dropLast()
        guard let digits = digits(time, whole: whole) else { return nil }
        return seconds + digits + "Z"
    }

    private static func digits(_ time: Double, whole: Double) -> String? {
        let fraction = time - whole
        if fraction == 0 { return "" }
        // A short form that means the same double is what people wrote.
        for (count, scale) in [(3, 1e3), (6, 1e6), (9, 1e9)] {
            let number = Int64((fraction * scale).rounded())
            let digits = String(number)
            guard digits.utf8.count <= count else { continue }
            let text = String(repeating: "0", count: count - digits.utf8.count) + digits
            if Double("0." + text).map({ whole + $0 }) == time { return "." + text }
        }
        let exact = fraction.description
        // A fraction below 0.0001 is written with an exponent.
        guard let exponent = exact.firstIndex(of: "e") else { return String(exact.dropFirst()) }
        guard let shift = Int(exact[exact.index(after: exponent)...]) else { return nil }
        let digits = exact[..<exponent].filter { $0 != "." }
        return "." + String(repeating: "0", count: -shift - 1) + digits
    }

    /// The date of a text with date, time and zone; nil where it is none.
    static func date(_ text: String) -> Date? {
        let characters = Array(text.utf8)
        guard characters.count >= 20, characters[10] == UInt8(ascii: "T") else { return nil }
        var rest = characters[19...]
        var fraction = 0.0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !digits.isEmpty, let value = Double("0." + String(decoding: digits, as: UTF8.self)) else {
                return nil
            }
            fraction = value
            rest = rest[digits.endIndex...]
        }
        guard let offset = offset(rest),
            String(decoding: characters[..<19], as: UTF8.self).utf8.allSatisfy({ $0 < 128 }),
            let whole = try? Date(String(decoding: characters[..<19], as: UTF8.self) + "Z", strategy: .iso8601)
        else { return nil }
        return Date(timeIntervalSinceReferenceDate: whole.timeIntervalSinceReferenceDate - offset + fraction)
    }

    /// Seconds that a zone is ahead of UTC: `Z`, `+01:00` or `-0530`.
    private static func offset(_ zone: ArraySlice<UInt8>) -> Double? {
        let text = String(decoding: zone, as: UTF8.self)
        if text == "Z" { return 0 }
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard digits.count == 4, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            text.utf8.count == 5 || (text.utf8.count == 6 && text.utf8.dropFirst(3).first == UInt8(ascii: ":")),
            let hours = Double(digits.prefix(2)), let minutes = Double(digits.suffix(2)), minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (sign == "-" ? -1 : 1)
    }
}
