import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// `including`: lazy parts come along, with one query for each.
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

    /// In a session of its own, so that nothing is in memory.
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

    @Test func `parts are loaded, all of them`() throws {
        try withPeople { session, _ in
            var people: [Person] = []
            let query = Person.where { $0.name != "mentor" }.order(by: \.name)
            let plain = try statements(of: session) { people = try query.all() }.count
            #expect(people.count == 120 && people.allSatisfy { !$0.$photo.isLoaded && !$0.$pets.isLoaded })
            // Two classes: two queries for each part, and one for the mentor.
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

    @Test func `one query for a part of one class`() throws {
        try withPeople { session, _ in
            let kept = try Person.all()
            let log = try statements(of: session) { _ = try Pet.query.including(\.owner).all() }
            // BEGIN, the pets, ROLLBACK: their owners are in memory.
            expect(log.filter { $0.hasPrefix("SELECT") }.count, 1)
            expect(kept.count, 121)
        }
    }

    @Test func `edits stay, and what is loaded is not read again`() throws {
        try withPeople { session, _ in
            let people = try Person.query.including(\.photo).limit(3).order(by: \.id).all()
            people[0].photo = Data([7, 7])
            people[1].tags = ["edited"]
            _ = try Person.query.including(\.photo, \.tags).all()
            #expect(people[0].photo == Data([7, 7]) && people[1].tags == ["edited"])
            #expect(people[0].hasChanges && people[1].hasChanges && !people[2].hasChanges)
        }
    }

    @Test func `names of properties that are not lazy change nothing, others are errors`() throws {
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

    @Test func `goes with batches, lazy results and single objects`() throws {
        try withPeople { _, _ throws in
            try Person.query.including(\.photo).forEachBatch(of: 50) { batch in
                #expect(batch.allSatisfy { $0.$photo.isLoaded })
            }
            #expect(try Person.query.including(\.pets).lazily()[3].$pets.isLoaded)
            #expect(try Person.query.including(\.tags).first()?.$tags.isLoaded == true)
            #expect(try Manager.query.including(\.plan, \.mentor).all().allSatisfy { $0.$plan.isLoaded })
        }
    }

    @Test func `what is broken is an error of the query`() throws {
        try withPeople { _, file in
            _ = try file.sqliteWithoutForeignKeys("DELETE FROM person WHERE name = 'mentor'")
            let error = #expect(throws: StoreError.self) { try Person.query.including(\.mentor).all() }
            expect(error?.code, .brokenReference)
            try expect(Person.count(), 120)
        }
    }
}
