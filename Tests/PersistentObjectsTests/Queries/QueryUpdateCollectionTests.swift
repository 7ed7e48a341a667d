import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// `update { }` sets the same collection on all objects found, like an assignment to each object.
struct QueryUpdateCollectionTests {
    enum Kind: String, Codable, CaseIterable { case home, work }

    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age = 0
        var tags: [String] = []
        var kinds: Set<Kind> = []
        var marks: [String: Int] = [:]
        var days: [Date]?
        var holes: [Int?] = []
        @Lazy var notes: [String] = []
        var friends: [Person] = []
        var team: Team?
    }

    final class Manager: Person {
        var budgets: [Double] = []
    }

    final class Team: PersistentObject {
        override class var tableName: String { "team" }
        var name = ""
        var updatedAt = Date(timeIntervalSinceReferenceDate: 0)
        var createdAt = Date(timeIntervalSinceReferenceDate: 0)
        var colours: [String] = []
        @Inverse(\Person.team) var members: [Person]
    }

    private func people(_ count: Int) -> [Person] {
        (0..<count).map { index in
            let person = index % 3 == 2 ? Manager() : Person()
            person.name = "n\(index)"
            person.age = index
            person.tags = ["t\(index)", "x"]
            person.marks = ["m": index]
            person.days = index % 2 == 0 ? nil : [Date(timeIntervalSinceReferenceDate: 1)]
            return person
        }
    }

    @Test func `update sets collections in memory and in the rows found, and in no others`() throws {
        try withTemporarySession { session, file throws in
            let all = people(4)
            try session.save(all)
            let count = try Person.where { $0.age >= 2 }.update {
                $0.tags = ["a", "b", "a"]
                $0.kinds = [.home]
                $0.marks = ["p": 1, "q": 2]
                $0.holes = [nil, 3]
                $0.name = "new"
            }
            #expect(count == 2)
            #expect(all.map(\.tags) == [["t0", "x"], ["t1", "x"], ["a", "b", "a"], ["a", "b", "a"]])
            #expect(all[3].kinds == [.home] && all[0].kinds.isEmpty)
            #expect(all[2].marks == ["p": 1, "q": 2] && all[1].marks == ["m": 1])
            #expect(all[2].holes == [nil, 3])
            #expect(all.map(\.name) == ["n0", "n1", "new", "new"])
            #expect(all.allSatisfy { !$0.hasChanges })
            let ids = "(\(all[2].id ?? 0), \(all[3].id ?? 0))"
            #expect(
                try file.sqlite("SELECT value FROM person_tags WHERE owner_id IN \(ids) ORDER BY owner_id, position")
                    == "a\nb\na\na\nb\na")
            #expect(try file.sqlite("SELECT count(*) FROM person_tags") == "10")
            let found = try reopened(file) { try Person.where { $0.tags.contains("b") }.count() }
            #expect(found == 2)
        }
    }

    private func reopened<R>(_ file: TemporaryStore, _ body: () throws -> R) throws -> R {
        let store = try file.open()
        defer { store.close() }
        try store.prepare(Person.self, Manager.self)
        return try store.withSession { _ in try body() }
    }

    @Test func `the condition is evaluated before anything changes`() throws {
        try withTemporarySession { session, _ throws in
            let all = people(4)
            try session.save(all)
            let count = try Person.where { $0.tags.contains("t1") && $0.age == 1 }.update {
                $0.tags = []
                $0.age = 7
                $0.marks = [:]
            }
            expect(count, 1)
            #expect(all[1].tags.isEmpty && all[1].age == 7 && all[1].marks.isEmpty)
            expect(all[0].tags, ["t0", "x"])
            try expect(Person.query.order(by: \.age, .descending).limit(2).update { $0.tags = ["old"] }, 2)
            expect(all.map { $0.tags == ["old"] }, [false, true, false, true])
            try expect(Person.query.order(by: .random).limit(3).update { $0.kinds = [.work] }, 3)
            expect(all.count { $0.kinds == [.work] }, 3)
            try expect(Person.where { $0.age > 100 }.update { $0.tags = ["none"] }, 0)
        }
    }

    @Test func `update sets optional, lazy and subclass collections`() throws {
        try withTemporarySession { session, file throws in
            let all = people(6)
            try session.save(all)
            try Person.query.update { $0.days = [] }
            #expect(all.allSatisfy { $0.days == [] })
            try Person.where { $0.age < 3 }.update { $0.days = nil }
            #expect(all.map { $0.days == nil } == [true, true, true, false, false, false])
            #expect(try Person.where { $0.days == nil }.count() == 3)
            try Person.query.update { $0.notes = ["long"] }
            #expect(all.allSatisfy { $0.notes == ["long"] && !$0.hasChanges })
            #expect(try Manager.query.update { $0.budgets = [1, 2.5] } == 2)
            #expect(all.compactMap { ($0 as? Manager)?.budgets } == [[1, 2.5], [1, 2.5]])
            #expect(try file.sqlite("SELECT count(*) FROM person_budgets") == "4")
        }
    }

    @Test func `an update takes one DELETE and one INSERT per element, for any number of objects`() throws {
        try withTemporarySession { session, _ throws in
            for count in [1, 40] {
                try session.save(people(count))
                let log = try statements(of: session) { try Person.query.update { $0.tags = ["a", "b"] } }
                #expect(log.count { $0.hasPrefix("DELETE FROM \"person_tags\"") } == 1)
                #expect(log.count { $0.hasPrefix("INSERT INTO \"person_tags\"") } == 2)
                #expect(!log.contains { $0.hasPrefix("UPDATE") })
            }
        }
    }

    @Test func `update keeps unsaved edits, which can be saved later`() throws {
        try withTemporarySession { session, file throws in
            let all = people(2)
            try session.save(all)
            all[0].tags.append("mine")
            all[1].name = "edited"
            try Person.query.update { $0.tags = ["theirs"] }
            #expect(all[1].tags == ["theirs"] && all[1].name == "edited")
            #expect(all[0].tags == ["t0", "x", "mine"] && all[0].changes.map(\.name) == ["tags"])
            try withExtendedLifetime(all) { try session.saveChanges() }
            try expect(
                file.sqlite("SELECT value FROM person_tags WHERE owner_id = \(all[0].id ?? 0) ORDER BY position"),
                "t0\nx\nmine")
        }
    }

    @Test func `a rolled back transaction reverts the update in memory and in the file`() throws {
        try withTemporarySession { session, file throws in
            struct Stop: Error {}
            let all = people(3)
            try session.save(all)
            let before = try file.sqlite("SELECT * FROM person_tags ORDER BY 1, 2")
            #expect(throws: Stop.self) {
                try session.transaction {
                    try Person.query.update {
                        $0.tags = ["gone"]
                        $0.age = 9
                    }
                    #expect(all.allSatisfy { $0.tags == ["gone"] && $0.age == 9 })
                    throw Stop()
                }
            }
            #expect(all.map(\.tags) == [["t0", "x"], ["t1", "x"], ["t2", "x"]] && all.map(\.age) == [0, 1, 2])
            #expect(try file.sqlite("SELECT * FROM person_tags ORDER BY 1, 2") == before)
        }
    }

    @Test func `update sets updatedAt, and other sessions see it`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session in
                let team = Team()
                try team.save()
                let before = team.updatedAt
                try store.withSession { _ in _ = try Team.query.update { $0.colours = ["red"] } }
                try expect(Team.query.all(), [team])
                #expect(team.colours == ["red"] && team.updatedAt > before)
                _ = session
            }
        }
    }

    @Test func `collections of objects are refused with a suggestion`() throws {
        try withTemporarySession { session, _ throws in
            let all = people(2)
            try session.save(all)
            try Team().save()
            func refusal<T: Persistent>(
                _ query: Query<T>, _ changes: (inout Assignments<T>) throws -> Void
            ) throws -> String {
                var text = ""
                let log = statements(of: session) {
                    do { _ = try query.update(changes) } catch { text = "\(error)" }
                }
                #expect(log.isEmpty)
                return text
            }
            #expect(try refusal(Person.query) { $0.friends = [all[0]] }.contains("object.friends = …"))
            #expect(try refusal(Team.query) { $0.members = [] }.contains("Set the other side, Person.team"))
            #expect(
                try refusal(Person.query) {
                    $0.tags = ["a"]
                    $0.age = $0.tags.count
                }
                .contains("Person.tags is read after it was set"))
            #expect(try refusal(Person.query) { $0.tags.append("x") }.contains("Person.tags"))
        }
    }

    @Test(arguments: SeededGenerator.seeds(6))
    func `random updates equal assignments to each object`(seed: UInt64) throws {
        try withTemporarySession { session, file throws in
            var random = SeededGenerator(seed: seed)
            let all = people(20)
            try session.save(all)
            var model = all.map { (age: $0.age, tags: $0.tags, kinds: $0.kinds, marks: $0.marks, days: $0.days) }
            func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
            for _ in 0..<15 {
                let (low, high) = (number(0..<12), number(8..<25))
                let tags = (0..<number(0..<4)).map { "\($0 * number(0..<3))" }
                let kinds = Set(Kind.allCases.filter { _ in number(0..<2) == 0 })
                let marks = Dictionary((0..<number(0..<4)).map { ("k\($0)", number(0..<9)) }) { $1 }
                let days =
                    number(0..<3) == 0
                    ? nil : (0..<number(0..<3)).map { Date(timeIntervalSinceReferenceDate: Double($0)) }
                let parts = number(1..<32)
                let count = try Person.where { $0.age.isIn(low...max(low, high)) }.update {
                    if parts & 1 != 0 { $0.tags = tags }
                    if parts & 2 != 0 { $0.kinds = kinds }
                    if parts & 4 != 0 { $0.marks = marks }
                    if parts & 8 != 0 { $0.days = days }
                    if parts & 16 != 0 { $0.age = $0.age + 1 }
                }
                let chosen = model.indices.filter { (low...max(low, high)).contains(model[$0].age) }
                #expect(count == chosen.count)
                for index in chosen {
                    if parts & 1 != 0 { model[index].tags = tags }
                    if parts & 2 != 0 { model[index].kinds = kinds }
                    if parts & 4 != 0 { model[index].marks = marks }
                    if parts & 8 != 0 { model[index].days = days }
                    if parts & 16 != 0 { model[index].age += 1 }
                }
            }
            func check(_ people: [Person]) {
                #expect(people.map(\.age) == model.map(\.age) && people.map(\.tags) == model.map(\.tags))
                #expect(people.map(\.kinds) == model.map(\.kinds) && people.map(\.marks) == model.map(\.marks))
                #expect(people.map(\.days) == model.map(\.days))
                #expect(people.allSatisfy { !$0.hasChanges })
            }
            check(all)
            // Classes are saved separately, so the ids are in another order.
            let names = all.map(\.name)
            try reopened(file) {
                let byName = Dictionary(uniqueKeysWithValues: try Person.query.all().map { ($0.name, $0) })
                check(names.compactMap { byName[$0] })
            }
        }
    }
}
