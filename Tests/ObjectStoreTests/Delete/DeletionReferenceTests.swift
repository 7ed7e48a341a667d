import TestSupport
import Testing

@testable import PersistentObjects

/// Delete rules of references, in memory and in the file.
struct DeletionReferenceTests {
    final class Passport: PersistentObject {
        override class var tableName: String { "passport" }
        var number = ""
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        @OnDelete(.cascade) var passport: Passport?
        var boss: Person?
        @OnDelete(.deny) var country: Country?
        weak var friend: Person?
        @Lazy var mentor: Person?
    }

    final class Country: PersistentObject {
        override class var tableName: String { "country" }
        var name = ""
    }

    private static func people(_ count: Int) -> [Person] {
        (0..<count).map { number in
            let person = Person()
            person.name = "P\(number)"
            return person
        }
    }

    @Test func `a reference to a deleted object becomes nil`() throws {
        try withTemporarySession { session, file in
            let people = Self.people(4)
            people[1].boss = people[0]
            people[2].boss = people[3]
            people[2].friend = people[0]
            try session.save(people)
            people[1].name = "edited"
            let log = try statements(of: session) { try people[0].delete() }
            #expect(people[0].isDeleted && people[1].boss == nil && people[2].boss === people[3])
            #expect(people[2].friend == nil && !people[2].hasChanges)
            expect(people[1].changes.map(\.name), ["name"])
            expect(log.count(where: { $0.hasPrefix("SELECT") }), 4, "one a property: \(log)")
            let bosses = try file.sqlite("SELECT id, boss_id FROM person ORDER BY id")
            expect(bosses, "2|\n3|4\n4|")
            try people[1].save()
            try expect(file.sqlite("SELECT name FROM person WHERE id = 2"), "edited")
        }
    }

    @Test func `an unsaved edit of the reference is kept`() throws {
        try withTemporarySession { session, file in
            let people = Self.people(3)
            people[1].boss = people[0]
            try session.save(people)
            people[1].boss = people[2]
            try people[0].delete()
            #expect(people[1].boss === people[2] && people[1].hasChanges)
            try people[1].save()
            try expect(file.sqlite("SELECT boss_id FROM person WHERE id = 2"), "3")
            people[2].boss = people[1]
            try people[1].delete()
            #expect(people[2].boss === people[1], "an unsaved reference is the user's")
            let error = #expect(throws: StoreError.self) { try people[2].save() }
            expect(error?.code, .objectIsDeleted)
        }
    }

    @Test func `a lazy reference that is not loaded becomes nil`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let people = Self.people(2)
                people[1].mentor = people[0]
                try session.save(people)
            }
            try store.withSession { session in
                let person = try #require(try Person.find(2))
                try #require(try Person.find(1)).delete()
                #expect(person.$mentor.isLoaded && person.mentor == nil && person.$mentor.problem == nil)
                #expect(!person.hasChanges)
            }
        }
    }

    @Test func `delete rules apply to rows that are not in memory too`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { session in
                let person = Self.people(1)[0]
                person.name = "first"
                person.passport = Passport()
                let other = Self.people(1)[0]
                other.boss = person
                try session.save([person, other])
            }
            let count: Int = try store.withSession { _ in try Person.deleteByName("first") }
            expect(count, 1)
            try expect(file.sqlite("SELECT count(*) FROM passport"), "0")
            try expect(file.sqlite("SELECT id, boss_id FROM person"), "2|")
        }
    }

    @Test func `cascade deletes the referenced object, in memory and in the file`() throws {
        try withTemporarySession { session, file in
            let people = Self.people(3)
            let passports = (0..<2).map { _ in Passport() }
            people[0].passport = passports[0]
            people[1].passport = passports[1]
            // The passport has two owners: the other owner's reference becomes nil.
            people[2].passport = passports[0]
            try session.save(people)
            try people[0].delete()
            #expect(passports[0].isDeleted && !passports[1].isDeleted)
            #expect(people[0].passport === passports[0], "a deleted object keeps its values")
            #expect(people[2].passport == nil && !people[2].hasChanges)
            try expect(file.sqlite("SELECT group_concat(id) FROM passport"), "2")
            // A new passport has no row.
            people[1].passport = Passport()
            try people[1].delete()
            #expect(passports[1].isDeleted, "what the file has goes")
            expect(people[1].passport?.isNew, true)
        }
    }

    @Test func `deny refuses the deletion before any write, and both objects can be deleted together`() throws {
        try withTemporarySession { session, file in
            let people = Self.people(2)
            let country = Country()
            people[0].country = country
            people[0].passport = Passport()
            try session.save(people)
            people[0].name = "edited"
            let log = statements(of: session) {
                let error = #expect(throws: StoreError.self) { try country.delete() }
                #expect(error?.code == .deletionDenied)
                #expect(
                    error.map(String.init(describing:))
                        == "Person.country #1: The object refers to Country #1, which cannot be deleted "
                        + "because the property's delete rule is .deny. Nothing was deleted. Delete both, or "
                        + "set the property to nil first")
            }
            #expect(log.allSatisfy { $0.hasPrefix("SELECT") || ["BEGIN IMMEDIATE", "ROLLBACK"].contains($0) })
            #expect(!country.isDeleted && people[0].country === country && people[0].changes.map(\.name) == ["name"])
            #expect(throws: StoreError.self) { try Country.deleteAll() }
            #expect(throws: StoreError.self) { try Country.deleteByName("") }
            #expect(try file.sqlite("SELECT count(*) FROM country") == "1")
            try session.delete([country, people[0]])
            #expect(country.isDeleted && people[0].isDeleted && people[0].passport?.isDeleted == true)
            #expect(try file.sqlite("SELECT (SELECT count(*) FROM country), (SELECT count(*) FROM person)") == "0|1")
        }
    }

    @Test func `an owner whose reference denies deletion of its target can be deleted`() throws {
        try withTemporarySession { session, file in
            let person = Self.people(1)[0]
            person.country = Country()
            try session.save([person])
            try person.delete()
            expect(person.country?.isDeleted, false)
            try #require(person.country).delete()
            try expect(file.sqlite("SELECT count(*) FROM country"), "0")
        }
    }
}
