internal import StoreEngine

/// A value of any type, as the history stores it: an array with the name of its type and the value as a string.
struct PostgresAnyValue {
    private let type: Substring
    private let bytes: UnsafeRawBufferPointer

    /// - Parameter bytes: An array of two strings in the server's binary form; nil for other arrays.
    init?(_ bytes: UnsafeRawBufferPointer) {
        func number(_ place: Int) -> Int? {
            guard place + 4 <= bytes.count else { return nil }
            return Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)))
        }
        // The number of dimensions, a flag, the type of the elements, and for the dimension its length and first index.
        guard number(0) == 1, number(12) == 2, let first = number(20), first >= 0, let second = number(24 + first),
            second >= 0, 28 + first + second == bytes.count
        else { return nil }
        type = Substring(decoding: bytes[24..<24 + first], as: UTF8.self)
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes[(28 + first)...])
    }

    /// The value as a cell; nil if it is not of its type.
    ///
    /// - Parameter kept: Keeps bytes at a fixed address.
    func cell(_ kept: ([UInt8]) -> UnsafeRawPointer?) -> Cell? {
        switch type {
        case "text": return Cell(text: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        case "integer": return Int64(String(decoding: bytes, as: UTF8.self)).map { Cell($0) }
        case "real": return Double(String(decoding: bytes, as: UTF8.self)).map { Cell($0) }
        case "blob":
            let digits = bytes.map(PostgresAnyValue.digit)
            guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
            let values = stride(from: 0, to: digits.count, by: 2).map { (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0) }
            return Cell(blob: kept(values), count: values.count)
        default: return nil
        }
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The elements of the array for a value that is not NULL.
    ///
    /// - Parameter bytes: The bytes of the arguments.
    static func parts(of value: PostgresArguments.Value, _ bytes: [UInt8]) -> [String] {
        switch value {
        case .integer(let number): ["integer", String(number)]
        case .real(let number): ["real", text(of: number)]
        case .text(let range): ["text", String(decoding: bytes[range], as: UTF8.self)]
        case .blob(let range):
            ["blob", bytes[range].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()]
        case .null, .list: []
        }
    }

    /// A number in the server's spelling, so that equal numbers are equal strings.
    private static func text(of number: Double) -> String {
        guard number.isFinite else { return number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity" }
        var text = number.description
        if text.hasSuffix(".0") { text.removeLast(2) }
        // From 15 digits on, the server writes an exponent.
        let sign = text.hasPrefix("-") ? "-" : ""
        let digits = text.dropFirst(sign.count)
        guard digits.count > 15, !text.contains("."), !text.contains("e"), let first = digits.first else { return text }
        var rest = digits.dropFirst()
        let exponent = rest.count
        while rest.last == "0" { rest.removeLast() }
        return "\(sign)\(first)\(rest.isEmpty ? "" : ".\(rest)")e+\(exponent)"
    }
}
