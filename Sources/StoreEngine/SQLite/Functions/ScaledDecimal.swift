/// Decimal numbers as whole numbers of their smallest part: with a scale of 2, 12.34 is 1234.
///
/// `po_scaled(number, scale)` is the text that `Decimal` has of such a number; NULL gives NULL.
package enum ScaledDecimal {
    /// The scales with which all 64-bit numbers but the longest have room for a whole part.
    package static let scales = 0...18

    static let function = EngineFunction(builtIn: "po_scaled", argumentCount: 2) { call in
        guard let number = try call.arguments.integer(0), let scale = try call.arguments.integer(1) else { return }
        guard let scale = Int(exactly: scale), scales.contains(scale) else {
            throw FunctionFailure("A scale is not between 0 and 18")
        }
        try call.give(.text(text(of: number, scale: scale)))
    }

    /// How many of the smallest parts with so many more decimal places make one with fewer.
    package static func powerOfTen(_ places: Int) -> Int { (0..<places).reduce(1) { power, _ in power * 10 } }

    /// The decimal number, without zeros that say nothing.
    package static func text(of number: Int64, scale: Int) -> String {
        let digits = String(number.magnitude)
        let padded = String(repeating: "0", count: max(0, scale + 1 - digits.utf8.count)) + digits
        let whole = padded.dropLast(scale)
        var fraction = padded.suffix(scale)
        while fraction.last == "0" { fraction.removeLast() }
        return (number < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// The whole number of a decimal one; nil where it has more digits behind its point, or more than 64 bits hold.
    package static func number(of text: String, scale: Int) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        var fraction = parts.count == 2 ? parts[1] : ""
        while fraction.last == "0" { fraction.removeLast() }
        guard fraction.utf8.count <= scale, fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(parts[0] + fraction + String(repeating: "0", count: scale - fraction.utf8.count))
    }
}
