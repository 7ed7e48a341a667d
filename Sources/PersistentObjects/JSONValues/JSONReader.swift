/// Reads JSON, strictly (RFC 8259), and keeps numbers as they are written.
///
/// Foundation's reader rounds numbers of more than 38 digits, takes the last of
/// two members with one name without a word, and cannot begin in the middle of
/// a file: what is read here is what was written, or an error.
package struct JSONReader {
    /// What is wrong, and at which byte.
    package struct Fault: Error {
        package let message: String
        package let offset: Int
    }

    private let bytes: ArraySlice<UInt8>
    private var place: Int
    private var depth = 0

    /// Deeper than any value that Foundation's decoder would take, and no danger for a small stack.
    private static let deepest = 500

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    /// The one value that some bytes are.
    package static func value(of bytes: ArraySlice<UInt8>) throws(Fault) -> JSONValue {
        var reader = JSONReader(bytes)
        let value = try reader.value()
        reader.skipSpace()
        guard reader.place == bytes.endIndex else { throw reader.fault("something follows the value") }
        return value
    }

    private var next: UInt8? { place < bytes.endIndex ? bytes[place] : nil }

    private func fault(_ message: String) -> Fault { Fault(message: message, offset: place - bytes.startIndex) }

    package static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private mutating func skipSpace() {
        while place < bytes.endIndex, JSONReader.isSpace(bytes[place]) { place += 1 }
    }

    private mutating func value() throws(Fault) -> JSONValue {
        skipSpace()
        switch next {
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "{"): return try nested { (reader) throws(Fault) in try reader.object() }
        case UInt8(ascii: "["): return try nested { (reader) throws(Fault) in try reader.list() }
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw fault("the JSON ends where a value is wanted")
        case let byte? where byte == UInt8(ascii: "-") || JSONReader.isDigit(byte): return .number(try number())
        default: throw fault("a value is wanted here")
        }
    }

    private mutating func nested(
        _ body: (inout JSONReader) throws(Fault) -> JSONValue
    ) throws(Fault) -> JSONValue {
        guard depth < JSONReader.deepest else { throw fault("the JSON is nested deeper than \(JSONReader.deepest)") }
        depth += 1
        place += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Fault) -> JSONValue {
        let text = word.description.utf8
        guard bytes[place...].starts(with: text) else { throw fault("a value is wanted here") }
        place += text.count
        return value
    }

    private mutating func list() throws(Fault) -> JSONValue {
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .list([]) }
        while true {
            elements.append(try value())
            skipSpace()
            if take(UInt8(ascii: "]")) { return .list(elements) }
            guard take(UInt8(ascii: ",")) else { throw fault("a comma or ] is wanted here") }
        }
    }

    private mutating func object() throws(Fault) -> JSONValue {
        var members: [JSONValue.Member] = []
        // Few names are compared one by one, many by their hashes.
        var names: Set<String> = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object([]) }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault("a name in quotes is wanted here") }
            let start = place
            let name = try text()
            if members.count == 16 { names = Set(members.map(\.name)) }
            let isKnown = members.count < 16 ? members.contains { $0.name == name } : !names.insert(name).inserted
            guard !isKnown else {
                place = start
                throw fault("the name \"\(VisibleText.of(name, 60))\" is there twice")
            }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw fault("a colon is wanted here") }
            members.append(JSONValue.Member(name: name, value: try value()))
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw fault("a comma or } is wanted here") }
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        place += 1
        return true
    }
}

// Numbers and texts.
extension JSONReader {
    private mutating func digits() throws(Fault) {
        let start = place
        while let byte = next, JSONReader.isDigit(byte) { place += 1 }
        guard place > start else { throw fault("a digit is wanted here") }
    }

    private mutating func number() throws(Fault) -> String {
        let start = place
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func text() throws(Fault) -> String {
        place += 1
        let start = place
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { place += 1 }
        guard next != UInt8(ascii: "\"") else {
            place += 1
            return try string(bytes[start..<place - 1])
        }
        var made = Array(bytes[start..<place])
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return try string(made[...])
            case UInt8(ascii: "\\"): try escape(&made)
            case 0..<0x20:
                place -= 1
                throw fault("a control character in a text must be written as an escape")
            default: made.append(byte)
            }
        }
        throw fault("a text has no end")
    }

    private func string(_ bytes: ArraySlice<UInt8>) throws(Fault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw fault("a text is not valid UTF-8") }
        return text
    }

    private mutating func escape(_ made: inout [UInt8]) throws(Fault) {
        guard let byte = next else { throw fault("a text has no end") }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): made.append(byte)
        case UInt8(ascii: "b"): made.append(0x08)
        case UInt8(ascii: "f"): made.append(0x0C)
        case UInt8(ascii: "n"): made.append(0x0A)
        case UInt8(ascii: "r"): made.append(0x0D)
        case UInt8(ascii: "t"): made.append(0x09)
        case UInt8(ascii: "u"): made.append(contentsOf: String(Character(try scalar())).utf8)
        default:
            place -= 1
            throw fault("there is no such escape")
        }
    }

    private mutating func scalar() throws(Fault) -> Unicode.Scalar {
        let first = try unit()
        if let scalar = Unicode.Scalar(UInt32(first)) { return scalar }
        guard UTF16.isLeadSurrogate(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw fault("half of a surrogate pair is no character")
        }
        let second = try unit()
        guard UTF16.isTrailSurrogate(second) else { throw fault("half of a surrogate pair is no character") }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private mutating func unit() throws(Fault) -> UInt16 {
        let end = place + 4
        guard end <= bytes.endIndex, bytes[place..<end].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: bytes[place..<end], as: UTF8.self), radix: 16)
        else { throw fault("four hexadecimal digits are wanted here") }
        place = end
        return unit
    }
}
