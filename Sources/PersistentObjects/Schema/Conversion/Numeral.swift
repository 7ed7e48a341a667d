internal import Foundation
internal import StoreEngine

/// A decimal number in a string. `007` and `+7` are labels and not numbers, because a number would not restore them.
struct Numeral {
    private let text: String
    private let hasFraction: Bool
    private let hasExponent: Bool

    init?(_ text: String) {
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        func digits() -> Int {
            let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        let first = rest.first
        let whole = digits()
        guard whole > 0, whole == 1 || first != UInt8(ascii: "0") else { return nil }
        hasFraction = rest.first == UInt8(ascii: ".")
        if hasFraction {
            rest = rest.dropFirst()
            guard digits() > 0 else { return nil }
        }
        hasExponent = rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E")
        if hasExponent {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
            guard digits() > 0 else { return nil }
        }
        guard rest.isEmpty else { return nil }
        self.text = text
    }

    /// The integer, if the string is in integer notation, which `1.0` and `1e3` are not.
    var integer: Int64? { hasFraction || hasExponent || text == "-0" ? nil : Int64(text) }

    /// The double with these digits, ignoring trailing zeros.
    var real: Double? {
        guard let number = Double(text), number.isFinite else { return nil }
        guard let wanted = exact, let found = Numeral(number.description)?.exact else { return nil }
        return wanted == found && (number != 0 || text.first != "-") ? number : nil
    }

    /// The number in the stored form of `Decimal`; nil if it has more digits than `Decimal` holds.
    var decimal: String? { exact.map(\.description) }

    private var exact: Decimal? {
        guard let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !number.isNaN else {
            return nil
        }
        // Decimal silently rounds a number with more than 38 digits.
        let mantissa = text.prefix { $0 != "e" && $0 != "E" }
        let significant = mantissa.filter { $0 != "." && $0 != "-" }.drop { $0 == "0" }
        let zeros = significant.reversed().prefix { $0 == "0" }.count
        return significant.count - zeros <= 38 ? number : nil
    }
}
