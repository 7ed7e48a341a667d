/// Writes JSON without whitespace. Numbers keep their given form.
package enum JSONWriter {
    package static func bytes(of value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        write(value, to: &bytes)
        return bytes
    }

    package static func write(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let text): bytes.append(contentsOf: text.utf8)
        case .text(let text): write(text: text, to: &bytes)
        case .list(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(element, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(text: member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                write(member.value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    package static func write(text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        write(contentsOf: text, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a string without its quotation marks.
    package static func write(contentsOf text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { utf8 in
            // Stretches without characters to escape are copied as a whole.
            var start = utf8.startIndex
            for ordinal in utf8.indices where isEscaped(utf8[ordinal]) {
                bytes.append(contentsOf: utf8[start..<ordinal])
                writeEscaped(utf8[ordinal], to: &bytes)
                start = ordinal + 1
            }
            bytes.append(contentsOf: utf8[start...])
        }
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func writeEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x0A: bytes.append(contentsOf: "\\n".utf8)
        case 0x0D: bytes.append(contentsOf: "\\r".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        default:
            let digits = String(byte, radix: 16)
            bytes.append(contentsOf: "\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8)
        }
    }

    /// Writes an integer like its description, without creating a string.
    package static func write(integer: Int64, to bytes: inout [UInt8]) {
        if integer < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = integer.magnitude
        var (first, last) = (bytes.count, bytes.count - 1)
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
            last += 1
        } while rest > 0
        // The last digit was written first.
        while first < last {
            bytes.swapAt(first, last)
            first += 1
            last -= 1
        }
    }
}
