/// SQL split into tokens like SQLite's own tokenizer; a token is a range of bytes.
///
/// It does not interpret the text: it only distinguishes names, strings, comments and numbers.
package struct SQLTokens: IteratorProtocol {
    package enum Kind: Sendable, Equatable {
        case space, comment, semicolon, dot, comma, open, close
        /// A keyword, or a name without quotes.
        case word
        /// A name in double quotes, backticks or brackets.
        case quotedName
        case text, number, placeholder
        case other
    }

    package struct Token: Sendable {
        package let kind: Kind
        package let range: Range<Int>
    }

    package let bytes: [UInt8]
    private var place = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next token; nil at the end.
    package mutating func next() -> Token? {
        guard place < bytes.count else { return nil }
        let start = place
        let kind = read()
        // It always advances.
        place = max(place, start + 1)
        return Token(kind: kind, range: start..<place)
    }

    private func byte(_ offset: Int = 0) -> UInt8? { place + offset < bytes.count ? bytes[place + offset] : nil }

    private mutating func skip(while isWanted: (UInt8) -> Bool) {
        while let byte = byte(), isWanted(byte) { place += 1 }
    }

    private mutating func read() -> Kind {
        let first = bytes[place]
        switch first {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0C:
            skip { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
            return .space
        case 0xEF where byte(1) == 0xBB && byte(2) == 0xBF:
            place += 3
            return .space
        case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"):
            skip { $0 != UInt8(ascii: "\n") && $0 != 0 }
            return .comment
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): return readBlockComment()
        case UInt8(ascii: ";"): return one(.semicolon)
        case UInt8(ascii: ","): return one(.comma)
        case UInt8(ascii: "("): return one(.open)
        case UInt8(ascii: ")"): return one(.close)
        case UInt8(ascii: "'"): return quoted(by: first, .text)
        case UInt8(ascii: "\""), UInt8(ascii: "`"): return quoted(by: first, .quotedName)
        case UInt8(ascii: "["):
            skip { $0 != UInt8(ascii: "]") }
            guard byte() != nil else { return .other }
            return one(.quotedName)
        case UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "$"):
            place += 1
            skip(while: SQLTokens.continuesName)
            return .placeholder
        case UInt8(ascii: "."):
            guard let next = byte(1), SQLTokens.isDigit(next) else { return one(.dot) }
            return number()
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            guard byte(1) == UInt8(ascii: "'") else { return word() }
            place += 1
            return quoted(by: UInt8(ascii: "'"), .text)
        default:
            if SQLTokens.isDigit(first) { return number() }
            return SQLTokens.continuesName(first) ? word() : one(.other)
        }
    }

    private mutating func one(_ kind: Kind) -> Kind {
        place += 1
        return kind
    }

    private mutating func word() -> Kind {
        skip(while: SQLTokens.continuesName)
        return .word
    }

    private mutating func number() -> Kind {
        var last: UInt8 = 0
        let point = UInt8(ascii: ".")
        let isHex = byte(1).map { $0 | 0x20 } == UInt8(ascii: "x")
        while let next = byte() {
            let isSign = next == UInt8(ascii: "+") || next == UInt8(ascii: "-")
            guard SQLTokens.continuesName(next) || next == point || (isSign && !isHex && last | 0x20 == 0x65) else {
                break
            }
            last = next
            place += 1
        }
        return .number
    }

    private mutating func readBlockComment() -> Kind {
        place += 2
        while let next = byte() {
            if next == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
                place += 2
                break
            }
            place += 1
        }
        return .comment
    }

    /// Up to the first quote that is not doubled; to the end if there is none.
    private mutating func quoted(by quote: UInt8, _ kind: Kind) -> Kind {
        place += 1
        while let next = byte() {
            place += 1
            guard next == quote else { continue }
            if byte() == quote { place += 1 } else { return kind }
        }
        return .other
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func continuesName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

extension SQLTokens {
    /// The name of a token, without its quotes.
    package func name(_ token: Token) -> String? {
        switch token.kind {
        case .word: return String(decoding: bytes[token.range], as: UTF8.self)
        case .quotedName:
            let quote = bytes[token.range.lowerBound]
            var inner: [UInt8] = []
            var isDoubled = false
            for byte in bytes[token.range].dropFirst().dropLast() {
                if byte == quote, quote != UInt8(ascii: "["), !isDoubled {
                    isDoubled = true
                    continue
                }
                isDoubled = false
                inner.append(byte)
            }
            return String(decoding: inner, as: UTF8.self)
        default: return nil
        }
    }

    /// The text of a range of bytes.
    package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
