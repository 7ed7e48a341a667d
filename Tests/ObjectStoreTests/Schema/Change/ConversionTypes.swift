import Foundation
import PersistentObjects

/// The type of a property in one version of a class.
protocol ConversionType: Sendable {
    associatedtype Stored: Sendable & Equatable
    static var initial: Stored { get }
    static var samples: [Stored] { get }
    /// The meaning of a value, independent of its stored form.
    static func meaning(_ value: Stored) -> Meaning
    /// The value of this type with the given meaning, as one would write it by hand; nil if there is none.
    static func value(_ meaning: Meaning) -> Stored?
}

/// The meaning of a value, independent of its stored form.
enum Meaning: Equatable {
    case integer(Int64), real(Double), truth(Bool), text(String), moment(Date), number(Decimal), id(UUID), bytes(Data)
    /// A JSON document.
    case json(String)
}

/// A version of a class with one property.
enum Version<T: ConversionType> {
    final class Box: PersistentObject {
        override class var tableName: String { "box" }
        var value = T.initial
    }

    final class Optional: PersistentObject {
        override class var tableName: String { "box" }
        var value: T.Stored?
    }
}

extension ConversionType where Stored: FixedWidthInteger {
    static var initial: Stored { 7 }
    static func meaning(_ value: Stored) -> Meaning { .integer(Int64(value)) }

    static func value(_ meaning: Meaning) -> Stored? {
        switch meaning {
        case .integer(let number): Stored(exactly: number)
        case .real(let number): Stored(exactly: number)
        case .truth(let isTrue): isTrue ? 1 : 0
        case .text(let text), .json(let text): Int64(text).flatMap { "\($0)" == text ? Stored(exactly: $0) : nil }
        case .number(let number): Stored("\(number)")
        case .moment, .id, .bytes: nil
        }
    }
}

enum OfInt: ConversionType { static let samples = [0, 1, -1, 42, Int.max, Int.min, 1 << 53, (1 << 53) + 1] }
enum OfInt8: ConversionType { static let samples: [Int8] = [0, 1, -128, 127] }
enum OfUInt64: ConversionType { static let samples: [UInt64] = [0, 1, UInt64(Int64.max)] }

enum OfBool: ConversionType {
    static let initial = true
    static let samples = [true, false]
    static func meaning(_ value: Bool) -> Meaning { .truth(value) }

    static func value(_ meaning: Meaning) -> Bool? {
        switch meaning {
        case .truth(let value): value
        case .integer(let number): number == 0 ? false : number == 1 ? true : nil
        case .text(let text), .json(let text): text == "true" ? true : text == "false" ? false : nil
        default: nil
        }
    }
}

enum OfDouble: ConversionType {
    static let initial = 0.5
    static let samples = [0, 1, -1.5, 0.1, 1e300, Double.leastNonzeroMagnitude, 42]
    static func meaning(_ value: Double) -> Meaning { .real(value) }

    static func value(_ meaning: Meaning) -> Double? {
        switch meaning {
        case .real(let value): value
        case .integer(let number): Double(exactly: number)
        case .text(let text), .json(let text): plain(text).flatMap { Double($0) }
        case .number(let number): Double("\(number)").flatMap { Decimal(string: "\($0)") == number ? $0 : nil }
        default: nil
        }
    }
}

/// Returns the string if it is a plain number.
private func plain(_ text: String) -> String? {
    guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil, let number = Double(text),
        let exact = Decimal(string: text), Decimal(string: "\(number)") == exact
    else { return nil }
    return text
}

enum OfString: ConversionType {
    static let initial = "initial"
    static let samples = [
        "", "a", "true", "12", "-7", "007", "+3", "1.5", "12.50", " 1", "1e3", "12345678901234567890", "Zoë 😀", "red",
        "2026-11-22T17:06:31Z", "2026-11-22T17:06:31.25+01:00", "2026-11-22", "6BA7B810-9DAD-41D1-80B4-00C04FD430C8",
        "https://example.org/?q=1", "{\"a\":1}", "\u{0}",
    ]
    static func meaning(_ value: String) -> Meaning { .text(value) }

    static func value(_ meaning: Meaning) -> String? {
        switch meaning {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .truth(let value): "\(value)"
        case .moment(let date): OfDate.texts[date]
        case .number(let number): "\(number)"
        case .id(let id): id.uuidString
        case .bytes(let data): String(data: data, encoding: .utf8)
        case .json(let text): (try? JSONDecoder().decode(String.self, from: Data(text.utf8))) ?? text
        }
    }
}

enum OfDate: ConversionType {
    static let texts: [Date: String] = [
        Date(timeIntervalSinceReferenceDate: 0): "2001-01-01T00:00:00Z",
        Date(timeIntervalSinceReferenceDate: 0.5): "2001-01-01T00:00:00.500Z",
        Date(timeIntervalSinceReferenceDate: -1.25): "2000-12-31T23:59:58.750Z",
        Date(timeIntervalSinceReferenceDate: 757_382_400.123456): "2025-01-01T00:00:00.123456Z",
    ]
    static let initial = Date(timeIntervalSinceReferenceDate: 9)
    static var samples: [Date] { texts.keys.sorted() + [.distantPast] }
    static func meaning(_ value: Date) -> Meaning { .moment(value) }

    static func value(_ meaning: Meaning) -> Date? {
        switch meaning {
        case .moment(let date): return date
        case .text(let text):
            let plain = ISO8601DateFormatter()
            let fractional = ISO8601DateFormatter()
            fractional.formatOptions.insert(.withFractionalSeconds)
            return plain.date(from: text) ?? fractional.date(from: text)
        default: return nil
        }
    }
}

enum OfDecimal: ConversionType {
    static let initial = Decimal(5)
    static var samples: [Decimal] {
        ["0", "1", "-12.5", "12345678901234567890.0123456789", "0.1"].compactMap { Decimal(string: $0) }
    }
    static func meaning(_ value: Decimal) -> Meaning { .number(value) }

    static func value(_ meaning: Meaning) -> Decimal? {
        switch meaning {
        case .number(let number): number
        case .integer(let number): Decimal(number)
        case .real(let number):
            number == 1e300 || number == Double.leastNonzeroMagnitude ? nil : Decimal(string: "\(number)")
        case .text(let text):
            text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil ? Decimal(string: text) : nil
        case .json(let text): Decimal(string: text)
        default: nil
        }
    }
}

enum OfUUID: ConversionType {
    static let initial = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    static var samples: [UUID] { [initial, UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))] }
    static func meaning(_ value: UUID) -> Meaning { .id(value) }

    static func value(_ meaning: Meaning) -> UUID? {
        switch meaning {
        case .id(let id): id
        case .text(let text): UUID(uuidString: text)
        case .bytes(let data): data.count == 16 ? data.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) } : nil
        default: nil
        }
    }
}

enum OfData: ConversionType {
    static let initial = Data([1])
    static let samples = [Data(), Data([0, 255]), Data("text".utf8), Data(0..<16)]
    static func meaning(_ value: Data) -> Meaning { .bytes(value) }

    static func value(_ meaning: Meaning) -> Data? {
        switch meaning {
        case .bytes(let data): data
        case .text(let text): Data(text.utf8)
        case .id(let id): withUnsafeBytes(of: id.uuid) { Data($0) }
        case .json(let text): Data(text.utf8)
        default: nil
        }
    }
}

enum SampleColour: String, CaseIterable { case red, green, blue = "true" }

enum OfColour: ConversionType {
    static let initial = SampleColour.green
    static let samples = SampleColour.allCases
    static func meaning(_ value: SampleColour) -> Meaning { .text(value.rawValue) }
    static func value(_ meaning: Meaning) -> SampleColour? {
        OfString.value(meaning).flatMap { SampleColour(rawValue: $0) }
    }
}

enum SampleLevel: Int { case low = 0, high = 1, top = 42 }

enum OfLevel: ConversionType {
    static let initial = SampleLevel.high
    static let samples: [SampleLevel] = [.low, .high, .top]
    static func meaning(_ value: SampleLevel) -> Meaning { .integer(Int64(value.rawValue)) }
    static func value(_ meaning: Meaning) -> SampleLevel? { OfInt.value(meaning).flatMap { SampleLevel(rawValue: $0) } }
}

/// A structure whose JSON document is a single value.
struct SampleName: Codable, Equatable {
    var text: String
    init(_ text: String) { self.text = text }
    init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

enum OfName: ConversionType {
    static let initial = SampleName("none")
    static let samples = [SampleName(""), SampleName("Zoë \"😀\""), SampleName("12"), SampleName("red")]
    static func meaning(_ value: SampleName) -> Meaning { .text(value.text) }

    static func value(_ meaning: Meaning) -> SampleName? {
        switch meaning {
        case .text(let text): SampleName(text)
        case .id(let id): SampleName(id.uuidString)
        case .bytes(let data): SampleName(data.base64EncodedString())
        default: nil
        }
    }
}

struct SamplePlace: Codable, Equatable {
    var a = 0
}

enum OfPlace: ConversionType {
    static let initial = SamplePlace(a: 3)
    static let samples = [SamplePlace(), SamplePlace(a: -5)]
    static func meaning(_ value: SamplePlace) -> Meaning { .json("{\"a\":\(value.a)}") }

    static func value(_ meaning: Meaning) -> SamplePlace? {
        guard case .json(let text) = meaning else {
            guard case .text(let text) = meaning else { return nil }
            return try? JSONDecoder().decode(SamplePlace.self, from: Data(text.utf8))
        }
        return try? JSONDecoder().decode(SamplePlace.self, from: Data(text.utf8))
    }
}
