import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Each operator, by name and by key path, finds the same objects as a Swift filter, including nil values.
struct FinderOperatorTests {
    enum Status: String, CaseIterable { case active, retired }

    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        var name = ""
        var size: Int?
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var lastName = ""
        var nick: String?
        var age: Int?
        var score = 0.0
        var status: Status?
        var isActive = false
        var isMarried: Bool?
        var price = Decimal(0)
        var employer: Company?
        var tags: [String] = []
        var friends: [Person] = []
        @Unique var email: String? = nil
    }

    private func with(_ seed: UInt64, _ body: (Session, [Person], [Company]) throws -> Void) throws {
        try withTemporarySession { session, _ throws in
            var random = SeededGenerator(seed: seed)
            let names = ["", "Smith", "SMITH", "Smyth", "Ørsted", "ØRSTED", "%", "a_b", "日本"]
            let companies = (0..<3).map { index in
                let company = Company()
                (company.name, company.size) = (["Acme", "acme", "Zorg"][index], index == 0 ? nil : index)
                return company
            }
            let people = (0..<50).map { _ in
                let person = Person()
                person.lastName = names.randomElement(using: &random) ?? ""
                person.nick = Bool.random(using: &random) ? names.randomElement(using: &random) : nil
                person.age = Bool.random(using: &random) ? Int.random(in: 0...5, using: &random) : nil
                person.score = Double(Int.random(in: 0...4, using: &random)) / 2
                person.status = Bool.random(using: &random) ? Status.allCases.randomElement(using: &random) : nil
                person.isActive = Bool.random(using: &random)
                person.isMarried = [true, false, nil].randomElement(using: &random) ?? nil
                person.employer = Bool.random(using: &random) ? companies.randomElement(using: &random) : nil
                person.tags = ["x", "y", "z"].filter { _ in Bool.random(using: &random) }
                return person
            }
            for person in people {
                person.friends = people.filter { _ in UInt8.random(in: 0...30, using: &random) == 0 }
            }
            try session.save(people + companies)
            try body(session, people, companies)
        }
    }

    @Test(.onSQLite("PostgreSQL has other regular expressions"), arguments: SeededGenerator.seeds(4))
    func `operators by name find the same objects as Swift filters`(seed: UInt64) throws {
        try with(seed) { _, people, companies throws in
            let check = FinderFilter(people)
            try check("findByAgeNot", 3) { $0.age != 3 }
            try check("findByAgeNot", nil) { $0.age != nil }
            try check("findByAgeBetween", 1, 3) { $0.age.map { (1...3).contains($0) } ?? false }
            try check("findByAgeNotBetween", 1, 3) { !($0.age.map { (1...3).contains($0) } ?? false) }
            try check("findByAgeInRange", 1..<3) { $0.age.map { (1..<3).contains($0) } ?? false }
            try check("findByAgeInRange", 2...) { $0.age.map { $0 >= 2 } ?? false }
            try check("findByAgeLessThan", 3) { $0.age.map { $0 < 3 } ?? false }
            try check("findByAgeNotLessThan", 3) { !($0.age.map { $0 < 3 } ?? false) }
            try check("findByAgeLessThanEqual", 3) { $0.age.map { $0 <= 3 } ?? false }
            try check("findByScoreGreaterThan", 1) { $0.score > 1 }
            try check("findByScoreGreaterThanOrEqualTo", 1.5) { $0.score >= 1.5 }
            try check("findByAgeIsNull") { $0.age == nil }
            try check("findByAgeIsNotNil") { $0.age != nil }
            try check("findByAgeIn", [1, 2]) { $0.age == 1 || $0.age == 2 }
            try check("findByAgeIn", [1, nil]) { $0.age == 1 || $0.age == nil }
            try check("findByAgeNotIn", [1, 2]) { $0.age != 1 && $0.age != 2 }
            try check("findByAgeIn", [Int]()) { _ in false }
            try check("findByAgeNotIn", [Int]()) { _ in true }
            try check("findByStatusIn", [Status.active]) { $0.status == .active }
            try check("findByStatusNot", Status.active) { $0.status != .active }
            try check("findByIsActiveTrue") { $0.isActive }
            try check("findByIsMarriedFalse") { $0.isMarried == false }
            try check("findByIsMarriedNotTrue") { $0.isMarried != true }
            try check("findByLastNameLike", "Sm%") { $0.lastName.hasPrefix("Sm") }
            try check("findByLastNameLike", "a\\_b") { $0.lastName == "a_b" }
            try check("findByNickNotLike", "Sm%") { !($0.nick?.hasPrefix("Sm") ?? false) }
            try check("findByLastNameIlike", "sm%") { $0.lastName.lowercased().hasPrefix("sm") }
            try check("findByLastNameStartingWith", "%") { $0.lastName.hasPrefix("%") }
            try check("findByLastNameStartingWithIgnoreCase", "ø") { $0.lastName.lowercased().hasPrefix("ø") }
            try check("findByNickEndsWith", "ith") { $0.nick?.hasSuffix("ith") ?? false }
            try check("findByLastNameContaining", "_") { $0.lastName.contains("_") }
            try check("findByLastNameNotContaining", "m") { !$0.lastName.contains("m") }
            try check("findByLastNameMatches", "^S.*h$") { $0.lastName.hasPrefix("S") && $0.lastName.hasSuffix("h") }
            try check("findByLastNameIgnoreCase", "øRSTED") { $0.lastName.lowercased() == "ørsted" }
            try check("findByLastNameAndNickAllIgnoreCase", "smith", nil) {
                $0.lastName.lowercased() == "smith" && $0.nick == nil
            }
            try check("findByLastNameIsEmpty") { $0.lastName.isEmpty }
            try check("findByNickIsNotEmpty") { $0.nick.map { !$0.isEmpty } ?? false }
            try check("findByTagsContaining", "x") { $0.tags.contains("x") }
            try check("findByTagsNotContaining", "x") { !$0.tags.contains("x") }
            try check("findByTagsContainingAll", ["x", "y"]) { $0.tags.contains("x") && $0.tags.contains("y") }
            try check("findByTagsContainingAny", ["x", "y"]) { $0.tags.contains("x") || $0.tags.contains("y") }
            try check("findByTagsIsNotEmpty") { !$0.tags.isEmpty }
            try check("findByEmployerIn", [companies[0]]) { $0.employer == companies[0] }
            try check("findByEmployerNot", companies[0]) { $0.employer != companies[0] }
            try check("findByEmployerNameIgnoreCase", "ACME") { $0.employer?.name.lowercased() == "acme" }
            try check("findByEmployerSizeGreaterThan", 1) { ($0.employer?.size).map { $0 > 1 } ?? false }
            try check("findByEmployerSizeIsNull") { $0.employer?.size == nil }
            try check("findByFriendsAgeGreaterThan", 3) { $0.friends.contains { ($0.age ?? 0) > 3 } }
            try check("findByFriendsAgeAndFriendsIsActiveTrue", 3) {
                $0.friends.contains { $0.age == 3 && $0.isActive }
            }
            try check("findByAgeOrLastNameAndIsActiveTrue", 3, "Smith") {
                $0.age == 3 || $0.lastName == "Smith" && $0.isActive
            }
        }
    }

    @Test func `finders by name support order, limit, offset, findFirst and findLast`() throws {
        try with(9) { _, people, _ throws in
            let ordered = people.sorted { ($0.score, $0.id ?? 0) < ($1.score, $1.id ?? 0) }
            #expect(try Person.listOrderByScore() == ordered)
            #expect(try Person.findFirst3ByIdGreaterThanOrderByScore(0) == Array(ordered[..<3]))
            #expect(try Person.findLast2ByIdGreaterThanOrderByScore(0) == Array(ordered.suffix(2)))
            let last: Person? = try Person.findLastByIdGreaterThan(0)
            #expect(last === people.last)
            let byTwo = people.sorted {
                ($1.score, $0.lastName, $0.id ?? 0) < ($0.score, $1.lastName, $1.id ?? 0)
            }
            #expect(try Person.findAllOrderByScoreDescAndLastName() == byTwo)
            #expect(try Person.listOrderByScore(limit: 4, offset: 3) == Array(ordered[3..<7]))
            #expect(try Person.findByIdGreaterThan(0, limit: 0).isEmpty)
            #expect(throws: FinderError.self) { try Person.countByIdGreaterThan(0, limit: 1) }
            let ids: [Int64] = try Person.idsByIsActiveTrue()
            #expect(Set(ids) == Set(people.filter(\.isActive).compactMap(\.id)))
        }
    }

    @Test func `finders by name support sums, averages, minima and maxima`() throws {
        try with(10) { _, people, _ throws in
            let ages = people.compactMap(\.age)
            let sum: Int? = try Person.sumOfAge()
            let average: Double? = try Person.averageOfAge()
            let oldest: Int? = try Person.maxOfAgeByLastName("Smith")
            let total: Double? = try Person.totalOfScoreByLastName("nobody")
            let nothing: Int? = try Person.sumOfAgeByLastName("nobody")
            let first: String? = try Person.minOfLastName()
            #expect(sum == ages.reduce(0, +))
            #expect(average == Double(ages.reduce(0, +)) / Double(ages.count))
            #expect(oldest == people.filter { $0.lastName == "Smith" }.compactMap(\.age).max())
            #expect(total == 0 && nothing == nil && first == people.map(\.lastName).min())
            #expect(throws: FinderError.self) { let _: String? = try Person.maxOfAge() }
            let prices: Decimal? = try Person.sumOfPrice()
            let price: Decimal? = try Person.averageOfPrice()
            let priceTotal: Double? = try Person.totalOfPrice()
            let dearest: Decimal? = try Person.maxOfPrice()
            let wanted = people.map(\.price).reduce(0, +)
            #expect(prices == wanted && price == wanted / Decimal(people.count))
            #expect(priceTotal == NSDecimalNumber(decimal: wanted).doubleValue)
            #expect(dearest == people.map(\.price).max())
            // A Double cannot hold all digits of the sum.
            let inexact = #expect(throws: FinderError.self) { let _: Double? = try Person.sumOfPrice() }
            #expect(inexact.map { "\($0)".contains("let answer: Decimal? = try Person.sumOfPrice(…)") } == true)
            // The suggested type is a valid one.
            let guess = #expect(throws: FinderError.self) { _ = try Person.sumOfScore() }
            #expect(guess.map { "\($0)".contains("let answer: Double? = try Person.sumOfScore(…)") } == true)
            let most = #expect(throws: FinderError.self) { _ = try Person.maxOfLastName() }
            #expect(most.map { "\($0)".contains("let answer: String? = ") } == true)
            #expect(throws: FinderError.self) { let _: Int? = try Person.findByAge(1) }
        }
    }

    @Test func `findOrCreateBy and findOrInitializeBy work by name and by key path`() throws {
        try with(11) { session, _, _ throws in
            let count = try Person.count()
            let ann: Person = try Person.findOrCreateByEmail("ann@x")
            #expect(ann.email == "ann@x" && !ann.isNew)
            #expect(try Person.findOrCreateBy.email("ann@x") === ann)
            let bob = try Person.findOrCreateBy.email("bob@x")
            let again: Person = try Person.findOrCreateByEmail("bob@x")
            #expect(bob === again && bob !== ann)
            let new: Person = try Person.findOrInitializeByEmailAndAge("cid@x", 7)
            #expect(new.isNew && new.email == "cid@x" && new.age == 7)
            try expect(Person.count(), count + 2)
            // Another session creates the object first.
            try session.store.withSession { _ in _ = try Person.findOrCreateBy.email("dan@x") }
            try expect(Person.findOrCreateBy.email("dan@x").email, "dan@x")
            try expect(Person.count(), count + 3)
        }
    }

    @Test(.onSQLite("PostgreSQL has other regular expressions"), arguments: SeededGenerator.seeds(3))
    func `operators by key path find the same objects as Swift filters`(seed: UInt64) throws {
        try with(seed) { _, people, companies throws in
            let finders: [(() throws -> [Person], (Person) -> Bool)] = [
                ({ try Person.findBy.age(not: 3) }, { $0.age != 3 }),
                ({ try Person.findBy.age(not: nil) }, { $0.age != nil }),
                ({ try Person.findBy.age(in: [1, 2]) }, { $0.age == 1 || $0.age == 2 }),
                ({ try Person.findBy.age(notIn: [1, 2]) }, { $0.age != 1 && $0.age != 2 }),
                ({ try Person.findBy.age(in: 1...3) }, { $0.age.map { (1...3).contains($0) } ?? false }),
                ({ try Person.findBy.age(in: 1..<3) }, { $0.age.map { (1..<3).contains($0) } ?? false }),
                ({ try Person.findBy.age(in: 2...) }, { $0.age.map { $0 >= 2 } ?? false }),
                ({ try Person.findBy.score(in: ...1.5) }, { $0.score <= 1.5 }),
                ({ try Person.findBy.age(greaterThan: 3) }, { $0.age.map { $0 > 3 } ?? false }),
                ({ try Person.findBy.age(atLeast: 3) }, { $0.age.map { $0 >= 3 } ?? false }),
                ({ try Person.findBy.score(lessThan: 1) }, { $0.score < 1 }),
                ({ try Person.findBy.score(atMost: 1) }, { $0.score <= 1 }),
                (
                    { try Person.findBy.lastName(like: "S%h") },
                    { $0.lastName.hasPrefix("S") && $0.lastName.hasSuffix("h") }
                ),
                (
                    { try Person.findBy.lastName(startingWith: "sm", ignoringCase: true) },
                    { $0.lastName.lowercased().hasPrefix("sm") }
                ),
                ({ try Person.findBy.nick(endingWith: "th") }, { $0.nick?.hasSuffix("th") ?? false }),
                ({ try Person.findBy.nick(containing: "m") }, { $0.nick?.contains("m") ?? false }),
                ({ try Person.findBy.lastName(ignoringCase: "ØRSTED") }, { $0.lastName.lowercased() == "ørsted" }),
                (
                    { try Person.findBy.lastName(matching: "m.t") },
                    { $0.lastName.contains("mit") || $0.lastName.contains("myt") }
                ),
                ({ try Person.findBy.tags(containing: "x") }, { $0.tags.contains("x") }),
                ({ try Person.findBy.tags(isEmpty: true) }, { $0.tags.isEmpty }),
                ({ try Person.findBy.employer.size(atLeast: 1) }, { ($0.employer?.size).map { $0 >= 1 } ?? false }),
                ({ try Person.findBy.friends.age(greaterThan: 3) }, { $0.friends.contains { ($0.age ?? 0) > 3 } }),
                ({ try Person.findBy.employer(in: [companies[1]]) }, { $0.employer == companies[1] }),
                ({ try Person.where { $0.isActive }.findBy.age(atLeast: 2) }, { $0.isActive && ($0.age ?? 0) >= 2 }),
            ]
            for (index, (finder, filter)) in finders.enumerated() {
                #expect(Set(try finder()) == Set(people.filter(filter)), "finder \(index)")
            }
            let count = try Person.countBy.age(in: 0...9)
            let isThere = try Person.existsBy.score(greaterThan: 99)
            #expect(count == people.count { $0.age != nil } && !isThere)
        }
    }

    @Test func `wrong arguments are refused before any SQL runs`() throws {
        try with(12) { session, _, _ throws in
            let log = statements(of: session) {
                for (name, arguments) in [
                    ("findByAgeIn", [1]), ("findByAgeIn", [["x"]]), ("findByAgeBetween", [1, nil]),
                    ("findByAgeLessThan", [nil]), ("findByAgeInRange", [3]), ("findByLastNameLike", [nil]),
                    ("findByLastNameLike", [3]), ("findByLastNameIn", ["abc"]), ("findByAgeInRange", ["a"..."b"]),
                    ("findByIsActiveGreaterThan", [true]), ("findByPriceGreaterThan", ["x"]),
                    ("findByAgeIgnoreCase", [3]), ("findByAgeLike", ["3%"]), ("findByTagsBetween", ["a", "b"]),
                    ("findByEmployerLessThan", [1]), ("findByAgeIsTrue", []), ("findByTagsContainingAll", ["x"]),
                ] as [(String, [Any?])] {
                    #expect(throws: FinderError.self, "\(name)") {
                        try FinderCall(Person.self, name, arguments).objects()
                    }
                }
            }
            #expect(log.isEmpty)
        }
    }

    @Test func `finders accept long lists and long conditions up to the limit of a statement`() throws {
        try with(13) { session, people, _ throws in
            let many = Array(0..<Scale.of(100_000))
            #expect(Set(try Person.findBy.age(in: many)) == Set(people.filter { $0.age != nil }))
            #expect(
                Set(try Person.findByScoreIn(many.map(Double.init)))
                    == Set(people.filter { $0.score == $0.score.rounded() }))
            let either = try Person.where { columns in
                (0..<Scale.of(10_000)).reduce(columns.age == -1) { $0 || columns.age == $1 }
            }.count()
            #expect(either == people.count { $0.age != nil })
            let all = Person.where { columns in
                (0..<Scale.of(10_000)).reduce(columns.score >= 0) { $0 && columns.score > -Double($1) - 1 }
            }
            #expect(try all.count() == people.count)
            // Doubled 16 times, it has 65,536 values, which is more than a statement can have.
            let many65536 = Person.where { columns in
                (0..<16).reduce(columns.age == -1) { either, _ in either || either }
            }
            #expect(throws: QueryError.self) { try many65536.count() }
            #expect(session.busyStatementCount == 0)
        }
    }
}
