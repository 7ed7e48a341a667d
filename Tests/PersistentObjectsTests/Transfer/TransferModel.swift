import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

enum Mood: String, CaseIterable { case glad, sad, none = "" }
enum Level: Int, CaseIterable { case low = 1, high = 9 }
struct Place: Codable, Equatable {
    var city = "Bonn"
    var floors = [1, 2]
    var rate = 0.1
}
struct Celsius: PersistentValue, Equatable {
    var degrees: Double
    static var columnType: ColumnType { .real }
    init(_ degrees: Double) { self.degrees = degrees }
    init(databaseValue: DatabaseValue) throws {
        guard case .real(let degrees) = databaseValue else { throw CocoaError(.coderInvalidValue) }
        self.degrees = degrees
    }
    var databaseValue: DatabaseValue { .real(degrees) }
}
/// Stores the value as given, so an integer is not converted to a real number.
struct Anything: PersistentValue, Hashable {
    var databaseValue: DatabaseValue
    init(databaseValue: DatabaseValue) { self.databaseValue = databaseValue }
    init(_ value: DatabaseValue) { databaseValue = value }
}

/// A property of each type in the mapping table.
final class Everything: PersistentObject, CodableObject {
    override class var tableName: String { "transfer_everything" }
    var flag = false
    var int = 0
    var int8: Int8 = 0
    var int64: Int64 = 0
    var uint64: UInt64 = 0
    var double = 0.0
    var float: Float = 0
    var text = ""
    var part: Substring = ""
    var letter: Character = "a"
    var url = URL(string: "a:b")
    var amount = Decimal(0)
    var data = Data()
    var bytes: [UInt8] = []
    var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var mood = Mood.glad
    var level = Level.low
    var place = Place()
    var warmth = Celsius(0)
    var thing = Anything(.integer(1))
    var maybeInt: Int?
    var maybeText: String?
    var maybeDate: Date?
    var maybePlace: Place?
    var maybeMood: Mood?
    var list: [String] = []
    var gaps: [Int?] = []
    var dates: [Date] = []
    var places: [Place] = []
    var numbers: Set<Int> = []
    var moods: Set<Mood> = []
    var blobs: [Data]?
    var byName: [String: Double] = [:]
    var byNumber: [Int: String] = [:]
    var byDate: [Date: Bool] = [:]
    var byID: [UUID: Decimal] = [:]
    var byMood: [Mood: [Int]] = [:]
    var byThing: [Anything: Int] = [:]
    @Lazy var photo: Data?
    @Transient var scratch = 3
}

final class Firm: PersistentObject, CodableObject {
    override class var tableName: String { "transfer_firm" }
    var name = ""
    @Inverse(\Worker.firm) var workers: [Worker]
}

class Worker: PersistentObject, CodableObject {
    override class var tableName: String { "transfer_worker" }
    var name = ""
    var age: Int?
    var firm: Firm?
    var mate: Worker?
    var friends: [Worker] = []
    var desks: [String: Firm] = [:]
    @Unique var badge: String? = nil
}

final class Boss: Worker { var bonus = 0 }

final class Country: PersistentObject {
    override class var tableName: String { "transfer_country" }
    override class var identity: Identity { .string }
    var name = ""
    var neighbours: Set<Country> = []
    var ally: Country?
}

extension Everything {
    /// Returns an object with values that are hard to transfer exactly.
    static func filled(_ generator: inout SeededGenerator) throws -> Everything {
        let it = Everything()
        func bits() -> UInt64 { generator.next() }
        func double() -> Double {
            let hard = [
                0.1, 1.0 / 3, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, 1e16,
                123456789.125,
            ]
            let random = Double(bitPattern: bits())
            return bits() % 3 == 0 ? hard[Int(bits() % 8)] : random.isNaN || random == 0 ? 7 : random
        }
        func date() -> Date {
            let seconds = Double(Int64(bitPattern: bits() % 8_000_000_000) - 4_000_000_000)
            let hard: [Date] = [
                .distantPast, .distantFuture, Date(timeIntervalSince1970: 0),
                Date(timeIntervalSinceReferenceDate: -0.25),
                Date(timeIntervalSinceReferenceDate: 1e-9), Date(timeIntervalSinceReferenceDate: 1e300),
            ]
            let part = Double(bits() % 1_000_000_000) / 1e9
            return bits() % 4 == 0 ? hard[Int(bits() % 6)] : Date(timeIntervalSinceReferenceDate: seconds + part)
        }
        func text() -> String {
            let hard = ["", "é", "e\u{301}", "a\0b", "\"\\/\n\r\t\u{1}", "👩‍👩‍👧", "\u{2028}", "null", "3", " x "]
            return hard[Int(bits() % 10)]
        }
        func data() -> Data { Data((0..<Int(bits() % 6)).map { _ in UInt8(truncatingIfNeeded: bits()) }) }
        func uuid() -> UUID { UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(bits() % 256))) }
        func decimal() throws -> Decimal {
            let texts = [
                "0", "0.1", "-3.14159265358979323846264338327950288", "12345678901234567890123456789012345678",
            ]
            return try #require(Decimal(string: texts[Int(bits() % 4)]))
        }
        func place() -> Place { Place(city: text(), floors: [Int(bits() % 9)], rate: 0.1 + Double(bits() % 100)) }
        func pairs<K: Hashable, V>(_ pairs: (K, V)...) -> [K: V] { Dictionary(pairs, uniquingKeysWith: { $1 }) }
        func mood() -> Mood { Mood.allCases[Int(bits() % 3)] }
        func thing() -> Anything {
            let all: [DatabaseValue] = [
                .integer(3), .real(3), .real(.infinity), .text("3"), .text("Infinity"), .blob([]), .blob([0, 255]),
                .text("{\"a\":1}"),
            ]
            return Anything(all[Int(bits() % 8)])
        }
        it.flag = bits() % 2 == 0
        it.int = Int(bitPattern: UInt(bits()))
        it.int8 = Int8(truncatingIfNeeded: bits())
        it.int64 = bits() % 3 == 0 ? .min : .max
        it.uint64 = UInt64(Int64.max)
        it.double = double()
        // Columns cannot store -0.0.
        let float = Float(double())
        it.float = float == 0 ? 7 : float
        it.text = text()
        it.part = Substring(text())
        it.letter = ["ß", "👩‍👩‍👧", "\0", "e\u{301}"][Int(bits() % 4)]
        it.url = URL(string: "https://example.org/%20a?b=c#d")
        it.amount = try decimal()
        it.data = data()
        it.bytes = [UInt8](data())
        it.uuid = uuid()
        it.date = date()
        it.mood = mood()
        it.level = .high
        it.place = place()
        it.warmth = Celsius(double())
        it.thing = thing()
        it.maybeInt = bits() % 2 == 0 ? nil : 3
        it.maybeText = bits() % 2 == 0 ? nil : text()
        it.maybeDate = bits() % 2 == 0 ? nil : date()
        it.maybePlace = bits() % 2 == 0 ? nil : place()
        it.maybeMood = bits() % 2 == 0 ? nil : mood()
        it.list = (0..<Int(bits() % 4)).map { _ in text() }
        it.gaps = [1, nil, Int(bits() % 9)]
        it.dates = [date(), date()]
        it.places = [place()]
        it.numbers = [Int(bits() % 9), -5]
        it.moods = [mood(), .sad]
        it.blobs = bits() % 2 == 0 ? nil : [data(), data()]
        it.byName = pairs((text(), double()), ("z", 1))
        it.byNumber = [Int(bits() % 9): text(), -7: ""]
        it.byDate = [date(): true]
        it.byID = [uuid(): try decimal()]
        it.byMood = pairs((mood(), [1]), (.sad, []))
        it.byThing = pairs((Anything(.blob([0, 255])), 1), (Anything(.text("3")), 2), (Anything(.integer(3)), 3))
        it.photo = bits() % 2 == 0 ? nil : data()
        return it
    }

    /// The exact values of all properties as strings.
    var image: [String: String] {
        var image: [String: String] = [:]
        for (name, value) in dictionary where name != "id" {
            image[name] =
                switch value {
                case let value as Double: "\(value.bitPattern)"
                case let value as Float: "\(value.bitPattern)"
                case let value as Date: "\(value.timeIntervalSinceReferenceDate.bitPattern)"
                case let value as String: "\(Array(value.utf8))"
                case let value as [Date]: "\(value.map(\.timeIntervalSinceReferenceDate.bitPattern))"
                case let value as [Date: Bool]: "\(value.keys.map(\.timeIntervalSinceReferenceDate.bitPattern))"
                case let value as [String: Double]:
                    "\(value.map { "\(Array($0.key.utf8)) \($0.value.bitPattern)" }.sorted())"
                case let value as Set<AnyHashable>: "\(value.map { "\($0)" }.sorted())"
                case let value as [AnyHashable: Any]: "\(value.map { "\($0.key.base) \($0.value)" }.sorted())"
                case let value as Data: "\(Array(value))"
                case let value as [Data]: "\(value.map { Array($0) })"
                default: "\(value as Any)"
                }
        }
        return image
    }
}
