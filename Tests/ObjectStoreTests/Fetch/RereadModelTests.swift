import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Rows with all kinds of columns are read again after another session changed some properties and this session
/// edited some. The result is compared with a model.
struct RereadModelTests {
    struct Place: Codable, Equatable { var street = "", number = 0 }
    enum Mood: String, Codable { case good, bad }
    enum Shape: Codable, Equatable { case circle(Double), text(String) }

    final class Thing: PersistentObject {
        override class var tableName: String { "thing" }
        var text = ""
        var maybe: String?
        var number = 0
        var count: Int?
        var small: Int8 = 0
        var real = 0.0
        var ratio: Double?
        var isOn = false
        var date = Date(timeIntervalSinceReferenceDate: 0)
        var end: Date?
        var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        var price = Decimal(0)
        var data = Data()
        var mood = Mood.good
        var place = Place()
        var shape = Shape.circle(0)
        var bytes: [UInt8] = []
        var tags: [String] = []
    }

    private typealias Setter = @Sendable (Thing, Int) -> Void

    /// Sets each property to a value derived from a number.
    private static let setters: [(name: String, set: Setter)] = [
        (
            "text",
            { $0.text = ["", "a", "é", "e\u{301}", "a text that has a buffer of its own", "nul\0in it"][$1 % 6] }
        ),
        ("maybe", { $0.maybe = [nil, "", "x", "another text that has a buffer of its own"][$1 % 4] }),
        ("number", { $0.number = [0, -1, .max, .min, 7][$1 % 5] }),
        ("count", { $0.count = [nil, 0, 5][$1 % 3] }),
        ("small", { $0.small = [0, -128, 127][$1 % 3] }),
        ("real", { $0.real = [0, 1.5, .infinity, .leastNonzeroMagnitude][$1 % 4] }),
        ("ratio", { $0.ratio = [nil, 0, 0.1][$1 % 3] }),
        ("isOn", { $0.isOn = $1 % 2 == 1 }),
        ("date", { $0.date = Date(timeIntervalSinceReferenceDate: Double($1 % 3) * 0.1) }),
        ("end", { $0.end = $1 % 3 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double($1 % 3)) }),
        ("uuid", { $0.uuid = UUID(uuid: (UInt8($1 % 3), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)) }),
        ("price", { $0.price = Decimal($1 % 3) / 10 }),
        ("data", { $0.data = Data(repeating: 3, count: $1 % 3 * 20) }),
        ("mood", { $0.mood = $1 % 2 == 0 ? .good : .bad }),
        ("place", { $0.place = Place(street: "Long Street \($1 % 3)", number: $1 % 2) }),
        ("shape", { $0.shape = $1 % 2 == 0 ? .circle(Double($1 % 4)) : .text("a shape \($1 % 4)") }),
        ("bytes", { $0.bytes = Array(repeating: 1, count: $1 % 3) }),
        ("tags", { $0.tags = (0..<$1 % 3).map { "tag \($0)" } }),
    ]

    /// Describes the value of each property.
    private func values(_ thing: Thing) -> [String] {
        Self.setters.map { setter in
            let value = Mirror(reflecting: thing).children.first { $0.label == setter.name }?.value
            return "\(setter.name): \(String(reflecting: value))"
        }
    }

    @Test(arguments: SeededGenerator.seeds(24))
    func `each property has the value that the other session wrote, or its edit`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try withTemporarySession { session, _ throws in
            let mine = (0..<20).map { _ in Thing() }
            // The model: the contents of the file.
            let stored = (0..<20).map { _ in Thing() }
            func set(_ place: Int, _ things: Thing...) {
                let value = Int.random(in: 0..<60, using: &random)
                for thing in things { Self.setters[place].set(thing, value) }
            }
            for index in mine.indices {
                for place in Self.setters.indices { set(place, mine[index], stored[index]) }
            }
            try session.save(mine)
            // The other session changes some properties, and this session edits some.
            try session.store.withSession { other throws in
                let theirs = try Thing.all()
                for index in theirs.indices {
                    for place in Self.setters.indices where Int.random(in: 0..<4, using: &random) == 0 {
                        set(place, theirs[index], stored[index])
                    }
                }
                try other.save(theirs)
            }
            for index in mine.indices {
                for place in Self.setters.indices where Int.random(in: 0..<5, using: &random) == 0 {
                    set(place, mine[index])
                }
            }
            let edited = mine.map { thing in Set(thing.changes.map(\.name)) }
            let before = mine.map(values)
            _ = try Thing.all()
            for index in mine.indices {
                let (after, theirs) = (values(mine[index]), values(stored[index]))
                for (place, setter) in Self.setters.enumerated() {
                    if edited[index].contains(setter.name) {
                        #expect(after[place] == before[index][place], "an edit is gone, seed \(seed)")
                    } else {
                        #expect(after[place] == theirs[place], "what others wrote is not there, seed \(seed)")
                    }
                }
            }
            // A second refresh changes nothing, and properties that are not edited are not in the changes.
            let settled = mine.map(values)
            try session.refresh()
            #expect(mine.map(values) == settled)
            for (thing, names) in zip(mine, edited) {
                #expect(Set(thing.changes.map(\.name)).isSubset(of: names), "seed \(seed)")
            }
            for thing in mine { try thing.reload() }
            #expect(mine.map(values) == stored.map(values), "seed \(seed)")
            #expect(mine.allSatisfy { !$0.hasChanges })
        }
    }
}
