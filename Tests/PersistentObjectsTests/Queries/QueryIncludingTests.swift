import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// `including` loads lazy parts with one query for each part.
struct QueryIncludingTests {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var boss: Person?
        @Lazy var mentor: Person?
        @Lazy var photo: Data?
        @Lazy var tags: [String] = []
        @Inverse(\Pet.owner) var pets: [Pet]
    }

    final class Manager: Person {
        @Lazy var plan: String?
    }

    final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var name = ""
        @Lazy var owner: Person?
    }

    /// Runs the body in a new session, which has no objects in memory.
    private func withPeople(_ body: (Session, TemporaryStore) throws -> Void) throws {
        try withTemporaryStore { store, file in
            try store.withSession { session in
                let mentor = Person()
                mentor.name = "mentor"
                let people = (0..<120).map { index in
                    let person = index % 3 == 0 ? Manager() : Person()
                    person.name = "p\(index)"
                    person.mentor = mentor
                    person.photo = Data([UInt8(index)])
                    person.tags = ["t\(index)"]
                    return person
                }
                let pets = people.map { owner in
                    let pet = Pet()
                    pet.owner = owner
                    return pet
                }
                try session.save(people + pets)
            }
            try store.withSession { session in try body(session, file) }
        }
    }

    @Test func `included parts are loaded for all objects`() throws {
        try withPeople { session, _ in
            var people: [Person] = []
            let query = Person.where { $0.name != "mentor" }.order(by: \.name)
            let plain = try statements(of: session) { people = try query.all() }.count
            #expect(people.count == 120 && people.allSatisfy { !$0.$photo.isLoaded && !$0.$pets.isLoaded })
            // Two classes need two queries for each part, and one for the mentor.
            let log = try statements(of: session) {
                people = try query.including(\.photo, \.mentor).including(\.tags, \.pets).all()
            }
            #expect(log.count <= plain + 4 * 2 + 2)
            #expect(people.allSatisfy { $0.$photo.isLoaded && $0.$mentor.isLoaded && $0.$tags.isLoaded })
            let none = statements(of: session) {
                #expect(people.allSatisfy { $0.photo?.count == 1 && $0.mentor?.name == "mentor" })
                #expect(people.allSatisfy { $0.tags.count == 1 && $0.pets.count == 1 })
            }
            #expect(none.isEmpty)
        }
    }

    @Test func `an included part of one class takes no extra SELECT if its objects are in memory`() throws {
        try withPeople { session, _ in
            let kept = try Person.all()
            let log = try statements(of: session) { _ = try Pet.query.including(\.owner).all() }
            // The statements are BEGIN, the pets and ROLLBACK, because their owners are in memory.
            expect(log.filter { $0.hasPrefix("SELECT") }.count, 1)
            expect(kept.count, 121)
        }
    }

    @Test func `including keeps edits and does not reload loaded parts`() throws {
        try withPeople { session, _ in
            let people = try Person.query.including(\.photo).limit(3).order(by: \.id).all()
            people[0].photo = Data([7, 7])
            people[1].tags = ["edited"]
            _ = try Person.query.including(\.photo, \.tags).all()
            #expect(people[0].photo == Data([7, 7]) && people[1].tags == ["edited"])
            #expect(people[0].hasChanges && people[1].hasChanges && !people[2].hasChanges)
        }
    }

    @Test func `including ignores properties that are not lazy and throws for unknown ones`() throws {
        try withPeople { session, _ throws in
            #expect(try Person.query.including(\.name, \.boss, \.id).all().count == 121)
            let log = statements(of: session) {
                #expect(throws: (any Error).self) { try Person.query.including(\.name.count).all() }
                #expect(throws: (any Error).self) { try Person.query.including(\.isNew).lazily() }
                #expect(throws: (any Error).self) { try Person.query.including(\.isNew).forEach { _ in } }
            }
            #expect(log.isEmpty)
        }
    }

    @Test func `including works with batches, lazy results and single objects`() throws {
        try withPeople { _, _ throws in
            try Person.query.including(\.photo).forEachBatch(of: 50) { batch in
                #expect(batch.allSatisfy { $0.$photo.isLoaded })
            }
            #expect(try Person.query.including(\.pets).lazily()[3].$pets.isLoaded)
            #expect(try Person.query.including(\.tags).first()?.$tags.isLoaded == true)
            #expect(try Manager.query.including(\.plan, \.mentor).all().allSatisfy { $0.$plan.isLoaded })
        }
    }

    @Test func `a broken reference throws from a query that includes it`() throws {
        try withPeople { _, file in
            _ = try file.sqliteWithoutForeignKeys("DELETE FROM person WHERE name = 'mentor'")
            let error = #expect(throws: StoreError.self) { try Person.query.including(\.mentor).all() }
            expect(error?.code, .brokenReference)
            try expect(Person.count(), 120)
        }
    }
}
