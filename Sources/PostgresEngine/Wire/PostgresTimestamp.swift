internal import StoreEngine

/// Values of the types `timestamptz`, `timestamp` and `date`, as strings in UTC.
enum PostgresTimestamp {
    /// The days from the server's epoch, 2000-01-01, to that of `GregorianCalendar`.
    private static let daysOfYear2000 = 366

    /// `2009-01-31 23:59:59.5`; `infinity` and `-infinity` for the server's values of these names.
    ///
    /// - Parameter microseconds: The microseconds since 2000.
    static func text(microseconds: Int64) -> String {
        guard microseconds != .max, microseconds != .min else { return microseconds < 0 ? "-infinity" : "infinity" }
        let (day, time) = divided(Int(microseconds), by: 86_400_000_000)
        let text = "\(text(day: day)) \(GregorianCalendar.text(ofSeconds: time / 1_000_000))"
        guard time % 1_000_000 > 0 else { return text }
        var fraction = GregorianCalendar.padded(time % 1_000_000, 6)
        while fraction.last == "0" { fraction.removeLast() }
        return "\(text).\(fraction)"
    }

    /// `2009-01-31`, or an infinite value.
    ///
    /// - Parameter days: The days since 2000.
    static func text(days: Int32) -> String {
        guard days != .max, days != .min else { return days < 0 ? "-infinity" : "infinity" }
        return text(day: Int(days))
    }

    private static func text(day: Int) -> String { GregorianCalendar.text(ofDay: day - daysOfYear2000) }

    private static func divided(_ number: Int, by divisor: Int) -> (Int, Int) {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }

    /// The offset to append to a string, because the library's dates are in UTC, and the server would read a string
    /// without an offset as a local time.
    static func missingOffset(_ text: some BidirectionalCollection<UInt8>) -> String {
        let time = text.dropFirst(10)
        let characters = Set("0123456789:. T".utf8)
        guard text.count >= 10, text.prefix(10).allSatisfy({ Set("0123456789-".utf8).contains($0) }),
            time.allSatisfy(characters.contains)
        else { return "" }
        return time.isEmpty ? " 00:00+00" : "+00"
    }

    /// The server's text for a time in UTC, as `text(microseconds:)` writes it.
    static func withoutOffset(_ text: String) -> String {
        text.hasSuffix("+00") ? String(text.dropLast(3)) : text
    }

    /// An array of strings, which the server parses. Other values are left out, because they equal no time.
    static func array(_ values: [DatabaseValue], addsOffsets: Bool) -> String {
        let elements: [String] = values.compactMap { value in
            guard case .text(let text) = value else { return value == .null ? "NULL" : nil }
            let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "\"\(quoted)\(addsOffsets ? missingOffset(text.utf8) : "")\""
        }
        return "{\(elements.joined(separator: ","))}"
    }

    /// Whether a string contains a time of day, which a `date` would lose.
    static func hasTime(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        text.dropFirst(10).contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
    }
}
