import TestSupport
import Testing

@testable import PersistentObjects

/// The inverses of references and collections.
struct InverseTests {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        @Inverse(\Pet.owner) var pets: [Pet]
        @Inverse(\House.owner) var house: House?
        @Inverse(\Club.members) var clubs: [Club]
        @Inverse(\Club.guests) var visits: [Club]
        var boss: Person?
        @Inverse(\Person.boss) var reports: [Person]
    }

    final class Vet: Person {
        @Inverse(\Pet.vet) var patients: [Pet]
    }

    class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var owner: Person?
        var vet: Vet?
    }

    final class Cat: Pet { var lives = 9 }

    final class House: PersistentObject {
        override class var tableName: String { "house" }
        var owner: Person?
    }

    final class Club: PersistentObject {
        override class var tableName: String { "club" }
        var members: [Person] = []
        var guests: Set<Person> = []
    }

    static func make<T: PersistentObject>(_ count: Int) -> [T] { (0..<count).map { _ in T() } }

    // MARK: Reading

    @Test func `one query loads an inverse for all objects of a fetch, ordered by id`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let people: [Person] = Self.make(5)
                let pets: [Pet] = Self.make(15)
                for (index, pet) in pets.enumerated() { pet.owner = people[index % 4] }
                let clubs: [Club] = Self.make(3)
                for club in clubs { club.members = people + people }
                try session.save(pets + clubs)
            }
            try store.withSession { session in
                let people: [Person] = try Person.all()
                #expect(!people[0].$pets.isLoaded)
                var log = statements(of: session) {
                    #expect(people.map(\.pets.count) == [4, 4, 4, 3, 0])
                }
                #expect(log.count { $0.hasPrefix("SELECT") } == 1, "\(log)")
                #expect(
                    people[0].pets.map(\.id) == [1, 5, 9, 13] && people[0].pets.allSatisfy { $0.owner === people[0] })
                log = statements(of: session) { #expect(people.map(\.clubs.count) == [3, 3, 3, 3, 3]) }
                #expect(log.count { $0.hasPrefix("SELECT") } <= 4, "\(log)")
                #expect(people.allSatisfy { !$0.hasChanges } && people[0].$clubs.isLoaded)
            }
        }
    }

    @Test func `a saved object can read its inverse until the session ends`() throws {
        var kept: Person?
        try withTemporarySession { _, _ in
            let person = Person()
            #expect(person.pets == [] && person.house == nil)
            let pet = Pet()
            pet.owner = person
            try pet.save()
            expect(person.pets, [pet])
            kept = person
        }
        #expect(kept?.pets.count == 0 && (kept?.$pets.problem as? StoreError)?.code == .sessionEnded)
    }

    @Test func `an inverse that cannot be read is an error of load(), and a problem elsewhere`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { session in
                let pet = Pet()
                pet.owner = Person()
                try pet.save()
            }
            var kept: [Person] = []
            try store.withSession { _ in kept = try Person.all() }
            #expect(kept[0].pets == [] && (kept[0].$pets.problem as? StoreError)?.code == .sessionEnded)
            #expect(throws: StoreError.self) { try kept[0].$house.load() }
            try store.withSession { _ in
                let person = try #require(try Person.find(1))
                _ = try file.sqlite("PRAGMA foreign_keys = ON; DELETE FROM person")
                #expect(person.pets == [] && (person.$pets.problem as? StoreError)?.code == .rowGone)
            }
        }
    }

    // MARK: One to many

    @Test func `after assigning, appending and removing, both sides are consistent once saved`() throws {
        try withTemporarySession { session, file in
            let people: [Person] = Self.make(2)
            let pets: [Pet] = Self.make(4)
            try session.save(people + pets)
            people[0].pets = [pets[0], pets[1]]
            people[1].pets.append(pets[2])
            #expect(people[0].hasChanges && people[0].changes.map(\.name) == ["pets"])
            try session.saveChanges()
            #expect(pets.map { $0.owner === people[0] } == [true, true, false, false] && pets[2].owner === people[1])
            try expect(
                file.sqlite(
                    "SELECT group_concat(ifnull(owner_id, '-'), '') FROM (SELECT owner_id FROM pet ORDER BY id)"),
                "112-")
            people[0].pets.removeFirst()
            try people[0].save()
            #expect(pets[0].owner == nil && people[0].pets == [pets[1]])
            people[0].pets = []
            try people[0].save()
            try expect(file.sqlite("SELECT count(owner_id) FROM pet"), "1")
            pets[3].owner = people[1]
            try pets[3].save()
            expect(people[1].pets, [pets[2], pets[3]])
            pets[2].owner = people[0]
            try session.saveChanges()
            #expect(people[1].pets == [pets[3]] && people[0].pets == [pets[2]])
            #expect(!people.contains { $0.hasChanges } && !pets.contains { $0.hasChanges })
        }
    }

    @Test func `an element moves from one owner to another if either owner or both are saved`() throws {
        for saved in [[0], [1], [0, 1], [1, 0]] {
            try withTemporarySession { session, file in
                let people: [Person] = Self.make(2)
                let pet = Pet()
                people[0].pets = [pet]
                try session.save(people)
                #expect(pet.owner === people[0])
                people[0].pets = []
                people[1].pets = [pet]
                try session.save(saved.map { people[$0] })
                try session.saveChanges()
                #expect(pet.owner === people[1] && people[0].pets == [] && people[1].pets == [pet], "\(saved)")
                try expect(file.sqlite("SELECT owner_id FROM pet"), "2")
                #expect(!pet.hasChanges && !people[0].hasChanges && !people[1].hasChanges)
            }
        }
    }

    @Test func `an element appended to one owner leaves the other`() throws {
        try withTemporarySession { session, _ in
            let people: [Person] = Self.make(2)
            let pet = Pet()
            people[0].pets = [pet]
            try session.save(people)
            people[1].pets.append(pet)
            try people[1].save()
            #expect(people[0].pets == [] && people[1].pets == [pet] && !people[0].hasChanges)
        }
    }

    @Test func `unsaved owners and elements are saved too`() throws {
        try withTemporarySession { session, file in
            let person = Person()
            person.pets = [Pet(), Cat()]
            person.house = House()
            person.clubs = [Club()]
            try person.save()
            #expect(person.pets.allSatisfy { $0.owner === person && !$0.isNew } && person.house?.owner === person)
            expect(person.clubs[0].members, [person])
            try expect(file.sqlite("SELECT count(owner_id) FROM pet"), "2")
            person.pets.append(Pet())
            try session.saveChanges()
            try expect(file.sqlite("SELECT count(owner_id) FROM pet"), "3")
            let other = Person()
            other.pets = [person.pets[0]]
            try person.pets[1].save()
            #expect(other.isNew)
            try other.save()
            #expect(other.pets[0].owner === other && person.pets.count == 2)
        }
    }

    @Test func `if both sides were edited, the reference wins`() throws {
        try withTemporarySession { session, file in
            let people: [Person] = Self.make(3)
            let pet = Pet()
            try session.save(people + [pet])
            people[0].pets = [pet]
            pet.owner = people[1]
            try session.save(people)
            try session.saveChanges()
            #expect(pet.owner === people[1] && people[0].pets == [] && people[1].pets == [pet])
            try expect(file.sqlite("SELECT owner_id FROM pet"), "2")
            #expect(!people.contains { $0.hasChanges } && !pet.hasChanges)
            people[1].pets = []
            pet.owner = people[2]
            try session.saveChanges()
            #expect(pet.owner === people[2] && people[1].pets == [] && people[2].pets == [pet])
        }
    }

    @Test func `consistent edits of both sides are saved`() throws {
        try withTemporarySession { session, _ in
            let person = Person()
            let pets: [Pet] = Self.make(2)
            for pet in pets { pet.owner = person }
            person.pets = pets.reversed()
            try person.save()
            #expect(person.pets.count == 2 && Set(person.pets) == Set(pets) && !person.hasChanges)
            try session.saveChanges()
        }
    }

    @Test func `a failed save leaves both sides unchanged`() throws {
        try withTemporarySession { session, file in
            let people: [Person] = Self.make(2)
            let pet = Pet()
            try session.save(people + [pet])
            _ = try file.sqlite("CREATE TRIGGER t BEFORE UPDATE ON pet BEGIN SELECT RAISE(ABORT, 'no'); END")
            people[0].pets = [pet]
            #expect(throws: StoreError.self) { try people[0].save() }
            #expect(people[0].pets == [pet] && people[0].hasChanges)
            _ = try file.sqlite("DROP TRIGGER t")
            try people[0].save()
            #expect(pet.owner === people[0] && people[0].pets == [pet] && !people[0].hasChanges && !pet.hasChanges)
            try expect(file.sqlite("SELECT owner_id FROM pet"), "1")
        }
    }
}
