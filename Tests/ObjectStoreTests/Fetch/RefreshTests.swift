import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// `session.refresh()` and `session.reset()`.
struct RefreshTests {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age = 0
        var friend: Person?
        var tags: [String] = []
        @Lazy var note: String?
        @Inverse(\Pet.owner) var pets: [Pet]
    }

    final class Employee: Person { var salary = 0 }

    final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var name = ""
        var owner: Person?
    }

    private func withObjects(
        _ configuration: Store.Configuration = .init(),
        _ body: (Session, TemporaryStore, [Person], Pet) throws -> Void
    ) throws {
        try withTemporarySession(configuration) { session, file in
            let people = [Person(), Employee(), Person()]
            for (number, person) in people.enumerated() { (person.name, person.age) = ("P\(number)", number) }
            people[0].friend = people[2]
            people[0].tags = ["a"]
            let pet = Pet()
            (pet.name, pet.owner) = ("Rex", people[0])
            try session.save(people + [pet])
            try body(session, file, people, pet)
        }
    }

    @Test func `refresh reads all objects in memory again and keeps their edits`() throws {
        try withObjects { session, file, people, pet throws in
            people[0].name = "edited"
            _ = try file.sqlite(
                """
                UPDATE person SET name = name || '!', age = age + 10, note = 'n', salary = 5, friend_id = 2;
                UPDATE person_tags SET value = 'b'; UPDATE pet SET name = 'Tom', owner_id = 3;
                """)
            try session.refresh()
            #expect(people.map(\.age) == [10, 11, 12] && people.map(\.name) == ["edited", "P1!", "P2!"])
            #expect(people[0].friend === people[1] && people[0].tags == ["b"] && people[0].note == "n")
            #expect((people[1] as? Employee)?.salary == 5 && pet.name == "Tom" && pet.owner === people[2])
            #expect(people[2].pets == [pet] && people[0].pets.isEmpty)
            #expect(people[0].changes.map(\.description) == [#"name: "P0" -> "edited""#])
            #expect(session.classes.allIdentities.allSatisfy { $0.brokenInvariant() == nil })
            #expect(session.busyStatementCount == 0)
            let log = try statements(of: session) { try session.refresh() }
            #expect(log.count <= 10, "a query for each class and collection, not one for each object: \(log)")
        }
    }

    @Test func `refresh marks objects whose rows were deleted as deleted`() throws {
        try withObjects { session, file, people, pet throws in
            _ = try file.sqlite("PRAGMA foreign_keys = ON; DELETE FROM person WHERE id = 3; DELETE FROM pet")
            try session.refresh()
            #expect(people[2].isDeleted && pet.isDeleted && people[2].name == "P2" && pet.name == "Rex")
            #expect(people[0].friend == nil && !people[0].hasChanges && people[0].pets.isEmpty)
            #expect(!people[0].isDeleted && !people[1].isDeleted)
            #expect(throws: StoreError.self) { try people[2].save() }
            #expect(try Person.find(3) == nil && Person.all() == [people[0], people[1]])
        }
    }

    @Test func `refresh works in a session without objects, and leaves new objects unchanged`() throws {
        try withObjects { session, _, _, _ throws in
            let new = Person()
            new.name = "new"
            try session.refresh()
            #expect(new.isNew && new.name == "new")
            try session.reset()
            try session.refresh()
            try new.save()
            #expect(try Person.find(4) === new)
        }
    }

    @Test func `refreshing a thousand objects takes one query`() throws {
        try withTemporarySession { session, _ throws in
            let pets = (0..<1000).map { number in
                let pet = Pet()
                pet.name = "\(number)"
                return pet
            }
            try session.save(pets)
            try session.execute("UPDATE pet SET name = name || '!'")
            let log = try statements(of: session) { try session.refresh() }
            #expect(log.count { $0.hasPrefix("SELECT") } == 1)
            #expect(pets.allSatisfy { $0.name.hasSuffix("!") })
        }
    }

    @Test(arguments: [false, true])
    func `if a row changes its class, its old object becomes deleted and the row gets a new object`(
        bySubclass: Bool
    ) throws {
        try withObjects { session, _, people, pet throws in
            people[0].name = "edited"
            try session.execute("UPDATE person SET class = 'Employee', salary = 7 WHERE id = 1")
            let found = bySubclass ? try #require(try Employee.all().first) : try #require(try Person.all().first)
            #expect((found as? Employee)?.salary == 7 && found.name == "P0" && !found.hasChanges)
            #expect(people[0].isDeleted && people[0].name == "edited")
            #expect(try Person.find(1) === found && Employee.find(1) === found)
            try session.refresh()
            #expect(pet.owner === found)
            #expect(session.classes.allIdentities.allSatisfy { $0.brokenInvariant() == nil })
        }
    }

    @Test func `a rollback restores the object of a row that changed its class in the transaction`() throws {
        try withObjects { session, _, people, pet throws in
            try session.transaction { () throws in
                try session.execute("UPDATE person SET class = 'Employee', salary = 7 WHERE id = 1")
                #expect(try Person.all().first is Employee && people[0].isDeleted)
                session.rollBack()
            }
            #expect(!people[0].isDeleted && people[0].name == "P0")
            #expect(try Person.all().first === people[0] && pet.owner === people[0])
            #expect(session.classes.allIdentities.allSatisfy { $0.brokenInvariant() == nil })
        }
    }

    @Test
    func `if another session reuses an id, the old object becomes deleted and does not overwrite the new row`() throws {
        try withObjects { session, _, people, pet throws in
            try session.store.withSession { other in
                try other.execute("DELETE FROM pet")
                try other.execute("DELETE FROM person WHERE id = 1")
                let new = try Employee(["name": "new"])
                try new.save()
                try other.execute("UPDATE person SET id = 1 WHERE id = ?", new)
            }
            #expect(try Person.all().count == 3)
            #expect(people[0].isDeleted && !people[1].isDeleted)
            #expect(try Person.find(1) is Employee)
            withExtendedLifetime(pet) {}
        }
        try withObjects { session, file, people, _ throws in
            _ = try session.store.withSession { other in
                try other.execute("UPDATE person SET class = 'Employee', name = 'new', salary = 7 WHERE id = 1")
            }
            people[0].name = "edited"
            let error = #expect(throws: StoreError.self) { try people[0].save() }
            #expect(error?.code == .rowGone || error?.code == .staleObject)
            #expect(try file.sqlite("SELECT name FROM person WHERE id = 1") == "new")
        }
    }

    @Test func `reset removes all objects from the session`() throws {
        let lost = Recorder<String>()
        try withObjects(.init(lostEdits: .report { lost.add("\($0)") })) { session, _, people, pet throws in
            people[0].name = "edited"
            try session.reset()
            #expect(people[0].name == "edited" && people[0].id == 1 && !people[0].isDeleted)
            let error = #expect(throws: StoreError.self) { try people[0].save() }
            #expect(error?.code == .sessionEnded)
            #expect(
                error?.message
                    == "The session was reset after the object was found. Find the object in an open session by its id")
            let again = try #require(try Person.find(1))
            #expect(again !== people[0] && again.name == "P0" && again.friend !== people[2])
            #expect(try Person.all().count == 3 && Pet.all()[0].owner === again && pet.owner === people[0])
            try session.saveChanges()
            #expect(session.classes.allIdentities.allSatisfy { $0.brokenInvariant() == nil })
        }
        #expect(lost.all.isEmpty)
    }

    @Test func `inside a save, reset, refresh and raw writes are refused, and reading is allowed`() throws {
        try withTemporarySession { session, _ throws in
            try session.enterToSave { () throws in
                for call in [
                    { try session.reset() }, { try session.refresh() },
                    { _ = try session.execute("CREATE TABLE t (a)") },
                ] {
                    let error = #expect(throws: StoreError.self) { try call() }
                    #expect(error?.code == .misuse)
                }
                #expect(try session.rows("SELECT 1").count == 1)
            }
            try session.execute("CREATE TABLE t (a)")
        }
    }
}
