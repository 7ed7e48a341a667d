/// Goes through the bytes of a JSON document, as far as it is asked.
struct JSONCursor {
    let bytes: [UInt8]
    var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static var malformed: FunctionFailure { FunctionFailure("A column that should contain JSON does not") }

    /// The next byte that is no space.
    mutating func next() throws(FunctionFailure) -> UInt8 {
        while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
        guard place < bytes.count else { throw JSONCursor.malformed }
        return bytes[place]
    }

    mutating func skip(_ wanted: Unicode.Scalar) throws(FunctionFailure) {
        guard try next() == UInt8(ascii: wanted) else { throw JSONCursor.malformed }
        place += 1
    }

    /// Goes to the value of a key; false where this is no object, or has no such key.
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

    /// The value that stands here; nil for null, an object and an array.
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

    /// Goes behind a value, whatever is nested in it.
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
                // A control character is part of no value: reading it as an empty one would never end.
                guard !JSONCursor.ends(bytes[place]) else { throw JSONCursor.malformed }
                while place < bytes.count, !JSONCursor.ends(bytes[place]) { place += 1 }
            }
        } while depth > 0
    }

    private static func ends(_ byte: UInt8) -> Bool {
        byte <= 0x20 || [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":")].contains(byte)
    }

    /// The text in quotation marks that stands here.
    mutating func text() throws(FunctionFailure) -> [UInt8] {
        try skip("\"")
        var text: [UInt8] = []
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "\\") { text += try escaped() } else { text.append(byte) }
        }
        try skip("\"")
        return text
    }

    /// What a backslash and the letter that stands here mean.
    private mutating func escaped() throws(FunctionFailure) -> [UInt8] {
        guard place < bytes.count else { throw JSONCursor.malformed }
        place += 1
        switch Unicode.Scalar(bytes[place - 1]) {
        case "b": return [0x08]
        case "f": return [0x0C]
        case "n": return [0x0A]
        case "r": return [0x0D]
        case "t": return [0x09]
        case "u": break
        default: return [bytes[place - 1]]
        }
        var units = [try codeUnit()]
        if UTF16.isLeadSurrogate(units[0]), place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\") {
            place += 2
            units.append(try codeUnit())
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private mutating func codeUnit() throws(FunctionFailure) -> UInt16 {
        let end = place + 4
        guard end <= bytes.count, let unit = UInt16(String(decoding: bytes[place..<end], as: UTF8.self), radix: 16)
        else {
            throw JSONCursor.malformed
        }
        place = end
        return unit
    }
}
