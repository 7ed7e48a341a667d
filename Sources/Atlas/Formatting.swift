/// Numbers and times as the program prints them, the same in every locale.
extension Int {
    /// The number and its noun: `1 city`, `5,000 cities`.
    func counted(_ one: String, _ many: String) -> String {
        "\(grouped) \(self == 1 ? one : many)"
    }

    /// The number with thousands separators: `2,138,551`.
    var grouped: String {
        var text = ""
        for (place, digit) in String(magnitude).reversed().enumerated() {
            if place > 0 && place.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + String(text.reversed())
    }
}

extension Duration {
    /// The time in a suitable unit, with three digits: `12.3 µs`.
    var short: String {
        let nanoseconds = self / .nanoseconds(1)
        let (value, unit): (Double, String) =
            switch nanoseconds {
            case ..<999.5: (nanoseconds, "ns")
            case ..<999_500: (nanoseconds / 1e3, "µs")
            case ..<999_500_000: (nanoseconds / 1e6, "ms")
            default: (nanoseconds / 1e9, "s")
            }
        return "\(value.threeDigits) \(unit)"
    }
}

extension Double {
    /// The number with three significant digits.
    fileprivate var threeDigits: String {
        if self >= 99.95 { return String(Int(rounded())) }
        let scale = self >= 9.995 ? 10.0 : 100.0
        return String((self * scale).rounded() / scale)
    }
}

extension String {
    /// The text, truncated to `width` characters with an ellipsis if it is longer.
    func shortened(to width: Int) -> String {
        count <= width ? self : prefix(max(width - 1, 0)) + "…"
    }

    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - count, 0))
    }

    func rightAligned(to width: Int) -> String {
        String(repeating: " ", count: max(width - count, 0)) + self
    }

    /// The text on one line.
    var onOneLine: String {
        split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }.joined(separator: " ")
    }
}
