import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Criteria strings: the part of a SELECT after the table name, with bound arguments.
struct CriteriaTests {
    enum Status: String, Codable { case active, retired }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age: Int?
        var born = Date(timeIntervalSinceReferenceDate: 0)
        var uuid = UUID()
        var status = Status.active
        var data = Data()
        var price = Decimal(0)
        var isActive = true
    }

    final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var name = ""
        var age = 0
        var personID: Int64 = 0
    }

    /// Five people: P0 with age nil, then P1 to P4 with age 10 to 40.
    private func withPeople(_ body: (Session, TemporaryStore, [Person]) throws -> Void) throws {
        try withTemporarySession { session, file in
            let people = (0..<5).map { number in
                let person = Person()
                person.name = "P\(number)"
                person.age = number == 0 ? nil : number * 10
                person.born = Date(timeIntervalSinceReferenceDate: Double(number) / 3)
                person.status = number > 2 ? .retired : .active
                person.data = Data([UInt8(number)])
                person.price = Decimal(number) / 4
                person.isActive = number == 3
                return person
            }
            try session.save(people)
            try body(session, file, people)
        }
    }

    private static let isSame = TestEngine.isPostgres ? "IS NOT DISTINCT FROM" : "IS"

    @Test func `criteria select, sort and limit`() throws {
        try withPeople { _, _, people throws in
            try expect(Person.findByCriteria("WHERE age > ? ORDER BY age DESC", 15), [people[4], people[3], people[2]])
            try expect(Person.findByCriteria("ORDER BY age NULLS FIRST LIMIT 2 OFFSET 1"), [people[1], people[2]])
            #expect(try Person.findByCriteria("") == people && Person.findByCriteria("  \n ") == people)
            try expect(
                Person.findByCriteria("WHERE age BETWEEN ? AND ? AND name <> ?", 10, 30, "P2"), [people[1], people[3]])
            try expect(Person.findByCriteria("WHERE age \(CriteriaTests.isSame) ?", nil), [people[0]])
            try expect(Person.findByCriteria("WHERE name IN (?, ?)", "P1", "P3"), [people[1], people[3]])
            try expect(Person.findByCriteria("WHERE id = (SELECT max(id) FROM person)"), [people[4]])
            try expect(Person.findByCriteria("WHERE name LIKE ? -- a comment", "P%"), people)
            try expect(Person.findByCriteria("WHERE name = ?2 OR name = ?1", "P1", "P0"), [people[0], people[1]])
            try expect(Person.findByCriteria("/* all */ WHERE 1 = 1 /* of them */"), people)
            // Criteria that only SQLite accepts.
            guard !TestEngine.isPostgres else { return }
            try expect(Person.findByCriteria("GROUP BY status ORDER BY status").count, 2)
            try expect(Person.findByCriteria("WHERE name LIKE ? -- a comment", "p%"), people)
            try expect(Person.findByCriteria("/* all */ WHERE 1 /* of them"), people)
        }
    }

    final class Ranked: PersistentObject {
        override class var tableName: String { "ranked" }
        @Indexed var rank = 0
    }

    @Test func `criteria with a limit and without an order take the smallest ids, whichever index is used`() throws {
        try withTemporarySession { session, _ in
            let all = (0..<4).map { number in
                let ranked = Ranked()
                ranked.rank = 10 - number
                return ranked
            }
            try session.save(all)
            try expect(Ranked.findByCriteria("WHERE rank > 0 LIMIT 2"), [all[0], all[1]])
            try expect(Ranked.findByCriteria("WHERE rank > 0 LIMIT 2 OFFSET 1"), [all[1], all[2]])
            #expect(try Ranked.findFirstByCriteria("WHERE rank > 0") === all[0])
            try expect(Ranked.findByCriteria("WHERE rank > 0 ORDER BY rank LIMIT 2"), [all[3], all[2]])
        }
    }

    @Test func `findFirstByCriteria returns the first object, and countByCriteria the count`() throws {
        try withPeople { session, _, people throws in
            #expect(try Person.findFirstByCriteria("ORDER BY age DESC NULLS LAST") === people[4])
            #expect(try Person.findFirstByCriteria("WHERE age > ?", 100) == nil)
            #expect(try Person.countByCriteria("WHERE age > ?", 15) == 3 && Person.countByCriteria("") == 5)
            #expect(try Person.countByCriteria("LIMIT 2") == 2 && Person.countByCriteria("WHERE 1 = 0") == 0)
            try expect(Person.countByCriteria("ORDER BY age LIMIT 3 OFFSET 4"), 1)
            if !TestEngine.isPostgres { try expect(Person.countByCriteria("GROUP BY status"), 2) }
            try expect(Person.countByCriteria("WHERE age > ? -- grown up", 15), 3)
            expect(session.busyStatementCount, 0)
        }
    }

    @Test func `arguments of every type are bound in their column format`() throws {
        try withPeople { _, _, people throws in
            let three = people[3]
            let calls: [(String, Any?)] = [
                ("name", three.name), ("name", Substring("P3")), ("age", 30), ("age", Int8(30)), ("age", UInt64(30)),
                ("age", 30.0), ("born", three.born), ("uuid", three.uuid), ("data", three.data),
                ("data", [3] as [UInt8]),
                ("price", three.price), ("is_active", true), ("id", Int64(4)), ("age", .some(Int?.some(30) as Any)),
            ]
            for (column, argument) in calls {
                let found = try Criteria(Person.self, "WHERE \(column) = ?", [argument]).objects()
                expect(found, [three], "\(column) \(String(describing: argument))")
            }
            try expect(Person.findByCriteria("WHERE status = ?", Status.retired), [people[3], people[4]])
            try expect(Person.findByCriteria("WHERE age \(CriteriaTests.isSame) ?", Int?.none), [people[0]])
        }
    }

    @Test func `an argument of an unsupported type or value throws`() throws {
        struct Opaque {}
        try withPeople { session, _, _ throws in
            let opaque = #expect(throws: StoreError.self) { try Person.findByCriteria("WHERE age = ?", Opaque()) }
            #expect(opaque?.code == .misuse && opaque?.message.contains("Argument 1 has the type Opaque") == true)
            let nan = #expect(throws: StoreError.self) {
                try Person.countByCriteria("WHERE age = ? OR age = ?", 1, Double.nan)
            }
            #expect(nan?.code == .notRepresentable && nan?.className == "Person")
            #expect(throws: StoreError.self) { try Person.findByCriteria("WHERE age = ?", Person()) }
            #expect(session.busyStatementCount == 0)
        }
    }

    @Test func `too few or too many arguments throw`() throws {
        try withPeople { _, _, _ throws in
            for (arguments, count) in [([], 0), ([1], 1), ([1, 2, 3], 3)] as [([Any?], Int)] {
                let error = #expect(throws: StoreError.self) {
                    try Criteria(Person.self, "WHERE age > ? AND age < ?", arguments).objects()
                }
                #expect(error?.code == .invalidSQL)
                #expect(
                    error?.message
                        == "The criteria have 2 placeholders, but the call has \(count) "
                        + "\(count == 1 ? "argument" : "arguments")")
            }
            #expect(throws: StoreError.self) { try Person.countByCriteria("", 1) }
            #expect(throws: StoreError.self) { try Person.findByCriteria("WHERE name = ?2", "P1") }
        }
    }

    private static let bad = [
        "WHERE", "WHERE nme = 1", "WHERE \"nme\" = 1", "WHERE \"Smith\" = name", "WHERE name = \"P1\"", "nonsense",
        "WHERE age > 1; DELETE FROM person", "WHERE 1; SELECT 1", "; DROP TABLE person",
        "WHERE 1; UPDATE person SET age = 1",
        "WHERE age = 1 ;; DELETE FROM person --", "; PRAGMA writable_schema = 1", "WHERE 1 RETURNING *",
        "UPDATE person SET age = 1", "DELETE FROM person", "PRAGMA user_version = 5", "WHERE (DELETE FROM person)",
        "; ATTACH 'x.sqlite' AS x", "WHERE 1 INTO other", "; COMMIT", "\0; DELETE FROM person",
        "WHERE 1\0; DELETE FROM person", "WHERE 'unfinished", "WHERE 1 -- \n; DELETE FROM person", ") WHERE 1 --",
        "WHERE age = :name", "WHERE ?",
    ]

    @Test(arguments: bad)
    func `text that is not a criteria string is refused and changes nothing`(text: String) throws {
        try withPeople { session, file, people throws in
            let all = "SELECT * FROM person ORDER BY id\(TestEngine.isPostgres ? "" : "; PRAGMA user_version")"
            let before = try file.sqlite(all)
            for find in [
                { _ = try Person.findByCriteria(text) }, { _ = try Person.findFirstByCriteria(text) },
                { _ = try Person.countByCriteria(text) },
            ] {
                let error = #expect(throws: StoreError.self) { try find() }
                #expect(error?.code == .invalidSQL, "\(String(describing: error))")
                #expect(error?.className == "Person" || error?.sql != nil)
            }
            #expect(try file.sqlite(all) == before)
            #expect(try Person.all() == people && session.busyStatementCount == 0)
        }
    }

    @Test func `functions that access other files are not available`() throws {
        try withPeople { _, _, _ throws in
            for call in [
                "load_extension('x')", "writefile('x', 'y')", "readfile('/etc/passwd')", "fts3_tokenizer('x')",
            ] {
                #expect(throws: StoreError.self, "\(call)") { try Person.findByCriteria("WHERE \(call)") }
            }
        }
    }

    @Test func `a misspelled column throws the engine's error with its name`() throws {
        try withPeople { _, _, _ throws in
            let error = #expect(throws: StoreError.self) { try Person.findByCriteria("WHERE \"lst_name\" = ?", "x") }
            expect(
                error?.message.contains(
                    TestEngine.isPostgres ? "column \"lst_name\" does not exist" : "no such column: lst_name"), true)
            expect(error?.sql?.hasSuffix("WHERE \"lst_name\" = ?"), true)
        }
    }

    @Test func `joins with equal column names return objects of the class`() throws {
        try withPeople { session, _, people throws in
            let pets = [(2, "P0"), (2, "Rex"), (4, "Tom")].map { owner, name in
                let pet = Pet()
                pet.personID = Int64(owner)
                pet.name = name
                pet.age = 99
                return pet
            }
            try session.save(pets)
            let join = "JOIN pet ON pet.person_id = person.id"
            #expect(try Person.findByCriteria("\(join) WHERE pet.name = ?", "Rex") == [people[1]])
            #expect(try Person.findByCriteria("\(join) ORDER BY pet.id") == [people[1], people[1], people[3]])
            #expect(people[1].age == 10 && people[1].name == "P1")
            #expect(try Person.countByCriteria("\(join) WHERE pet.age = 99") == 3)
            #expect(
                try Pet.findByCriteria("JOIN person ON person.id = pet.person_id WHERE person.age = ?", 30) == [pets[2]]
            )
            #expect(throws: StoreError.self) { try Person.findByCriteria("\(join) WHERE name = ?", "x") }
            let fresh = try session.store.withSession { _ in
                try Person.findFirstByCriteria("\(join) ORDER BY pet.id")?.age
            }
            #expect(fresh == 10)
        }
    }

    @Test func `criteria return the instances in memory, with their edits`() throws {
        try withPeople { session, file, people throws in
            people[1].name = "edited"
            _ = try file.sqlite("UPDATE person SET age = age + 1")
            try expect(Person.findByCriteria("WHERE age = 11"), [people[1]])
            #expect(people[1].name == "edited" && people[1].age == 11)
            #expect(try session.space(of: Person.self).identity.brokenInvariant() == nil)
        }
    }
}
