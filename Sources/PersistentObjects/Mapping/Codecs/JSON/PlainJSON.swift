// JSON: reads the JSON in columns that this library has written. It knows what `JSONDecoder` answers, and must leave
// to that whatever it is not sure of.

internal import StoreEngine

/// A JSON text, taken apart: its values in the order in which they stand.
///
/// Taken is what the library's encoder writes, and a little more: names of
/// ASCII in their order, none twice; the short escapes; numbers as the grammar
/// has them. The rest, and all that is wrong, is for `JSONDecoder`.
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

    private var scan: JSONScanner
    private(set) var values: [Value] = []

    var bytes: [UInt8] { scan.bytes }

    /// So many containers in one another; `JSONDecoder` takes more.
    private static let deepest = 64

    /// Nil for a text that is not taken.
    init?(_ bytes: [UInt8]) {
        // Places are numbers of 32 bits.
        guard bytes.count < 1 << 30 else { return nil }
        scan = JSONScanner(bytes)
        values.reserveCapacity(16)
        scan.skipSpace()
        guard scanValue(depth: 0) else { return nil }
        scan.skipSpace()
        guard scan.isAtEnd else { return nil }
    }

    private mutating func add(_ kind: Kind, from start: Int) {
        values.append(Value(kind: kind, start: Int32(start), end: Int32(scan.at), next: Int32(values.count + 1)))
    }

    private mutating func scanValue(depth: Int) -> Bool {
        guard depth < PlainJSON.deepest else { return false }
        return switch scan.byte {
        case UInt8(ascii: "{"): scanContainer(.object, depth, end: UInt8(ascii: "}"))
        case UInt8(ascii: "["): scanContainer(.array, depth, end: UInt8(ascii: "]"))
        case UInt8(ascii: "\""): scanText()
        case UInt8(ascii: "t"): scanWord("true", .bool)
        case UInt8(ascii: "f"): scanWord("false", .bool)
        case UInt8(ascii: "n"): scanWord("null", .null)
        default: scanNumber()
        }
    }

    private mutating func scanWord(_ word: String, _ kind: Kind) -> Bool {
        let start = scan.at
        guard scan.take(word: word) else { return false }
        add(kind, from: start)
        return true
    }

    private mutating func scanNumber() -> Bool {
        let start = scan.at
        guard scan.skipNumber() else { return false }
        add(.number, from: start)
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

    /// A name and the colon behind it.
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

    // MARK: Texts

    private mutating func scanText() -> Bool {
        scan.at += 1
        let start = scan.at
        var kind = Kind.text
        while true {
            if !scan.skipPlainText() { kind = .otherText }
            switch scan.byte {
            case UInt8(ascii: "\""):
                add(kind, from: start)
                scan.at += 1
                return true
            case UInt8(ascii: "\\"):
                kind = .otherText
                scan.at += 1
                guard JSONScanner.unescaped(scan.byte) != nil else { return false }
                scan.at += 1
            default: return false
            }
        }
    }
}
