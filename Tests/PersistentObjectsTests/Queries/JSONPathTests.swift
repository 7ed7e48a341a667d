import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Conditions on parts of Codable values find the same objects as a Swift filter.
struct JSONPathTests {
    enum Kind: String, Codable, CaseIterable { case home, work, other }
    enum Level: Int, Codable { case low = 1, high = 9 }

    struct Place: Codable, Equatable {
        var latitude = 0.0
        var longitude: Double?
        var label = ""
        var isExact = false
    }

    struct Address: Codable, Equatable {
        var city = ""
        var zip: String?
        var number = 0
        var floor: Int8?
        var isOwn = false
        var isQuiet: Bool?
        var kind = Kind.home
        var level: Level?
        var since = Date(timeIntervalSinceReferenceDate: 0)
        var place = Place()
        var summer: Place?
        var notes: [String] = []
        var page: URL?
        var token = UUID()
        var ratio: Float = 0

        var line: String { "\(city) \(number)" }
        var town: String { city }

        enum CodingKeys: String, CodingKey {
            case city = "ort/\"1\""
            case zip, number, floor
            case isOwn = "is_own"
            case isQuiet, kind, level, since
            case place = "wo"
            case summer, notes, page, token, ratio
        }
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var address = Address()
        var second: Address?
        var boss: Person?
    }

    private func people(_ random: inout SeededGenerator) -> [Person] {
        func maybe<T>(_ value: @autoclosure () -> T) -> T? { Bool.random(using: &random) ? value() : nil }
        let cities = ["Bonn", "Ulm", "", "a/b\\\"", "Zürich", Self.control, "日本 🚂", "bonn"]
        func place() -> Place {
            var place = Place()
            place.latitude = Double.random(in: -90...90, using: &random)
            place.longitude = maybe(Double(Int.random(in: -2...2, using: &random)))
            place.label = cities.randomElement(using: &random) ?? ""
            place.isExact = Bool.random(using: &random)
            return place
        }
        func address() -> Address {
            var address = Address()
            address.city = cities.randomElement(using: &random) ?? ""
            address.zip = maybe(["53111", "", "x"].randomElement(using: &random) ?? "")
            address.number = Int.random(in: -2...5, using: &random)
            address.floor = maybe(Int8.random(in: 0...3, using: &random))
            address.isOwn = Bool.random(using: &random)
            address.isQuiet = maybe(Bool.random(using: &random))
            address.kind = Kind.allCases.randomElement(using: &random) ?? .other
            address.level = maybe(Bool.random(using: &random) ? .low : .high)
            address.since = Date(timeIntervalSinceReferenceDate: Double.random(in: -3e9...3e9, using: &random))
            address.place = place()
            address.summer = maybe(place())
            address.page = maybe(URL(filePath: "/a b"))
            return address
        }
        let people = (0..<60).map { index in
            let person = Person()
            person.name = index % 2 == 0 ? "Bonn" : "x"
            person.address = address()
            person.second = maybe(address())
            return person
        }
        for person in people { person.boss = maybe(people.randomElement(using: &random) ?? person) }
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

    /// PostgreSQL cannot read JSON that contains a NUL.
    private static let control = TestEngine.isPostgres ? "x\u{1}y" : "x\u{0}y"

    @Test(arguments: SeededGenerator.seeds(4))
    func `conditions on parts of a Codable value find the same objects as a Swift filter`(seed: UInt64) throws {
        try withTemporarySession { session, _ throws in
            var random = SeededGenerator(seed: seed)
            let people = people(&random)
            try session.save(people)
            for city in ["Bonn", "", "a/b\\\"", Self.control, "x", "日本 🚂"] {
                try check(people, { $0.address.city == city }, { $0.address.city == city })
                try check(people, { $0.second.city != city }, { $0.second?.city != city })
                try check(people, { $0.address.place.label == city }, { $0.address.place.label == city })
            }
            try check(people, { $0.address.town == "Bonn" }, { $0.address.town == "Bonn" })
            try check(people, { $0.address.city.hasPrefix("B") }, { $0.address.city.hasPrefix("B") })
            try check(
                people, { $0.address.city.isIn(["Ulm", "Bonn"]) }, { ["Ulm", "Bonn"].contains($0.address.city) })
            try check(people, { $0.address.city == $0.name }, { $0.address.city == $0.name })
            try check(people, { $0.address.zip == nil }, { $0.address.zip == nil })
            try check(people, { $0.address.zip != "x" }, { $0.address.zip != "x" })
            try check(people, { $0.second.zip == nil }, { $0.second?.zip == nil })
            try check(people, { $0.address.number > 1 }, { $0.address.number > 1 })
            try check(people, { $0.address.number + 1 == 3 }, { $0.address.number + 1 == 3 })
            try check(people, { $0.address.number.isIn(0...2) }, { (0...2).contains($0.address.number) })
            try check(people, { $0.second.floor <= 1 }, { ($0.second?.floor).map { $0 <= 1 } ?? false })
            try check(people, { $0.address.isOwn }, { $0.address.isOwn })
            try check(people, { $0.second.isOwn == false }, { $0.second?.isOwn == false })
            try check(people, { $0.address.isQuiet }, { $0.address.isQuiet == true })
            try check(people, { $0.address.isQuiet == nil }, { $0.address.isQuiet == nil })
            try check(people, { $0.address.kind == .work }, { $0.address.kind == .work })
            try check(people, { $0.second.level != .high }, { $0.second?.level != .high })
            try check(people, { $0.address.place.isExact }, { $0.address.place.isExact })
            try check(people, { $0.second.summer.isExact }, { $0.second?.summer?.isExact ?? false })
            try check(people, { $0.address.summer.longitude == 1 }, { $0.address.summer?.longitude == 1 })
            try check(
                people, { $0.address.summer.latitude > 0 }, { ($0.address.summer?.latitude).map { $0 > 0 } ?? false })
            try check(people, { $0.boss.address.city == "Bonn" }, { $0.boss?.address.city == "Bonn" })
            try check(
                people, { $0.address.page == URL(filePath: "/a b") }, { $0.address.page == URL(filePath: "/a b") })
            for person in people[..<20] {
                // Every digit counts.
                let (latitude, since) = (person.address.place.latitude, person.address.since)
                try check(people, { $0.address.place.latitude == latitude }, { $0.address.place.latitude == latitude })
                try check(people, { $0.address.since >= since }, { $0.address.since >= since })
            }
            let sorted = people.sorted { $0.address.place.latitude < $1.address.place.latitude }
            try expect(Person.query.order { $0.address.place.latitude }.all(), sorted)
            // Pages also work if some objects have no value.
            for order in [Query<Person>.Order.ascending, .descending] {
                let query = Person.query.order(order) { $0.address.summer.longitude }.order { $0.address.city }
                var found: [Person] = []
                var page = try query.limit(7).all()
                while let last = page.last {
                    found += page
                    page = try query.after(last, limit: 7)
                }
                try expect(found, query.all())
            }
        }
    }

    @Test func `parts of a Codable value that SQL cannot compare are refused`() throws {
        try withTemporarySession { session, _ throws in
            try Person().save()
            func refused(_ condition: (Columns<Person>) -> Condition, _ reason: String) {
                let error = #expect(throws: QueryError.self) { try Person.where(condition).count() }
                #expect("\(error.map { "\($0)" } ?? "")".contains(reason))
            }
            refused({ $0.address.line == "x" }, "it is computed")
            refused({ $0.address.token == UUID() }, "differently than a column of UUID")
            refused({ $0.address.ratio == 1 }, "a Float inside a Address cannot be compared in SQL")
            refused({ $0.address.place == Place() }, "a Place inside a Address cannot be compared in SQL")
            refused({ $0.name.utf8.count == 3 }, "String is stored as one value")
        }
    }

    /// Its JSON differs from its properties.
    struct Odd: Codable {
        var first = ""
        var second = ""
        enum CodingKeys: String, CodingKey { case first, second }

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            first = try container.decode(String.self, forKey: .second)
            second = try container.decode(String.self, forKey: .first).lowercased()
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(first, forKey: .second)
            try container.encode(second.uppercased(), forKey: .first)
        }
    }

    struct Picky: Codable {
        let code: String
        init() { code = "A1" }

        init(from decoder: any Decoder) throws {
            code = try decoder.singleValueContainer().decode(String.self)
            guard code.count == 2 else {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "two letters"))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(code)
        }
    }

    final class Node: Codable {
        var name = ""
        var next: Node?
    }

    final class Box: PersistentObject {
        override class var tableName: String { "box" }
        var odd = Odd()
        var picky = Picky()
        var node = Node()
    }

    @Test func `types with custom JSON are compared where possible and refused otherwise`() throws {
        try withTemporarySession { session, _ throws in
            let boxes = [Box(), Box()]
            (boxes[0].odd.first, boxes[0].odd.second) = ("a", "b")
            boxes[0].node.name = "n"
            boxes[0].node.next = Node()
            boxes[0].node.next?.name = "m"
            try session.save(boxes)
            #expect(try Box.where { $0.odd.first == "a" }.all() == [boxes[0]])
            #expect(throws: QueryError.self) { try Box.where { $0.odd.second == "b" }.count() }
            #expect(throws: QueryError.self) { try Box.where { $0.picky.code == "A1" }.count() }
            #expect(try Box.where { $0.node.name == "n" && $0.node.next.name == "m" }.all() == [boxes[0]])
            #expect(try Box.where { $0.node.next.name == nil }.all() == [boxes[1]])
        }
    }
}
