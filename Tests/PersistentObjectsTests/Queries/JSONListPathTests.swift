import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Conditions on lists in Codable values find the same objects as a Swift filter.
struct JSONListPathTests {
    enum Kind: String, Codable, CaseIterable { case home, work, other }

    struct Spot: Codable, Hashable {
        var x = 0
        var y: Double?
    }

    struct Inner: Codable {
        var marks: [Double] = []
        var spots: [Spot] = []
    }

    struct Address: Codable {
        var names: [String] = []
        var floors: [Int] = []
        var others: [Int] = []
        var holes: [Int?] = []
        var rows: [[Int]] = []
        var kinds: Set<Kind> = []
        var flags: Set<Bool> = []
        var ids: [UUID] = []
        var days: [Date] = []
        var prices: [Decimal] = []
        var maybe: [String]?
        var scores: [String: Int] = [:]
        var byNumber: [Int: Spot] = [:]
        var byKind: [Kind: Int] = [:]
        var inner = Inner()
        var bytes: [UInt8] = []

        var sorted: [Int] { floors.sorted() }
        var alias: [Int] { floors }

        enum CodingKeys: String, CodingKey {
            case names = "na\"mes/'"
            case floors, others, holes, rows, kinds, flags, ids, days, prices, maybe, scores, byNumber, byKind, inner
            case bytes
        }
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var address = Address()
        var second: Address?
        var boss: Person?
    }

    private static let ids = (0..<4).map { _ in UUID() }
    private static let texts = ["", "a", "A", "é", "日本 🚂", "\"\\", "a,b]", "null", "1"]

    private func address(_ random: inout SeededGenerator) -> Address {
        func list<T>(_ values: [T]) -> [T] {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in
                values[Int.random(in: 0..<values.count, using: &random)]
            }
        }
        var address = Address()
        address.names = list(Self.texts)
        address.floors = list([-1, 0, 1, 2, .max])
        address.others = list([0, 1, 7])
        address.holes = list([nil, 1, 2])
        address.rows = list([[], [1], [1, 2], [2, 1]])
        address.kinds = Set(list(Kind.allCases))
        address.flags = Set(list([true, false]))
        address.ids = list(Self.ids)
        address.days = list([0, 0.5, 1e9].map { Date(timeIntervalSinceReferenceDate: $0) })
        address.prices = list([0, 1, Decimal(string: "0.10") ?? 0, Decimal(string: "12345678901234567890.5") ?? 0])
        address.maybe = Bool.random(using: &random) ? list(Self.texts) : nil
        address.scores = Dictionary(list([("a", 1), ("b", 2), ("c", 1)])) { $1 }
        address.byNumber = Dictionary(list([(1, Spot()), (2, Spot(x: 1, y: 0.1))])) { $1 }
        address.inner.marks = list([0, 0.1, -2.5, 1e300, 3])
        address.inner.spots = list([Spot(), Spot(x: 1), Spot(x: 1, y: 0.1)])
        return address
    }

    private func people(_ random: inout SeededGenerator) -> [Person] {
        let people = (0..<50).map { index in
            let person = Person()
            person.name = index % 2 == 0 ? "a" : "x"
            person.address = address(&random)
            person.second = Bool.random(using: &random) ? address(&random) : nil
            return person
        }
        for person in people { person.boss = Bool.random(using: &random) ? people.randomElement(using: &random) : nil }
        return people
    }

    private func check(
        _ people: [Person], _ condition: (Columns<Person>) -> Condition, _ filter: (Person) -> Bool,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        try expect(Person.where(condition).all(), people.filter(filter), sourceLocation: location)
        try expect(Person.where { !condition($0) }.all(), people.filter { !filter($0) }, sourceLocation: location)
        try expect(
            Person.where { $0.name == "x" || !condition($0) }.count(), people.count { $0.name == "x" || !filter($0) },
            sourceLocation: location)
    }

    @Test(arguments: SeededGenerator.seeds(4))
    func `contains on a list in a Codable value finds the same objects as a Swift filter`(seed: UInt64) throws {
        try withTemporarySession { session, _ throws in
            var random = SeededGenerator(seed: seed)
            let people = people(&random)
            try session.save(people)
            for text in Self.texts {
                try check(people, { $0.address.names.contains(text) }, { $0.address.names.contains(text) })
                try check(people, { $0.second.maybe.contains(text) }, { $0.second?.maybe?.contains(text) ?? false })
            }
            for number in [-1, 0, 1, 7, .max, .max - 1] {
                try check(people, { $0.address.floors.contains(number) }, { $0.address.floors.contains(number) })
                try check(people, { $0.address.alias.contains(number) }, { $0.address.floors.contains(number) })
                try check(
                    people, { $0.boss.address.others.contains(number) },
                    { $0.boss?.address.others.contains(number) ?? false })
                try check(people, { $0.address.scores.contains(number) }, { $0.address.scores.values.contains(number) })
            }
            for number in [nil, 1, 3] as [Int?] {
                try check(people, { $0.address.holes.contains(number) }, { $0.address.holes.contains(number) })
            }
            for row in [[], [1], [1, 2], [2, 1], [3]] {
                try check(people, { $0.address.rows.contains(row) }, { $0.address.rows.contains(row) })
            }
            for kind in Kind.allCases {
                try check(people, { $0.address.kinds.contains(kind) }, { $0.address.kinds.contains(kind) })
            }
            try check(people, { $0.second.flags.contains(true) }, { $0.second?.flags.contains(true) ?? false })
            for id in Self.ids { try check(people, { $0.address.ids.contains(id) }, { $0.address.ids.contains(id) }) }
            for mark in [0.1, 3, 1e300, 0.2] {
                try check(people, { $0.address.inner.marks.contains(mark) }, { $0.address.inner.marks.contains(mark) })
            }
            for spot in [Spot(), Spot(x: 1), Spot(x: 1, y: 0.1), Spot(x: 2)] {
                try check(people, { $0.address.inner.spots.contains(spot) }, { $0.address.inner.spots.contains(spot) })
                try check(people, { $0.address.byNumber.contains(spot) }, { $0.address.byNumber.values.contains(spot) })
            }
            let day = Date(timeIntervalSinceReferenceDate: 0.5)
            try check(people, { $0.address.days.contains(day) }, { $0.address.days.contains(day) })
            for price in [
                1, Decimal(string: "0.1") ?? 0, Decimal(string: "12345678901234567890.5") ?? 0,
                Decimal(string: "12345678901234567890.4") ?? 0,
            ] {
                try check(people, { $0.address.prices.contains(price) }, { $0.address.prices.contains(price) })
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds(4))
    func `count and isEmpty of a list in a Codable value equal those of Swift`(seed: UInt64) throws {
        try withTemporarySession { session, _ throws in
            var random = SeededGenerator(seed: seed)
            let people = people(&random)
            try session.save(people)
            try check(people, { $0.address.floors.isEmpty }, { $0.address.floors.isEmpty })
            try check(people, { $0.address.floors.count == 2 }, { $0.address.floors.count == 2 })
            try check(
                people, { $0.address.floors.count > $0.address.others.count },
                { $0.address.floors.count > $0.address.others.count })
            try check(people, { $0.address.scores.count == 2 }, { $0.address.scores.count == 2 })
            try check(people, { $0.address.byNumber.isEmpty }, { $0.address.byNumber.isEmpty })
            try check(people, { $0.address.flags.count == 2 }, { $0.address.flags.count == 2 })
            try check(people, { $0.address.inner.spots.count >= 1 }, { $0.address.inner.spots.count >= 1 })
            // A nil list has no elements.
            try check(people, { $0.second.maybe.isEmpty }, { ($0.second?.maybe ?? []).isEmpty })
            try check(people, { $0.second.floors.count == 0 }, { ($0.second?.floors ?? []).isEmpty })
            try check(people, { $0.second.maybe == nil }, { $0.second?.maybe == nil })
            try check(people, { $0.address.maybe != nil }, { $0.address.maybe != nil })
            // A missing object has no list that could be empty.
            try check(people, { $0.boss.address.floors.isEmpty }, { $0.boss?.address.floors.isEmpty ?? false })
            let counts = try Person.query.values { $0.address.floors.count }
            expect(counts, people.map(\.address.floors.count))
            try expect(
                Person.query.order { $0.address.floors.count }.all(),
                people.enumerated().sorted {
                    ($0.element.address.floors.count, $0.offset) < ($1.element.address.floors.count, $1.offset)
                }.map(\.element))
        }
    }

    @Test func `unsupported conditions on a list are refused before any SQL runs`() throws {
        try withTemporarySession { session, _ throws in
            try Person().save()
            func refused(_ condition: (Columns<Person>) -> Condition, _ reason: String) {
                let error = #expect(throws: QueryError.self) { try Person.where(condition).count() }
                #expect("\(error.map { "\($0)" } ?? "")".contains(reason), "\(error.map { "\($0)" } ?? "")")
            }
            refused({ $0.address.sorted.contains(1) }, "it is computed")
            refused({ $0.address.floors == [1] }, "is a list in a Codable value")
            refused({ $0.address.floors.sum() > 1 }, "Person.address, floors is a list in a Codable value")
            refused({ $0.address.byKind.contains(1) }, "cannot be compared in SQL")
            #expect(throws: QueryError.self) { try Person.query.order { $0.address.floors }.all() }
            #expect(throws: QueryError.self) { try Person.query.values { $0.address.floors } }
        }
    }

    /// Encodes other list elements than it holds.
    struct Odd: Codable {
        var values: [Int] = []
        enum CodingKeys: String, CodingKey { case values }
        init() {}
        init(from decoder: any Decoder) throws {
            values = try decoder.container(keyedBy: CodingKeys.self).decode([Int].self, forKey: .values)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(values.map { $0 + 1 }, forKey: .values)
        }
    }

    final class Box: PersistentObject {
        override class var tableName: String { "box" }
        var odd = Odd()
    }

    @Test func `a list that its type encodes differently is refused`() throws {
        try withTemporarySession { _, _ throws in
            try Box().save()
            #expect(throws: QueryError.self) { try Box.where { $0.odd.values.contains(1) }.count() }
        }
    }

    @Test func `lists in older rows and in JSON of other programs are read`() throws {
        try withTemporarySession { session, file throws in
            let person = Person()
            try person.save()
            for (json, has, count) in [
                ("{}", false, 0), (#"{"floors":null}"#, false, 0), (#"{"floors":7}"#, false, 0),
                (#"{ "floors" : [ 0, 1.0 , 2 ] }"#, true, 3), (#"{"floors":["1"]}"#, false, 1),
                (#"{"floors":[10e-1]}"#, true, 1),
            ] {
                let bytes = json.utf8.map { String(format: "%02x", $0) }.joined()
                let blob = TestEngine.isPostgres ? "'\\x\(bytes)'::bytea" : "x'\(bytes)'"
                _ = try file.sqlite("UPDATE person SET address = \(blob)")
                #expect(try Person.where { $0.address.floors.contains(1) }.exists() == has, "\(json)")
                #expect(try Person.where { $0.address.floors.count == count }.exists(), "\(json)")
            }
        }
    }
}
