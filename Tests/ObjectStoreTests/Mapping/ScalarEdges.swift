import Foundation
import PersistentObjects

/// A type that is stored in a column, with its extreme values and with column values that it must reject.
protocol ScalarEdges: SendableMetatype {
    static var edges: [Self] { get }
    /// Whether a column holds the same for both values; the type's `==` may differ.
    func isIdentical(to other: Self) -> Bool
    /// SQL literals that another program could store in the column, and a part of the error message for each.
    static var intruders: [(literal: String, complaint: String)] { get }
}

/// A property of a type, and an optional property of the same type.
final class Cell<T: ScalarEdges>: PersistentObject {
    override class var tableName: String { "cell" }
    var value: T = T.edges[0]
    var maybe: T?
}

/// A type with a raw value of a scalar type.
struct Raw<Value: ScalarEdges>: RawRepresentable {
    var rawValue: Value
}

extension Raw: ScalarEdges {
    static var edges: [Raw] { Value.edges.map { Raw(rawValue: $0) } }
    static var intruders: [(literal: String, complaint: String)] { Value.intruders }
    func isIdentical(to other: Raw) -> Bool { rawValue.isIdentical(to: other.rawValue) }
}

extension ScalarEdges where Self: Equatable {
    func isIdentical(to other: Self) -> Bool { self == other }
}

extension ScalarEdges where Self: FixedWidthInteger {
    static var edges: [Self] {
        let limits: [Int128] = [
            Int128(Self.min), Int128(Self.min) + 1, -1, 0, 1, Int128(Self.max) - 1, Int128(Self.max),
        ]
        // A column cannot hold values above Int64.max, which `ScalarTests` verifies.
        return limits.filter { $0 <= Int64.max }.compactMap { Self(exactly: $0) }
    }
    static var intruders: [(literal: String, complaint: String)] {
        let fit = "the number does not fit in \(Self.self)"
        let numbers = [Int128(Self.min) - 1, Int128(Self.max) + 1].filter { Int64(exactly: $0) != nil }
        return numbers.map { ("\($0)", fit) } + [("NULL", "expected INTEGER, but the column holds NULL")]
            + [("3.7", fit), ("1e300", fit), ("9e999", fit), ("'x12'", "expected INTEGER, but the column holds TEXT")]
            + [
                ("'12'", "expected INTEGER, but the column holds TEXT"),
                ("x'31'", "expected INTEGER, but the column holds BLOB"),
            ]
    }
}

extension Int: ScalarEdges {}
extension Int8: ScalarEdges {}
extension Int16: ScalarEdges {}
extension Int32: ScalarEdges {}
extension Int64: ScalarEdges {}
extension UInt: ScalarEdges {}
extension UInt8: ScalarEdges {}
extension UInt16: ScalarEdges {}
extension UInt32: ScalarEdges {}
extension UInt64: ScalarEdges {}

extension Bool: ScalarEdges {
    static var edges: [Bool] { [false, true] }
    static var intruders: [(literal: String, complaint: String)] {
        ["2", "-1"].map { ($0, "the number does not fit in Bool") }
            + [
                ("'true'", "expected INTEGER, but the column holds TEXT"),
                ("0.5", "expected INTEGER, but the column holds REAL"),
            ]
    }
}

extension Double: ScalarEdges {
    static var edges: [Double] {
        [
            0, 1, -1, 0.1, .pi, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
            .leastNonzeroMagnitude, .leastNormalMagnitude, 1 + .ulpOfOne, 9_007_199_254_740_992, 1e15, -0.0,
        ]
    }
    // A REAL column does not keep the sign of zero.
    func isIdentical(to other: Double) -> Bool { (self + 0).bitPattern == (other + 0).bitPattern }
    static var intruders: [(literal: String, complaint: String)] {
        [
            ("NULL", "expected REAL, but the column holds NULL"), ("'1.5'", "expected REAL, but the column holds TEXT"),
            ("x'00'", "expected REAL, but the column holds BLOB"),
        ]
    }
}

extension Float: ScalarEdges {
    static var edges: [Float] {
        [0, 0.1, .pi, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1 + .ulpOfOne, -0.0]
    }
    func isIdentical(to other: Float) -> Bool { (self + 0).bitPattern == (other + 0).bitPattern }
    static var intruders: [(literal: String, complaint: String)] {
        [("1e39", "the number does not fit in Float"), ("'x'", "expected REAL, but the column holds TEXT")]
    }
}

private let texts = [
    "", " ", "a", "a\0b", "\0", "é", "e\u{301}", "👩‍👩‍👧‍👦", "'\"`;--", "%_", "\u{feff}x", "\u{10ffff}",
    String(repeating: "long enough to be on the heap ", count: 40), "\r\n", "1", "NULL",
]
private let textIntruders = [
    ("NULL", "expected TEXT, but the column holds NULL"), ("1", "expected TEXT, but the column holds INTEGER"),
    ("1.5", "expected TEXT, but the column holds REAL"), ("x'61'", "expected TEXT, but the column holds BLOB"),
    ("CAST(x'ff' AS TEXT)", "the string is not valid UTF-8"),
    ("CAST(x'61c3' AS TEXT)", "the string is not valid UTF-8"),
    ("CAST(x'eda080' AS TEXT)", "the string is not valid UTF-8"),
]

extension String: ScalarEdges {
    static var edges: [String] { texts }
    func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
    static var intruders: [(literal: String, complaint: String)] { textIntruders }
}

extension Substring: ScalarEdges {
    static var edges: [Substring] { texts.map { $0[...] } + ["a longer text than it seems".dropFirst(9)] }
    func isIdentical(to other: Substring) -> Bool { utf8.elementsEqual(other.utf8) }
    static var intruders: [(literal: String, complaint: String)] { textIntruders }
}

extension Character: ScalarEdges {
    static var edges: [Character] { ["a", "é", "e\u{301}", "\0", "\r\n", "👩‍👩‍👧‍👦", "'"] }
    func isIdentical(to other: Character) -> Bool { utf8.elementsEqual(other.utf8) }
    static var intruders: [(literal: String, complaint: String)] {
        textIntruders + [("''", "not have exactly one character"), ("'ab'", "not have exactly one character")]
    }
}

extension URL: ScalarEdges {
    static var edges: [URL] {
        [
            "https://example.com/a%20b?c=d#e", "mailto:joe@example.com", "file:///tmp/x", "relative/path", "data:,x",
            "https://user:pass@[::1]:8080/", "?only=query", "http://b%C3%BCcher.example/",
        ].compactMap { URL(string: $0) } + [URL(filePath: "/tmp/a b#c")]
    }
    func isIdentical(to other: URL) -> Bool { absoluteString == other.absoluteString }
    static var intruders: [(literal: String, complaint: String)] {
        textIntruders + [("''", "the string is not a URL"), ("'http://[::1'", "the string is not a URL")]
    }
}

extension Decimal: ScalarEdges {
    static var edges: [Decimal] {
        [
            "0", "1", "-1", "1.00", "0.1", "-123.45", "340282366920938463463374607431768211455",
            "-340282366920938463463374607431768211455", "0.00000000000000000000000000000000000001",
            "12345678901234567890123456789012345678", "1e127", "1e-128", "0.1234567890123456789012345678901234567",
        ].compactMap { Decimal(string: $0) }
    }
    static var intruders: [(literal: String, complaint: String)] {
        ["'abc'", "''", "'.'", "'-'", "'+.'", "'1e5'", "'1.2.3'", "'--1'", "'1,5'", "'NaN'", "' 1'", "'1 '", "'１'"].map
        {
            ($0, "not a decimal number")
        } + [
            ("'340282366920938463463374607431768211456'", "can represent exactly"),
            ("'123456789012345678901234567890123456789.5'", "can represent exactly"),
            ("'0.1234567890123456789012345678901234567891'", "can represent exactly"),
            ("'1\(String(repeating: "0", count: 200))'", "not a decimal number"),
            ("CAST(x'31ff' AS TEXT)", "the string is not valid UTF-8"),
        ]
    }
}

private let byteRuns: [[UInt8]] = [[], [0], [255, 0, 1], [UInt8](repeating: 7, count: 100_000)]
private let byteIntruders = [
    ("NULL", "expected BLOB, but the column holds NULL"), ("'a'", "expected BLOB, but the column holds TEXT"),
    ("7", "expected BLOB, but the column holds INTEGER"),
]

extension Data: ScalarEdges {
    static var edges: [Data] { byteRuns.map { Data($0) } + [Data([1, 2, 3, 4]).dropFirst(2)] }
    static var intruders: [(literal: String, complaint: String)] { byteIntruders }
}

extension [UInt8]: ScalarEdges {
    static var edges: [[UInt8]] { byteRuns }
    static var intruders: [(literal: String, complaint: String)] { byteIntruders }
}

extension UUID: ScalarEdges {
    static var edges: [UUID] {
        [UUID(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))]
            + ["FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"].compactMap { UUID(uuidString: $0) }
    }
    static var intruders: [(literal: String, complaint: String)] {
        ["x''", "x'00'", "zeroblob(15)", "zeroblob(17)"].map { ($0, "the blob does not have 16 bytes") }
            + [("'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'", "expected BLOB, but the column holds TEXT")]
    }
}

extension Date: ScalarEdges {
    static var edges: [Date] {
        let far: [Double] = [0, 0.1, -1e-9, 1e15, -.greatestFiniteMagnitude, .infinity, .leastNonzeroMagnitude]
        return [.distantPast, .distantFuture, Date(timeIntervalSince1970: 0.123456789)]
            + far.map { Date(timeIntervalSinceReferenceDate: $0) }
    }
    static var intruders: [(literal: String, complaint: String)] {
        [
            ("'2026-01-01'", "expected REAL, but the column holds TEXT"),
            ("NULL", "expected REAL, but the column holds NULL"),
        ]
    }
}

/// All types that are stored in a column.
let everyScalar: [any ScalarEdges.Type] = [
    Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
    UInt64.self,
    Bool.self, Double.self, Float.self, String.self, Substring.self, Character.self, URL.self, Decimal.self, Data.self,
    [UInt8].self, UUID.self, Date.self,
]

/// A type with a raw value, for each type of `everyScalar`.
let everyRaw: [any ScalarEdges.Type] = everyScalar.map { type in
    func raw<T: ScalarEdges>(_: T.Type) -> any ScalarEdges.Type { Raw<T>.self }
    return raw(type)
}
