/// Scans the bytes of a JSON document, only as far as requested.
struct JSONCursor {
    private var scan: JSONScanner

    init(_ bytes: [UInt8]) { scan = JSONScanner(bytes) }

    var bytes: [UInt8] { scan.bytes }
    var place: Int {
        get { scan.at }
        set { scan.at = newValue }
    }

    static var malformed: FunctionFailure { FunctionFailure("A column that should contain JSON does not") }

    /// The next byte that is not a space.
    mutating func next() throws(FunctionFailure) -> UInt8 {
        scan.skipSpace()
        guard !scan.isAtEnd else { throw JSONCursor.malformed }
        return scan.byte
    }

    mutating func skip(_ wanted: Unicode.Scalar) throws(FunctionFailure) {
        scan.skipSpace()
        guard scan.take(UInt8(ascii: wanted)) else { throw JSONCursor.malformed }
    }

    /// Advances to the value of a key; false if this is not an object, or has no such key.
    mutating func enter(_ key: [UInt8]) throws(FunctionFailure) -> Bool {
        guard try next() == UInt8(ascii: "{") else { return false }
        place += 1
        while try next() != UInt8(ascii: "}") {
            let name = try text()
            try skip(":")
            if name == key { return true }
            try skipValue()
            if try next() == UInt8(ascii: ",") { place += 1 }
        }
        return false
    }

    /// The current value; nil for null, an object and an array.
    mutating func value() throws(FunctionFailure) -> DatabaseValue? {
        switch try next() {
        case UInt8(ascii: "\""):
            guard let text = String(validating: try text(), as: UTF8.self) else { throw JSONCursor.malformed }
            return .text(text)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return nil
        default: break
        }
        let start = place
        try skipValue()
        let word = String(decoding: bytes[start..<place], as: UTF8.self)
        switch word {
        case "true": return .integer(1)
        case "false": return .integer(0)
        case "null": return nil
        default: break
        }
        if let number = Int64(word) { return .integer(number) }
        guard let number = Double(word) else { throw JSONCursor.malformed }
        return .real(number)
    }

    /// Advances past a value, whatever is nested in it.
    mutating func skipValue() throws(FunctionFailure) {
        var depth = 0
        repeat {
            switch try next() {
            case UInt8(ascii: "\""): _ = try text()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                place += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard depth > 0 else { throw JSONCursor.malformed }
                place += 1
            default:
                // A control character is not part of any value: reading it as an empty value would never end.
                guard !JSONCursor.ends(bytes[place]) else { throw JSONCursor.malformed }
                while place < bytes.count, !JSONCursor.ends(bytes[place]) { place += 1 }
            }
        } while depth > 0
    }

    private static func ends(_ byte: UInt8) -> Bool {
        byte <= 0x20 || [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":")].contains(byte)
    }

    /// The current quoted string; control characters and unnecessary escapes are accepted.
    mutating func text() throws(FunctionFailure) -> [UInt8] {
        try skip("\"")
        var text: [UInt8] = []
        while true {
            let start = place
            _ = scan.skipPlainText()
            text += bytes[start..<place]
            guard !scan.isAtEnd else { throw JSONCursor.malformed }
            let byte = scan.byte
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return text
            case UInt8(ascii: "\\"): text += try escaped()
            default: text.append(byte)
            }
        }
    }

    /// The meaning of a backslash and the current letter.
    private mutating func escaped() throws(FunctionFailure) -> [UInt8] {
        guard !scan.isAtEnd else { throw JSONCursor.malformed }
        let byte = scan.byte
        place += 1
        guard byte == UInt8(ascii: "u") else { return [JSONScanner.unescaped(byte) ?? byte] }
        var units = [try codeUnit()]
        if UTF16.isLeadSurrogate(units[0]), bytes[place...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
            place += 2
            units.append(try codeUnit())
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private mutating func codeUnit() throws(FunctionFailure) -> UInt16 {
        guard let unit = scan.takeCodeUnit() else { throw JSONCursor.malformed }
        return unit
    }
}
