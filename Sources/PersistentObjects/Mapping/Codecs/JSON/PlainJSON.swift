// JSON: reads the JSON in columns that this library wrote. It knows what `JSONDecoder` returns, and must leave every
// uncertain case to `JSONDecoder`.

@_spi(JSON) internal import StoreEngine

/// A scanned JSON text: its values in document order.
///
/// It accepts the output of the library's encoder, and a little more: ASCII names in sorted order without duplicates;
/// the short escapes; numbers in the JSON grammar. Everything else, including invalid JSON, is left to `JSONDecoder`.
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

    private var scan: JSONScanner
    private(set) var values: [Value] = []

    /// The maximum container nesting; `JSONDecoder` accepts more.
    private static let deepest = 64

    /// Nil for an unsupported text.
    init?(_ bytes: [UInt8]) {
        // Byte positions are stored as 32-bit integers.
        guard bytes.count < 1 << 30 else { return nil }
        scan = JSONScanner(bytes)
        values.reserveCapacity(16)
        scan.skipSpace()
        guard scanValue(depth: 0) else { return nil }
        scan.skipSpace()
        guard scan.isAtEnd else { return nil }
    }

    var bytes: [UInt8] { scan.bytes }

    private mutating func add(_ kind: Kind, from start: Int) {
        values.append(Value(kind: kind, start: Int32(start), end: Int32(scan.at), next: Int32(values.count + 1)))
    }

    private mutating func scanValue(depth: Int) -> Bool {
        guard depth < PlainJSON.deepest else { return false }
        return switch scan.byte {
        case UInt8(ascii: "{"): scanContainer(.object, depth, end: UInt8(ascii: "}"))
        case UInt8(ascii: "["): scanContainer(.array, depth, end: UInt8(ascii: "]"))
        case UInt8(ascii: "\""): scanText()
        case UInt8(ascii: "t"): scanWord([0x74, 0x72, 0x75, 0x65], .bool)
        case UInt8(ascii: "f"): scanWord([0x66, 0x61, 0x6c, 0x73, 0x65], .bool)
        case UInt8(ascii: "n"): scanWord([0x6e, 0x75, 0x6c, 0x6c], .null)
        default: scanNumber()
        }
    }

    private mutating func scanWord(_ word: [UInt8], _ kind: Kind) -> Bool {
        let start = scan.at
        for letter in word { guard scan.take(letter) else { return false } }
        add(kind, from: start)
        return true
    }

    // MARK: Containers

    private mutating func scanContainer(_ kind: Kind, _ depth: Int, end: UInt8) -> Bool {
        let place = values.count
        add(kind, from: scan.at)
        scan.at += 1
        scan.skipSpace()
        var count: Int32 = 0
        var isOver = scan.take(end)
        var lastName: Value?
        while !isOver {
            if kind == .object {
                guard let name = scanName(after: lastName) else { return false }
                lastName = name
            }
            guard scanValue(depth: depth + 1) else { return false }
            count += 1
            scan.skipSpace()
            isOver = scan.take(end)
            guard isOver || scan.take(UInt8(ascii: ",")) else { return false }
            if !isOver { scan.skipSpace() }
        }
        values[place].end = Int32(scan.at)
        values[place].count = count
        values[place].next = Int32(values.count)
        return true
    }

    /// A name and the following colon.
    private mutating func scanName(after last: Value?) -> Value? {
        guard scan.byte == UInt8(ascii: "\""), scanText(), let name = values.last, name.kind == .text else {
            return nil
        }
        if let last, !isLess(last, name) { return nil }
        scan.skipSpace()
        guard scan.take(UInt8(ascii: ":")) else { return nil }
        scan.skipSpace()
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
        scan.at += 1
        let start = scan.at
        var kind = Kind.text
        while scan.at < bytes.count {
            let byte = bytes[scan.at]
            switch byte {
            case UInt8(ascii: "\""):
                add(kind, from: start)
                scan.at += 1
                return true
            case UInt8(ascii: "\\"):
                kind = .otherText
                scan.at += 1
                guard JSONScanner.unescaped(scan.byte) != nil else { return false }
            case 0x80...: kind = .otherText
            case 0..<0x20: return false
            default: break
            }
            scan.at += 1
        }
        return false
    }

    private mutating func scanNumber() -> Bool {
        let start = scan.at
        guard scan.skipNumber() else { return false }
        add(.number, from: start)
        return true
    }
}
