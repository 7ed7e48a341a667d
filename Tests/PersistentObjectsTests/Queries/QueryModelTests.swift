import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Each condition finds the same objects as a Swift filter with the same expression, including nil values.
struct QueryModelTests {
    enum Status: String, CaseIterable, Codable { case active, retired, away }

    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        var name = ""
        var size: Int?
        var isListed = false
        var rival: Company?
        @Inverse(\Person.employer) var staff: [Person]
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var lastName = ""
        var nick: String?
        var age = 0
        var score: Double?
        var status = Status.active
        var mood: Status?
        var isActive = false
        var isMarried: Bool?
        var born = Date(timeIntervalSinceReferenceDate: 0)
        var photo: Data?
        var token = UUID()
        var employer: Company?
        var mentor: Person?
        var tags: [String] = []
        var marks: [String: Double] = [:]
        var numbers: Set<Int>?
        var friends: [Person] = []
        var limit = 0
    }

    private struct World {
        var people: [Person] = []
        var companies: [Company] = []

        init(_ random: inout SeededGenerator) {
            func maybe<T>(_ value: @autoclosure () -> T) -> T? { Bool.random(using: &random) ? value() : nil }
            let names = ["", "Smith", "Smyth", "Jones", "smith", "Örn", "%", "S_", "a\\b", "日本", "O'Neil", "Sm"]
            companies = (0..<6).map { index in
                let company = Company()
                company.name = ["Acme", "Acme", "Zorg", "", "ab", "Ünit"][index]
                company.size = maybe(Int.random(in: 0...4, using: &random))
                company.isListed = Bool.random(using: &random)
                return company
            }
            for company in companies { company.rival = maybe(companies.randomElement(using: &random) ?? company) }
            people = (0..<60).map { _ in
                let person = Person()
                person.lastName = names.randomElement(using: &random) ?? ""
                person.nick = maybe(names.randomElement(using: &random) ?? "")
                person.age = Int.random(in: -2...5, using: &random)
                person.score = maybe(Double(Int.random(in: -4...4, using: &random)) / 2)
                person.status = Status.allCases.randomElement(using: &random) ?? .away
                person.mood = maybe(Status.allCases.randomElement(using: &random) ?? .away)
                person.isActive = Bool.random(using: &random)
                person.isMarried = maybe(Bool.random(using: &random))
                person.born = Date(timeIntervalSinceReferenceDate: Double.random(in: -3e9...3e9, using: &random))
                person.photo = maybe(Data([UInt8.random(in: 0...2, using: &random)]))
                person.employer = maybe(companies.randomElement(using: &random) ?? Company())
                person.tags = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    ["x", "y", "z"].randomElement(using: &random) ?? ""
                }
                person.numbers = maybe(Set((0..<Int.random(in: 0...2, using: &random)).map { $0 }))
                for key in ["a", "b"] where Bool.random(using: &random) { person.marks[key] = 1.5 }
                person.limit = Int.random(in: 0...4, using: &random)
                return person
            }
            for person in people {
                person.mentor = maybe(people.randomElement(using: &random) ?? person)
                person.friends = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
                    people.randomElement(using: &random)
                }
            }
        }
    }

    /// Compares a query with a filter, also negated and combined with other conditions.
    private func check(
        _ people: [Person], _ condition: (Columns<Person>) -> Condition, _ filter: (Person) -> Bool,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        func same(_ query: Query<Person>, _ expected: [Person]) throws {
            let found = try query.all()
            #expect(Set(found) == Set(expected) && found.count == expected.count, sourceLocation: location)
            try expect(query.count(), expected.count, sourceLocation: location)
            try expect(query.exists(), !expected.isEmpty, sourceLocation: location)
        }
        try same(Person.where(condition), people.filter(filter))
        try same(Person.where { !condition($0) }, people.filter { !filter($0) })
        try same(Person.where { !(!condition($0) && $0.age > 1) }, people.filter { !(!filter($0) && $0.age > 1) })
        try same(
            Person.where { $0.nick == nil || !condition($0) },
            people.filter { $0.nick == nil || !filter($0) })
    }

    @Test(arguments: SeededGenerator.seeds(6))
    func `conditions find the same objects as Swift filters`(seed: UInt64) throws {
        try withTemporarySession { session, _ throws in
            var random = SeededGenerator(seed: seed)
            let world = World(&random)
            try session.save(world.people + world.companies)
            let people = world.people
            let (acme, someone) = (world.companies[0], people[3])
            // Equality and order.
            try check(people, { $0.lastName == "Smith" }, { $0.lastName == "Smith" })
            try check(people, { $0.lastName != "Smith" }, { $0.lastName != "Smith" })
            try check(people, { $0.nick == nil }, { $0.nick == nil })
            try check(people, { $0.nick != nil }, { $0.nick != nil })
            try check(people, { $0.nick != "Smith" }, { $0.nick != "Smith" })
            try check(people, { $0.nick == "Smith" }, { $0.nick == "Smith" })
            try check(people, { $0.age > 2 }, { $0.age > 2 })
            try check(people, { $0.score >= 0.5 }, { $0.score.map { $0 >= 0.5 } ?? false })
            try check(people, { $0.score < 0 }, { $0.score.map { $0 < 0 } ?? false })
            try check(people, { $0.status == .active }, { $0.status == .active })
            try check(people, { $0.mood != .away }, { $0.mood != .away })
            try check(people, { $0.mood == nil }, { $0.mood == nil })
            try check(people, { $0.photo == Data([1]) }, { $0.photo == Data([1]) })
            try check(people, { $0.token == someone.token }, { $0.token == someone.token })
            try check(
                people, { $0.born > Date(timeIntervalSinceReferenceDate: 0) },
                { $0.born.timeIntervalSinceReferenceDate > 0 })
            try check(people, { $0.id == someone.id }, { $0.id == someone.id })
            try check(people, { $0.isActive }, { $0.isActive })
            try check(people, { $0.isActive == false }, { $0.isActive == false })
            try check(people, { $0.isMarried }, { $0.isMarried == true })
            try check(people, { $0.isMarried == false }, { $0.isMarried == false })
            try check(people, { $0.isMarried != true }, { $0.isMarried != true })
            try check(people, { $0.isMarried == nil }, { $0.isMarried == nil })
            // Ranges and lists.
            try check(people, { $0.age.isIn(0...3) }, { (0...3).contains($0.age) })
            try check(people, { $0.age.isIn(0..<3) }, { (0..<3).contains($0.age) })
            try check(people, { $0.age.isIn(2...) }, { $0.age >= 2 })
            try check(people, { $0.age.isIn(...2) }, { $0.age <= 2 })
            try check(people, { $0.score.isIn(-1...0.5) }, { $0.score.map { (-1...0.5).contains($0) } ?? false })
            try check(people, { $0.age.isIn([1, 4, 99]) }, { [1, 4, 99].contains($0.age) })
            try check(people, { $0.age.isIn([Int]()) }, { _ in false })
            try check(
                people, { $0.nick.isIn(["Smith", "O'Neil", "%"]) },
                { $0.nick.map { ["Smith", "O'Neil", "%"].contains($0) } ?? false })
            try check(people, { $0.mood.isIn([.away, .active]) }, { $0.mood == .away || $0.mood == .active })
            // Strings.
            for part in ["S", "Sm", "", "%", "_", "\\", "Ö", "本", "th"] {
                try check(people, { $0.lastName.hasPrefix(part) }, { $0.lastName.hasPrefix(part) })
                try check(people, { $0.nick.hasPrefix(part) }, { $0.nick?.hasPrefix(part) ?? false })
                try check(people, { $0.lastName.hasSuffix(part) }, { $0.lastName.hasSuffix(part) })
                try check(people, { $0.nick.hasSuffix(part) }, { $0.nick?.hasSuffix(part) ?? false })
                // In Foundation no string contains the empty string; in the standard library, and here, all do.
                try check(
                    people, { $0.nick.contains(part) }, { $0.nick.map { part.isEmpty || $0.contains(part) } ?? false })
            }
            try check(people, { $0.lastName.like("Sm_th") }, { ["Smith", "Smyth"].contains($0.lastName) })
            try check(people, { $0.nick.like("S%") }, { $0.nick?.hasPrefix("S") ?? false })
            try check(people, { $0.nick.like("S\\_") }, { $0.nick == "S_" })
            try check(people, { $0.nick.isEmpty }, { $0.nick?.isEmpty ?? false })
            try check(people, { $0.lastName + "x" == "Smithx" }, { $0.lastName + "x" == "Smithx" })
            try check(people, { ($0.nick ?? "none") == "none" }, { ($0.nick ?? "none") == "none" })
            try check(people, { ($0.nick ?? $0.lastName) == "Smith" }, { ($0.nick ?? $0.lastName) == "Smith" })
            // Columns compared with columns, and arithmetic.
            try check(people, { $0.age == $0.limit }, { $0.age == $0.limit })
            try check(people, { $0.age < $0.limit }, { $0.age < $0.limit })
            try check(people, { $0.nick == $0.lastName }, { $0.nick == $0.lastName })
            try check(people, { $0.nick != $0.lastName }, { $0.nick != $0.lastName })
            try check(people, { $0.age + $0.limit > 4 }, { $0.age + $0.limit > 4 })
            try check(people, { $0.age * 2 - 1 == 3 }, { $0.age * 2 - 1 == 3 })
            try check(people, { $0.age % 2 == 1 }, { $0.age % 2 == 1 })
            try check(people, { $0.age / 2 == 1 }, { $0.age / 2 == 1 })
            try check(people, { $0.age / $0.limit == 1 }, { $0.limit != 0 && $0.age / $0.limit == 1 })
            try check(people, { $0.score / 2 > 0.2 }, { $0.score.map { $0 / 2 > 0.2 } ?? false })
            // Dates.
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            try check(people, { $0.born.year > 2000 }, { calendar.component(.year, from: $0.born) > 2000 })
            try check(people, { $0.born.month == 3 }, { calendar.component(.month, from: $0.born) == 3 })
            try check(people, { $0.born.hour < 12 }, { calendar.component(.hour, from: $0.born) < 12 })
            try check(people, { $0.born.weekday == 1 }, { calendar.component(.weekday, from: $0.born) == 1 })
            // References.
            try check(people, { $0.employer == acme }, { $0.employer == acme })
            try check(people, { $0.employer != acme }, { $0.employer != acme })
            try check(people, { $0.employer == nil }, { $0.employer == nil })
            try check(people, { $0.employer == acme.persistentID }, { $0.employer == acme })
            try check(people, { $0.employer.isIn([acme]) }, { $0.employer == acme })
            try check(people, { $0.employer.id == acme.id }, { $0.employer?.id == acme.id })
            try check(people, { $0.employer.id > 3 }, { ($0.employer?.id).map { $0 > 3 } ?? false })
            try check(people, { $0.employer.name == "Acme" }, { $0.employer?.name == "Acme" })
            try check(people, { $0.employer.name != "Acme" }, { $0.employer?.name != "Acme" })
            try check(people, { $0.employer.name == nil }, { $0.employer?.name == nil })
            try check(people, { $0.employer.size > 1 }, { ($0.employer?.size).map { $0 > 1 } ?? false })
            try check(people, { $0.employer.isListed }, { $0.employer?.isListed ?? false })
            try check(people, { $0.employer.rival.name == "Zorg" }, { $0.employer?.rival?.name == "Zorg" })
            try check(people, { $0.mentor.employer == $0.employer }, { $0.mentor?.employer == $0.employer })
            try check(people, { $0.mentor.age > $0.age }, { me in me.mentor.map { $0.age > me.age } ?? false })
            // Collections.
            try check(people, { $0.tags.contains("x") }, { $0.tags.contains("x") })
            try check(people, { $0.tags.isEmpty }, { $0.tags.isEmpty })
            try check(people, { $0.tags.count >= 2 }, { $0.tags.count >= 2 })
            try check(people, { $0.marks.contains(1.5) }, { $0.marks.values.contains(1.5) })
            try check(people, { $0.marks.count == 1 }, { $0.marks.count == 1 })
            try check(people, { $0.numbers == nil }, { $0.numbers == nil })
            try check(people, { $0.numbers.contains(1) }, { $0.numbers?.contains(1) ?? false })
            try check(people, { $0.friends.contains(someone) }, { $0.friends.contains(someone) })
            try check(people, { $0.friends.any { $0.age > 3 } }, { $0.friends.contains { $0.age > 3 } })
            try check(people, { $0.friends.all { $0.age > 1 } }, { $0.friends.allSatisfy { $0.age > 1 } })
            try check(
                people, { me in me.friends.any { $0.employer.name == "Acme" && $0.age > me.age } },
                { me in me.friends.contains { $0.employer?.name == "Acme" && $0.age > me.age } })
            try check(
                people, { $0.friends.any { $0.friends.any { $0.isActive } } },
                { $0.friends.contains { $0.friends.contains { $0.isActive } } })
            try check(
                people, { $0.employer.staff.any { $0.nick == nil } },
                { $0.employer?.staff.contains { $0.nick == nil } ?? false })
            try check(people, { $0.employer.staff.count > 4 }, { ($0.employer?.staff.count ?? 0) > 4 })
            try check(people, { $0.employer.staff.isEmpty }, { $0.employer?.staff.isEmpty ?? false })
            // Other queries.
            try check(
                people, { $0.employer.isIn(Company.where { $0.isListed }) }, { $0.employer?.isListed ?? false })
            try check(
                people, { $0.nick.isIn(Person.where { $0.age > 3 }, \.lastName) },
                { person in people.contains { $0.age > 3 && $0.lastName == person.nick } })
            try check(
                people, { $0.lastName.isIn(Person.where { $0.friends.any { $0.isActive } }, \.nick) },
                { person in people.contains { $0.nick == person.lastName && $0.friends.contains { $0.isActive } } })
            try check(
                people, { me in me.friends.any { $0.employer.isIn(Company.where { $0.rival.name == "Acme" }) } },
                { me in me.friends.contains { $0.employer?.rival?.name == "Acme" } })
            try check(people, { $0.employer.isIn(Company.query) }, { $0.employer != nil })
            #expect(throws: QueryError.self) {
                try Person.where { $0.employer.isIn(Company.query.limit(1)) }.count()
            }
            // Combined conditions.
            try check(
                people,
                {
                    $0.nick == nil || $0.status == .active && $0.isActive && $0.age.isIn(1...3) || $0.tags.contains("y")
                },
                {
                    $0.nick == nil || $0.status == .active && $0.isActive && (1...3).contains($0.age)
                        || $0.tags.contains("y")
                })
        }
    }
}
