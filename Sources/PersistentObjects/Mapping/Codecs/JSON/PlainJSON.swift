// JSON: reads the JSON in columns that this library has written. It knows what `JSONDecoder` returns, and must leave to
// it every case that is not certain.

internal import StoreEngine

/// A scanned JSON text: its values in document order.
///
/// It accepts the output of the library's encoder, and a little more: ASCII names in sorted order without duplicates;
/// the short escapes; numbers in the JSON grammar. Everything else, including invalid JSON, is left to `JSONDecoder`.
struct PlainJSON {
    enum Kind: UInt8 {
        case null, bool, number
        /// Of ASCII, without escapes.
        case text
        /// With other characters: UTF-8 is validated when it is read.
        case otherText
        case array, object
    }

    /// A value. The contents of a container follow it, in an object each name before its value.
    struct Value {
        let kind: Kind
        /// The range of its bytes; for a string, without its quotation marks.
        let start: Int32
        fileprivate(set) var end: Int32
        /// The number of values, or pairs of a name and a value, in it.
        fileprivate(set) var count: Int32 = 0
        /// The place of the value after it and its contents.
        fileprivate(set) var next: Int32
    }

    private var scan: JSONScanner
    private(set) var values: [Value] = []

    var bytes: [UInt8] { scan.bytes }

    /// The maximum container nesting; `JSONDecoder` accepts more.
    private static let deepest = 64

    /// Nil for an unsupported text.
    init?(_ bytes: [UInt8]) {
        // Places are 32-bit numbers.
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

    /// Whether a name sorts before another name, so that there are no duplicates.
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
