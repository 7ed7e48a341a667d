/// Decimal numbers as integer counts of their smallest unit: with a scale of 2, 12.34 is 1234.
///
/// `po_scaled(number, scale)` is the `Decimal` string of such a number; NULL gives NULL.
package enum ScaledDecimal {
    /// The scales at which a 64-bit number can still have an integral part.
    package static let scales = 0...18

    static let function = EngineFunction(builtIn: "po_scaled", argumentCount: 2) { call in
        guard let number = try call.arguments.integer(0), let scale = try call.arguments.integer(1) else { return }
        guard let scale = Int(exactly: scale), scales.contains(scale) else {
            throw FunctionFailure("A scale is not between 0 and 18")
        }
        try call.give(.text(text(of: number, scale: scale)))
    }

    /// The number of smallest units that make one unit with this many fewer decimal places.
    package static func powerOfTen(_ places: Int) -> Int { (0..<places).reduce(1) { power, _ in power * 10 } }

    /// The decimal number, without redundant zeros.
    package static func text(of number: Int64, scale: Int) -> String {
        let digits = String(number.magnitude)
        let padded = String(repeating: "0", count: max(0, scale + 1 - digits.utf8.count)) + digits
        let whole = padded.dropLast(scale)
        var fraction = padded.suffix(scale)
        while fraction.last == "0" { fraction.removeLast() }
        return (number < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// The integer for a decimal number; nil if it has too many decimal places, or does not fit in 64 bits.
    package static func number(of text: String, scale: Int) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        var fraction = parts.count == 2 ? parts[1] : ""
        while fraction.last == "0" { fraction.removeLast() }
        guard fraction.utf8.count <= scale, fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(parts[0] + fraction + String(repeating: "0", count: scale - fraction.utf8.count))
    }
}
