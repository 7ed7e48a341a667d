// JSON: reads the JSON in columns that this library wrote. It knows what `JSONDecoder` returns, and must leave every
// uncertain case to `JSONDecoder`.

/// A scanned JSON text: its values in document order.
///
/// It accepts the output of the library's encoder, and a little more: ASCII names in sorted order without duplicates;
/// the short escapes; numbers in the JSON grammar. Everything else, including invalid JSON, is left to `JSONDecoder`.
///
/// It does not use `JSONScanner`, because that took an eighth more instructions.
struct PlainJSON {
    enum Kind: UInt8 {
        case null, bool, number
        /// A string of ASCII without escapes.
        case text
        /// A string with other characters, whose UTF-8 is validated when it is read.
        case otherText
        case array, object
    }

    /// A value. The contents of a container follow the container; in an object, each name is before its value.
    struct Value {
        let kind: Kind
        /// The range of its bytes; for a string, without its quotation marks.
        let start: Int32
        fileprivate(set) var end: Int32
        /// The number of values in an array, or of names in an object.
        fileprivate(set) var count: Int32 = 0
        /// The place of the next value after this value and its contents.
        fileprivate(set) var next: Int32
    }

    let bytes: [UInt8]
    private(set) var values: [Value] = []
    /// The position of the current byte.
    private var at = 0

    /// The maximum container nesting; `JSONDecoder` accepts more.
    private static let deepest = 64

    /// Nil for an unsupported text.
    init?(_ bytes: [UInt8]) {
        // Byte positions are stored as 32-bit integers.
        guard bytes.count < 1 << 30 else { return nil }
        self.bytes = bytes
        values.reserveCapacity(16)
        skipSpace()
        guard scanValue(depth: 0) else { return nil }
        skipSpace()
        guard at == bytes.count else { return nil }
    }

    /// The current byte; 0 at the end, because valid JSON contains no byte 0.
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

    /// A name and the following colon.
    private mutating func scanName(after last: Value?) -> Value? {
        guard byte == UInt8(ascii: "\""), scanText(), let name = values.last, name.kind == .text else { return nil }
        if let last, !isLess(last, name) { return nil }
        skipSpace()
        guard skip(UInt8(ascii: ":")) else { return nil }
        skipSpace()
        return name
    }

    /// Whether a name sorts before another name; sorted names have no duplicates.
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

    /// The meaning of an escaped letter; nil for `u` and for invalid escapes.
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
