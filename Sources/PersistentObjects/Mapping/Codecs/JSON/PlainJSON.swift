// JSON: reads the JSON in columns that this library has written. It knows what `JSONDecoder` answers, and must leave
// to that whatever it is not sure of.

/// A JSON text, taken apart: its values in the order in which they stand.
///
/// Taken is what the library's encoder writes, and a little more: names of
/// ASCII in their order, none twice; the short escapes; numbers as the grammar
/// has them. The rest, and all that is wrong, is for `JSONDecoder`.
///
/// It does not use `JSONScanner`: over that it took an eighth more instructions.
struct PlainJSON {
    enum Kind: UInt8 {
        case null, bool, number
        /// Of ASCII, without escapes.
        case text
        /// With anything that is none: valid UTF-8 is seen when it is read.
        case otherText
        case array, object
    }

    /// A value. What is in a container follows it, in an object each name before its value.
    struct Value {
        let kind: Kind
        /// Where its bytes begin and end: a text's without its quotes.
        let start: Int32
        fileprivate(set) var end: Int32
        /// How many values, or pairs of a name and a value, are in it.
        fileprivate(set) var count: Int32 = 0
        /// The place of the value behind it and all that is in it.
        fileprivate(set) var next: Int32
    }

    let bytes: [UInt8]
    private(set) var values: [Value] = []
    /// The place of the byte that is looked at.
    private var at = 0

    /// So many containers in one another; `JSONDecoder` takes more.
    private static let deepest = 64

    /// Nil for a text that is not taken.
    init?(_ bytes: [UInt8]) {
        // Places are numbers of 32 bits.
        guard bytes.count < 1 << 30 else { return nil }
        self.bytes = bytes
        values.reserveCapacity(16)
        skipSpace()
        guard scanValue(depth: 0) else { return nil }
        skipSpace()
        guard at == bytes.count else { return nil }
    }

    /// The byte that is looked at; 0, which no text has outside of its strings, at the end.
    private var byte: UInt8 { at < bytes.count ? bytes[at] : 0 }

    private mutating func skip(_ expected: UInt8) -> Bool {
        guard byte == expected else { return false }
        at += 1
        return true
    }

    private mutating func skipSpace() {
        while byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { at += 1 }
    }

    private mutating func add(_ kind: Kind, from start: Int) {
        values.append(Value(kind: kind, start: Int32(start), end: Int32(at), next: Int32(values.count + 1)))
    }

    private mutating func scanValue(depth: Int) -> Bool {
        guard depth < PlainJSON.deepest else { return false }
        return switch byte {
        case UInt8(ascii: "{"): scanContainer(.object, depth, end: UInt8(ascii: "}"))
        case UInt8(ascii: "["): scanContainer(.array, depth, end: UInt8(ascii: "]"))
        case UInt8(ascii: "\""): scanText()
        case UInt8(ascii: "t"): scan([0x74, 0x72, 0x75, 0x65], .bool)
        case UInt8(ascii: "f"): scan([0x66, 0x61, 0x6c, 0x73, 0x65], .bool)
        case UInt8(ascii: "n"): scan([0x6e, 0x75, 0x6c, 0x6c], .null)
        default: scanNumber()
        }
    }

    private mutating func scan(_ word: [UInt8], _ kind: Kind) -> Bool {
        let start = at
        for letter in word { guard skip(letter) else { return false } }
        add(kind, from: start)
        return true
    }

    // MARK: Containers

    private mutating func scanContainer(_ kind: Kind, _ depth: Int, end: UInt8) -> Bool {
        let place = values.count
        add(kind, from: at)
        at += 1
        skipSpace()
        var count: Int32 = 0
        var isOver = skip(end)
        var lastName: Value?
        while !isOver {
            if kind == .object {
                guard let name = scanName(after: lastName) else { return false }
                lastName = name
            }
            guard scanValue(depth: depth + 1) else { return false }
            count += 1
            skipSpace()
            isOver = skip(end)
            guard isOver || skip(UInt8(ascii: ",")) else { return false }
            if !isOver { skipSpace() }
        }
        values[place].end = Int32(at)
        values[place].count = count
        values[place].next = Int32(values.count)
        return true
    }

    /// A name and the colon behind it.
    private mutating func scanName(after last: Value?) -> Value? {
        guard byte == UInt8(ascii: "\""), scanText(), let name = values.last, name.kind == .text else { return nil }
        if let last, !isLess(last, name) { return nil }
        skipSpace()
        guard skip(UInt8(ascii: ":")) else { return nil }
        skipSpace()
        return name
    }

    /// Whether a name comes before another one, so that none stands twice.
    private func isLess(_ one: Value, _ other: Value) -> Bool {
        var (left, right) = (Int(one.start), Int(other.start))
        while right < other.end {
            if left == one.end { return true }
            if bytes[left] != bytes[right] { return bytes[left] < bytes[right] }
            left += 1
            right += 1
        }
        return false
    }

    // MARK: Texts and numbers

    private mutating func scanText() -> Bool {
        at += 1
        let start = at
        var kind = Kind.text
        while at < bytes.count {
            let byte = bytes[at]
            switch byte {
            case UInt8(ascii: "\""):
                add(kind, from: start)
                at += 1
                return true
            case UInt8(ascii: "\\"):
                kind = .otherText
                at += 1
                guard PlainJSON.unescaped(self.byte) != nil else { return false }
            case 0x80...: kind = .otherText
            case 0..<0x20: return false
            default: break
            }
            at += 1
        }
        return false
    }

    /// What a letter behind a backslash stands for; not those that are numbers.
    static func unescaped(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0c
        default: nil
        }
    }

    private mutating func scanNumber() -> Bool {
        let start = at
        _ = skip(UInt8(ascii: "-"))
        guard skip(UInt8(ascii: "0")) || skipDigits() else { return false }
        if skip(UInt8(ascii: ".")) { guard skipDigits() else { return false } }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            _ = skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-"))
            guard skipDigits() else { return false }
        }
        add(.number, from: start)
        return true
    }

    private mutating func skipDigits() -> Bool {
        let start = at
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
        return at > start
    }
}
