/// Reads JSON strictly (RFC 8259) and keeps numbers as they are written.
///
/// Foundation's reader rounds numbers of more than 38 digits, silently uses the last of two members with one name, and
/// cannot start in the middle of a file. This reader returns exactly the written JSON, or throws.
package struct JSONReader {
    /// An error and its byte offset.
    package struct Fault: Error {
        package let message: String
        package let offset: Int
    }

    private var scan: JSONScanner
    private var depth = 0

    /// The maximum nesting depth, which is safe on a small stack.
    private static let deepest = 500

    private init(_ bytes: ArraySlice<UInt8>) { scan = JSONScanner(Array(bytes)) }

    /// The JSON value that the bytes contain, which must be the only value.
    package static func value(of bytes: ArraySlice<UInt8>) throws(Fault) -> JSONValue {
        var reader = JSONReader(bytes)
        let value = try reader.value()
        reader.skipSpace()
        guard reader.scan.isAtEnd else { throw reader.fault("unexpected characters after the value") }
        return value
    }

    private func fault(_ message: String) -> Fault { Fault(message: message, offset: scan.at) }

    package static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private mutating func skipSpace() { scan.skipSpace() }

    private mutating func value() throws(Fault) -> JSONValue {
        skipSpace()
        switch scan.byte {
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "{"): return try nested { (reader) throws(Fault) in try reader.object() }
        case UInt8(ascii: "["): return try nested { (reader) throws(Fault) in try reader.list() }
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default: throw fault(scan.isAtEnd ? "the JSON ends where a value is expected" : "expected a value")
        }
    }

    private mutating func nested(
        _ body: (inout JSONReader) throws(Fault) -> JSONValue
    ) throws(Fault) -> JSONValue {
        guard depth < JSONReader.deepest else {
            throw fault("the JSON is nested more than \(JSONReader.deepest) levels deep")
        }
        depth += 1
        scan.at += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(Fault) -> JSONValue {
        guard scan.take(word: word) else { throw fault("expected a value") }
        return value
    }

    private mutating func list() throws(Fault) -> JSONValue {
        var elements: [JSONValue] = []
        skipSpace()
        if scan.take(UInt8(ascii: "]")) { return .list([]) }
        while true {
            elements.append(try value())
            skipSpace()
            if scan.take(UInt8(ascii: "]")) { return .list(elements) }
            guard scan.take(UInt8(ascii: ",")) else { throw fault("expected a comma or ]") }
        }
    }

    private mutating func object() throws(Fault) -> JSONValue {
        var members: [JSONValue.Member] = []
        // A few names are compared one by one, many names by their hashes.
        var names: Set<String> = []
        skipSpace()
        if scan.take(UInt8(ascii: "}")) { return .object([]) }
        while true {
            skipSpace()
            guard scan.byte == UInt8(ascii: "\"") else { throw fault("expected a name in quotes") }
            let start = scan.at
            let name = try text()
            if members.count == 16 { names = Set(members.map(\.name)) }
            let isKnown = members.count < 16 ? members.contains { $0.name == name } : !names.insert(name).inserted
            guard !isKnown else {
                scan.at = start
                throw fault("the name \"\(VisibleText.of(name, 60))\" occurs twice")
            }
            skipSpace()
            guard scan.take(UInt8(ascii: ":")) else { throw fault("expected a colon") }
            members.append(JSONValue.Member(name: name, value: try value()))
            skipSpace()
            if scan.take(UInt8(ascii: "}")) { return .object(members) }
            guard scan.take(UInt8(ascii: ",")) else { throw fault("expected a comma or }") }
        }
    }
}

// Numbers and strings.
extension JSONReader {
    private mutating func number() throws(Fault) -> String {
        let start = scan.at
        guard scan.skipNumber() else { throw fault("expected a digit") }
        return String(decoding: scan.bytes[start..<scan.at], as: UTF8.self)
    }

    private mutating func text() throws(Fault) -> String {
        scan.at += 1
        let start = scan.at
        _ = scan.skipPlainText()
        if scan.take(UInt8(ascii: "\"")) { return try string(scan.bytes[start..<scan.at - 1]) }
        var made = Array(scan.bytes[start..<scan.at])
        while !scan.isAtEnd {
            if scan.take(UInt8(ascii: "\"")) { return try string(made[...]) }
            if scan.take(UInt8(ascii: "\\")) {
                try escape(&made)
            } else if scan.byte < 0x20 {
                throw fault("a control character in a string must be escaped")
            } else {
                let start = scan.at
                _ = scan.skipPlainText()
                made += scan.bytes[start..<scan.at]
            }
        }
        throw fault("a string is not terminated")
    }

    private func string(_ bytes: ArraySlice<UInt8>) throws(Fault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw fault("a string is not valid UTF-8") }
        return text
    }

    private mutating func escape(_ made: inout [UInt8]) throws(Fault) {
        guard !scan.isAtEnd else { throw fault("a string is not terminated") }
        if let byte = JSONScanner.unescaped(scan.byte) {
            scan.at += 1
            made.append(byte)
        } else if scan.take(UInt8(ascii: "u")) {
            made.append(contentsOf: String(Character(try scalar())).utf8)
        } else {
            throw fault("unknown escape sequence")
        }
    }

    private mutating func scalar() throws(Fault) -> Unicode.Scalar {
        let first = try unit()
        if let scalar = Unicode.Scalar(UInt32(first)) { return scalar }
        guard UTF16.isLeadSurrogate(first), scan.take(UInt8(ascii: "\\")), scan.take(UInt8(ascii: "u")) else {
            throw fault("half of a surrogate pair is not a character")
        }
        let second = try unit()
        guard UTF16.isTrailSurrogate(second) else { throw fault("half of a surrogate pair is not a character") }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private mutating func unit() throws(Fault) -> UInt16 {
        guard let unit = scan.takeCodeUnit() else { throw fault("expected four hexadecimal digits") }
        return unit
    }
}
