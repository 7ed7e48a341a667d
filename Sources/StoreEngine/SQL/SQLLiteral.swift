/// A value as an SQL literal.
package struct SQLLiteral: Sendable, Hashable {
    package let text: String

    /// Creates a literal from text that an engine has generated for a value.
    package init(raw text: String) { self.text = text }

    /// Nil if SQL has no literal for exactly this value: strings with a NUL, NaN, and fractions that an engine reads
    /// back as an adjacent number.
    ///
    /// - Parameter read: The engine's interpretation of a number's digits; it decides for numbers that are not
    ///   integers.
    package init?(_ value: DatabaseValue, read: (_ digits: String) -> Double? = { _ in nil }) {
        switch value {
        case .null: text = "NULL"
        case .integer(let number): text = String(number)
        case .real(let number):
            guard let digits = SQLLiteral.digits(number, read) else { return nil }
            text = digits
        case .text(let string):
            if string.utf8.contains(0) { return nil }
            text = string.enclosed(in: "'")
        case .blob(let bytes):
            let digits = Array("0123456789abcdef".utf8)
            var hex: [UInt8] = []
            hex.reserveCapacity(bytes.count * 2)
            for byte in bytes {
                hex.append(digits[Int(byte >> 4)])
                hex.append(digits[Int(byte & 15)])
            }
            text = "x'" + String(decoding: hex, as: UTF8.self) + "'"
        }
    }

    private static func digits(_ number: Double, _ read: (String) -> Double?) -> String? {
        if number.isNaN { return nil }
        if number.isInfinite { return number < 0 ? "-9e999" : "9e999" }
        let text = number.description
        // Integers up to 2^53 are read without rounding.
        if number.magnitude <= 0x1p53, number == number.rounded() { return text }
        return read(text)?.bitPattern == number.bitPattern ? text : nil
    }
}
