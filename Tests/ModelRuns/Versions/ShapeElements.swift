import Foundation
import PersistentObjects

enum WordCase: String, Codable { case a, b = "12", c = "true", d = "", e = "x" }
enum NumberCase: Int, Codable { case one = 1, zero = 0, big = 70000, negative = -1 }

struct Compound: Codable, Hashable {
    var n = 0
    var s = "x"
    var o: Double?
}

struct Celsius: PersistentValue, Hashable {
    var degrees: Double

    static var columnType: ColumnType { .real }

    init(degrees: Double) { self.degrees = degrees }
    init(databaseValue: DatabaseValue) throws {
        guard case .real(let degrees) = databaseValue else {
            throw StoreError(.typeMismatch, "a temperature is a REAL")
        }
        self.degrees = degrees
    }

    var databaseValue: DatabaseValue { .real(degrees) }
}

extension ModelRandom {
    fileprivate mutating func one<T>(_ values: [T]) -> T { values[below(values.count)] }
}

/// An integer that is read as by the library: "12", but not "+12" or "012".
protocol ShapeInteger: ShapeElement, FixedWidthInteger {}

extension ShapeInteger {
    static func reading(_ text: String) -> Self? { text == "true" ? 1 : text == "0" ? 0 : Self(text) }
    static var empty: Self? { 0 }
    var readings: Readings { Readings(number: "\(self)") }

    static func random(_ random: inout ModelRandom) -> Self {
        let values: [Int64] = [
            0, 1, 2, 12, 100, 70000, -1, .min, .max, 1 << 53 + 1, 1 << 53, Int64(random.next() >> 1),
        ]
        // A column stores signed 64-bit integers.
        let largest = Self.max > Int64.max ? Self(Int64.max) : Self.max
        return random.one(values.map { Self(truncatingIfNeeded: $0) }.filter { $0 <= largest } + [.min, largest])
    }
}

extension Int: ShapeInteger { static var start: Int { 7 } }
extension Int8: ShapeInteger { static var start: Int8 { 5 } }
extension UInt8: ShapeInteger { static var start: UInt8 { 6 } }
extension Int64: ShapeInteger { static var start: Int64 { 9 } }
extension UInt64: ShapeInteger { static var start: UInt64 { 3 } }

extension Bool: ShapeElement {
    static var start: Bool { true }
    static func reading(_ text: String) -> Bool? { text == "true" || text == "1" ? true : text == "0" ? false : nil }
    static func random(_ random: inout ModelRandom) -> Bool { random.isOne(in: 2) }
    static var empty: Bool? { false }
    var readings: Readings { Readings(self) }
}

extension Double: ShapeElement {
    static var start: Double { 1.5 }
    static func reading(_ text: String) -> Double? { text == "true" ? 1 : Double(text) }
    static func random(_ random: inout ModelRandom) -> Double {
        let bits = Double(bitPattern: random.next())
        let values: [Double] = [
            0, -0.0, 1, 2, 12, 1.5, 0.1, 12.34, 1e300, -1e-300, 1e22, .infinity, 9_007_199_254_740_992,
            9_223_372_036_854_775_808, -9_223_372_036_854_775_808, .leastNonzeroMagnitude, 0.1 + 0.2, 100, -1, 1e16,
        ]
        return random.one(values + [bits.isNaN ? 3 : bits])
    }
    static var empty: Double? { 0 }
    var readings: Readings { Readings(self) }
}

extension Float: ShapeElement {
    static var start: Float { 2.5 }
    static func reading(_ text: String) -> Float? { text == "true" ? 1 : Float(text) }
    static func random(_ random: inout ModelRandom) -> Float {
        let values: [Float] = [0, 1, 12, 1.5, 0.1, 16_777_216, 1e30, .infinity, .leastNonzeroMagnitude, -1, 3.4e38]
        return random.one(values)
    }
    static var empty: Float? { 0 }
    var readings: Readings { Readings(self) }
}

extension String: ShapeElement {
    static var start: String { "dflt" }
    static func reading(_ text: String) -> String? { text }
    static func random(_ random: inout ModelRandom) -> String { random.one(texts) }
    static var empty: String? { "" }
    var readings: Readings { Readings(self) }

    private static let texts: [String] = [
        "", "0", "1", "12", "-1", "-0", "007", "+7", " 7", "7 ", "1.5", "1.50", "-1.50", "1e3", "1E400", "0x10", "inf",
        "nan",
        "Infinity", "true", "false", "TRUE", "é", "e\u{301}", "a", "x", "\u{0}", "12\u{0}", "9223372036854775808",
        "9007199254740993", "0.1", "0.30000000000000004", "2026-11-22T17:06:31.250Z", "2026-11-22T17:06:31Z",
        "2026-11-22",
        "2026-11-22T17:06:31+02:00", "6ba7b810-9dad-41d1-80b4-00c04fd430c8", "6BA7B810-9DAD-41D1-80B4-00C04FD430C8",
        "http://a/b?c", "a b", "{\"n\":1,\"s\":\"y\"}", "{\"n\":1, \"s\":\"y\"}", "[1,2]", "[\"a\"]", "null", "\"q\"",
        "1.",
        ".5", "00", "0.0", "１２", "12\n", "\u{FEFF}12", "1_000", "0.10", "100", "1e22", "👨‍👩‍👧",
    ]
}

extension Character: ShapeElement {
    static var start: Character { "c" }
    static func reading(_ text: String) -> Character? { text.count == 1 ? Character(text) : nil }
    static func random(_ random: inout ModelRandom) -> Character {
        let values: [Character] = ["a", "1", "0", "é", "e\u{301}", "👨‍👩‍👧", "\r\n", "x", "\u{0}"]
        return random.one(values)
    }
    static var empty: Character? { "0" }
    var readings: Readings { Readings(String(self)) }
}

extension URL: ShapeElement {
    static var start: URL { URL(filePath: "/d") }
    static func reading(_ text: String) -> URL? { URL(string: text) }
    static func random(_ random: inout ModelRandom) -> URL {
        let values: [String] = ["http://a/b?c", "file:///x", "a", "12", "mailto:x@y", "http://%C3%A9/", "x", "true"]
        return URL(string: random.one(values)) ?? start
    }
    static var empty: URL? { URL(string: "a") }
    var readings: Readings { Readings(absoluteString) }
}

extension Decimal: ShapeElement {
    static var start: Decimal { 4 }
    static func reading(_ text: String) -> Decimal? { Int(text).map { Decimal($0) } }
    static func random(_ random: inout ModelRandom) -> Decimal {
        let values: [String] = [
            "0", "1", "12", "12.34", "-1.5", "1.005", "0.1", "12345678901234567890123456789012345678",
            "0.0000000000000000000000000001", "9007199254740993", "9223372036854775807", "9223372036854775808", "1e100",
            "100", "92233720368547758.07", "92233720368547758.08", "-0.01",
        ]
        return Decimal(string: random.one(values)) ?? start
    }
    static var empty: Decimal? { 0 }
    var readings: Readings { Readings(number: description) }
}

extension Data: ShapeElement {
    static var start: Data { Data([1]) }
    static func reading(_ text: String) -> Data? { Data(text.utf8) }
    static func random(_ random: inout ModelRandom) -> Data {
        let values: [Data] = [
            Data([0]), Data([0xff]), Data((0..<16).map { UInt8($0) }),
        ]
        return random.isOne(in: 2) ? random.one(values) : Data(String.random(&random).utf8)
    }
    static var empty: Data? { Data() }
    var readings: Readings { Readings(self) }
    var text: String {
        String(validating: self, as: UTF8.self).map { "bytes \($0.debugDescription)" } ?? "\(Array(self))"
    }
}

extension UUID: ShapeElement {
    private static func uuid(_ text: String) -> UUID { UUID(uuidString: text) ?? UUID() }
    static var start: UUID { uuid("6BA7B810-9DAD-41D1-80B4-00C04FD430C8") }
    static func reading(_ text: String) -> UUID? { UUID(uuidString: text) }
    static func random(_ random: inout ModelRandom) -> UUID {
        let values: [String] = ["00010203-0405-0607-0809-0A0B0C0D0E0F", "6BA7B810-9DAD-41D1-80B4-00C04FD430C9"]
        return uuid(random.one(values))
    }
    static var empty: UUID? { uuid("00000000-0000-0000-0000-000000000000") }
    var readings: Readings { Readings(self) }
}

extension Date: ShapeElement {
    static var start: Date { Date(timeIntervalSinceReferenceDate: 0) }
    static func reading(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }
    static func random(_ random: inout ModelRandom) -> Date {
        let values: [Double] = [
            0, 1, 0.25, -1, 700_000_000.123456, 0.1, -63_114_076_800, 252_423_993_599, 1e-9, .leastNonzeroMagnitude,
            1e15, -1e15,
            801_594_391.25, 1e18,
        ]
        return Date(timeIntervalSinceReferenceDate: random.one(values))
    }
    static var empty: Date? { Date(timeIntervalSince1970: 0) }
    var readings: Readings { Readings(self) }
    var text: String { "\(timeIntervalSinceReferenceDate) s" }
}

extension WordCase: ShapeElement {
    static var start: WordCase { .a }
    static func reading(_ text: String) -> WordCase? { WordCase(rawValue: text) }
    static func random(_ random: inout ModelRandom) -> WordCase { random.one([WordCase.a, .b, .c, .d, .e]) }
    static var empty: WordCase? { .d }
    var readings: Readings { Readings(rawValue) }
}

extension NumberCase: ShapeElement {
    static var start: NumberCase { .one }
    static func reading(_ text: String) -> NumberCase? { Int(text).flatMap { NumberCase(rawValue: $0) } }
    static func random(_ random: inout ModelRandom) -> NumberCase {
        random.one([NumberCase.one, .zero, .big, .negative])
    }
    static var empty: NumberCase? { .zero }
    var readings: Readings { Readings(number: "\(rawValue)") }
}

extension Compound: ShapeElement {
    static var start: Compound { Compound() }
    static func reading(_ text: String) -> Compound? { try? JSONDecoder().decode(Compound.self, from: Data(text.utf8)) }
    static func random(_ random: inout ModelRandom) -> Compound {
        let numbers: [Double?] = [nil, nil, 0, 1.5, 0.1, 1e300]
        return Compound(n: Int.random(&random), s: String.random(&random), o: random.one(numbers))
    }
    static var empty: Compound? { Compound(n: 0, s: "", o: nil) }
    var readings: Readings { Readings(n: n, s: s, o: o) }
}

extension Celsius: ShapeElement {
    static var start: Celsius { Celsius(degrees: 3) }
    static func reading(_ text: String) -> Celsius? { Double(text).map { Celsius(degrees: $0) } }
    static func random(_ random: inout ModelRandom) -> Celsius { Celsius(degrees: Double.random(&random)) }
    static var empty: Celsius? { Celsius(degrees: 0) }
    var readings: Readings { Readings(degrees) }
}
