/// JSON under construction, in bytes.
struct JSONText {
    private var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ number: Int64) { bytes.append(contentsOf: String(number).utf8) }

    /// Appends a string in quotation marks.
    mutating func append(string text: String) {
        append("\"")
        append(escaped: text)
        append("\"")
    }

    /// Appends the contents of a string between its quotation marks.
    mutating func append(escaped text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                append("\\u00")
                append(hexadecimal: byte)
            default: bytes.append(byte)
            }
        }
    }

    mutating func append(hexadecimal bytes: UnsafeRawBufferPointer) {
        for byte in bytes { append(hexadecimal: byte) }
    }

    private mutating func append(hexadecimal byte: UInt8) {
        bytes.append(JSONText.digit(byte >> 4))
        bytes.append(JSONText.digit(byte & 15))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
