/// The tokens of a Swift file, as far as names and braces need them.
///
/// Comments and the contents of literals are skipped, except the code in interpolations.
///
/// It reads the file in one pass without recursion, so the cost is linear in the file's length.
struct SwiftTokens {
    enum Kind: UInt8 {
        case word
        /// A name in backticks, which are not part of its range.
        case quotedWord
        /// A number, string or regular expression.
        case literal
        /// A member access, not part of `...` or `..<`.
        case dot
        case openBrace
        case closeBrace
        /// Any other character, or run of dots.
        case other
    }

    struct Token {
        let kind: Kind
        let range: Range<Int>
    }

    /// A string whose interpolation is being read.
    struct Text {
        let hashes: Int
        let isMultiline: Bool
        /// The number of open parentheses in the interpolation.
        var depth = 0
    }

    let bytes: [UInt8]
    private(set) var tokens: [Token] = []
    var position = 0
    /// The strings that contain the code, outermost first.
    var texts: [Text] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if byte(0) == UInt8(ascii: "#"), byte(1) == UInt8(ascii: "!") { skipLine() }
        while position < bytes.count { readToken() }
    }

    /// The text of a token.
    func text(_ token: Token) -> String { String(decoding: bytes[token.range], as: UTF8.self) }

    /// Line and column of a byte, both from 1.
    func places(of offsets: [Int]) -> [(line: Int, column: Int)] {
        guard !offsets.isEmpty else { return [] }
        // A line ends with LF, CR LF, or CR alone.
        var starts = [0]
        for index in bytes.indices {
            let isEnd = bytes[index] == 0x0A || (bytes[index] == 0x0D && byte(index + 1) != 0x0A)
            if isEnd { starts.append(index + 1) }
        }
        return offsets.map { offset in
            var (low, high) = (0, starts.count)
            while high - low > 1 {
                let middle = (low + high) / 2
                if starts[middle] <= offset { low = middle } else { high = middle }
            }
            return (low + 1, offset - starts[low] + 1)
        }
    }

    /// The byte at a position; 0 after the end.
    func byte(_ place: Int) -> UInt8 { place < bytes.count ? bytes[place] : 0 }

    static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    mutating func add(_ kind: Kind, _ range: Range<Int>) { tokens.append(Token(kind: kind, range: range)) }

    // MARK: Code

    private mutating func readToken() {
        let start = position
        let first = bytes[start]
        switch first {
        case UInt8(ascii: " "), 0x09...0x0D, 0: position += 1
        case _ where SwiftTokens.isDigit(first):
            skipWord()
            add(.literal, start..<position)
        case _ where SwiftTokens.isInWord(first):
            skipWord()
            add(.word, start..<position)
        case UInt8(ascii: "`"): readQuotedWord()
        case UInt8(ascii: "\""): openText(hashes: 0)
        case UInt8(ascii: "#"): readHashes()
        case UInt8(ascii: "/"): readSlash()
        case UInt8(ascii: "."):
            while byte(position) == first { position += 1 }
            add(position - start == 1 ? .dot : .other, start..<position)
        case UInt8(ascii: "{"), UInt8(ascii: "}"):
            position += 1
            add(first == UInt8(ascii: "{") ? .openBrace : .closeBrace, start..<position)
        default:
            position += 1
            add(.other, start..<position)
            if !texts.isEmpty { recordBracket(first) }
        }
    }

    /// Counts a parenthesis of an interpolation. The closing parenthesis returns to the string.
    private mutating func recordBracket(_ byte: UInt8) {
        let last = texts.count - 1
        if byte == UInt8(ascii: "(") { texts[last].depth += 1 }
        guard byte == UInt8(ascii: ")") else { return }
        texts[last].depth -= 1
        if texts[last].depth == 0 { readText(texts.removeLast()) }
    }

    private mutating func skipWord() { while SwiftTokens.isInWord(byte(position)) { position += 1 } }

    private mutating func readQuotedWord() {
        var end = position + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "`"), !SwiftTokens.isLineEnd(bytes[end]) { end += 1 }
        guard byte(end) == UInt8(ascii: "`") else {
            // A name that is not closed on its line does not compile.
            position = end
            return
        }
        add(.quotedWord, position + 1..<end)
        position = end + 1
    }

    /// `#"…"#`, `#/…/#`, or the start of a directive or macro.
    private mutating func readHashes() {
        let start = position
        while byte(position) == UInt8(ascii: "#") { position += 1 }
        let hashes = position - start
        switch byte(position) {
        case UInt8(ascii: "\""): openText(hashes: hashes)
        case UInt8(ascii: "/"): readExtendedExpression(hashes: hashes, from: start)
        default: add(.other, start..<position)
        }
    }

    /// A comment, a regular expression or an operator.
    private mutating func readSlash() {
        switch byte(position + 1) {
        case UInt8(ascii: "/"): skipLine()
        case UInt8(ascii: "*"): skipComment()
        default:
            if let end = endOfExpression() {
                add(.literal, position..<end)
                position = end
            } else {
                position += 1
                add(.other, position - 1..<position)
            }
        }
    }

    mutating func skipLine() { while position < bytes.count, !SwiftTokens.isLineEnd(bytes[position]) { position += 1 } }

    /// Skips a comment, which can contain nested comments.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            switch (byte(position), byte(position + 1)) {
            case (UInt8(ascii: "/"), UInt8(ascii: "*")):
                depth += 1
                position += 2
            case (UInt8(ascii: "*"), UInt8(ascii: "/")):
                depth -= 1
                position += 2
            default: position += 1
            }
        } while depth > 0 && position < bytes.count
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// All characters beyond ASCII count as letters.
    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"), 0x30...0x39, 0x80...:
            true
        default: false
        }
    }
}
