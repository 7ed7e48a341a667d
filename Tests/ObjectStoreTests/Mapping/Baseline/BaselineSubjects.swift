import Foundation
import PersistentObjects
import TestSupport

// The class and the values that the baseline tests edit and revert.

final class SharedNote: Codable {
    var text = "n"
    var list = [1]
}

struct NoteHolder: Codable {
    var note = SharedNote()
    var number = 1
}

/// Its `==` compares only ids; the library must never call it.
struct Lenient: Codable, Equatable {
    var id = 1
    var name = "a"
    static func == (a: Lenient, b: Lenient) -> Bool { a.id == b.id }
}

enum Shape: Codable {
    case none
    case circle(Double)
    case label(String)
    case both(Double, String)
}

/// Copies share its boxes.
indirect enum Branch: Codable {
    case leaf(Double, [String])
    case fork(left: Branch, right: Branch?)
}

/// An enumeration whose payload can be changed in place.
enum Remark: Codable {
    case none
    case note(SharedNote)
    case text(String)
}

/// A structure that contains its own type.
struct Category: Codable {
    var name = "a"
    var parts: [Category] = []
}

struct Temperature: PersistentValue {
    var degrees: Double
    static var columnType: ColumnType { .real }
    init(_ degrees: Double) { self.degrees = degrees }
    init(databaseValue: DatabaseValue) throws {
        guard case .real(let degrees) = databaseValue else { throw Frost() }
        self.degrees = degrees
    }
    var databaseValue: DatabaseValue { .real(degrees) }
    struct Frost: Error {}
}

/// A custom value type that is a class and not Codable.
final class Counter: PersistentValue {
    var count: Int64
    static var columnType: ColumnType { .integer }
    init(_ count: Int64) { self.count = count }
    init(databaseValue: DatabaseValue) throws {
        guard case .integer(let count) = databaseValue else { throw Temperature.Frost() }
        self.count = count
    }
    var databaseValue: DatabaseValue { .integer(count) }
}

/// One property for each kind of comparison. The other properties must stay unchanged.
final class Subject: PersistentObject {
    override class var tableName: String { "subject" }
    var text = "plain"
    var long = "a text that is much too long for the inline form"
    var maybe: String?
    var accented = "caf\u{e9}"
    var letter: Character = "\u{e9}"
    var cut: Substring = "caf\u{e9}"
    var number = 1
    var small: Int8 = 1
    var maybeNumber: Int?
    var real = 0.0
    var single: Float = 0
    var maybeReal: Double?
    var flag = false
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var maybeDate: Date?
    var uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    var price = Decimal(1)
    var link = URL(filePath: "/a/b")
    var data = Data([1, 2, 3])
    var bytes: [UInt8] = [1, 2, 3]
    var numbers = [1, 2, 3]
    var reals = [0.0, 1.0]
    var texts = ["caf\u{e9}", "b"]
    var scores = ["a": 1, "b": 2, "c": 3]
    var byUUID: [UUID: Int] = [:]
    var set: Set = ["a", "b", "c", "d"]
    var maybeSet: Set<Int>?
    var padded = PaddedValue()
    var lenient = Lenient()
    var shape = Shape.circle(1)
    var maybeShape: Shape? = .both(0, "b")
    var shapes: [[Shape]] = [[.label("a"), .none]]
    var branch = Branch.fork(left: .leaf(0, ["a"]), right: nil)
    var remark = Remark.note(SharedNote())
    var category = Category(name: "a", parts: [Category(name: "b")])
    var note = SharedNote()
    var maybeNote: SharedNote?
    var holder = NoteHolder()
    var notes = [SharedNote(), SharedNote()]
    var temperature = Temperature(20)
    var counter = Counter(1)
    var vector = SIMD4<Float>(repeating: 0)
}
