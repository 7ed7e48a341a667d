import TestSupport
import Testing

@testable import PersistentObjects

/// Delete rules of inverses, in memory and in the file.
struct DeletionInverseTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        override class var deleteRules: [String: DeleteRule] {
            ["pets": .cascade, "house": .deny, "clubs": .cascade, "headed": .deny]
        }
        @Inverse(\Pet.owner) var pets: [Pet]
        @Inverse(\House.owner) var house: House?
        @Inverse(\Pet.friend) var friends: [Pet]
        @Inverse(\Club.members) var clubs: [Club]
        @Inverse(\Club.heads) var headed: [Club]
    }

    final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var owner: Person?
        var friend: Person?
    }

    final class House: PersistentObject {
        override class var tableName: String { "house" }
        var owner: Person?
    }

    final class Club: PersistentObject {
        override class var tableName: String { "club" }
        var members: [Person] = []
        var heads: Set<Person> = []
    }

    @Test func `a reference to a deleted object becomes nil`() throws {
        try withTemporarySession { session, file in
            let person = Person()
            let pets = [Pet(), Pet()]
            pets[0].friend = person
            try session.save(pets)
            expect(person.friends, [pets[0]])
            try person.delete()
            #expect(pets[0].friend == nil && !pets[0].hasChanges)
            try expect(file.sqlite("SELECT count(friend_id), count(*) FROM pet"), "0|2")
        }
    }

    @Test func `an inverse in memory drops deleted objects and keeps its edits`() throws {
        try withTemporarySession { session, file in
            let person = Person()
            let pets = (0..<4).map { _ in Pet() }
            for pet in pets[..<3] { pet.owner = person }
            try session.save(pets)
            expect(person.pets, Array(pets[..<3]))
            try session.delete([pets[0], pets[2]])
            #expect(person.pets == [pets[1]] && !person.hasChanges)
            person.pets.append(pets[3])
            try pets[1].delete()
            #expect(person.pets == [pets[3]] && person.hasChanges)
            try person.save()
            try expect(file.sqlite("SELECT id, owner_id FROM pet"), "4|\(person.id ?? 0)")
        }
    }

    @Test func `cascade deletes the objects of the inverse, loaded or not`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { session in
                let people = [Person(), Person()]
                let pets = (0..<3).map { _ in Pet() }
                pets[0].owner = people[0]
                pets[1].owner = people[0]
                pets[2].owner = people[1]
                try session.save(pets)
            }
            try store.withSession { session in
                let person = try #require(try Person.find(1))
                let pet = try #require(try Pet.find(1))
                try person.delete()
                #expect(pet.isDeleted && pet.owner === person)
                try expect(file.sqlite("SELECT id, owner_id FROM pet"), "3|2")
            }
        }
    }

    @Test func `cascade and deny apply to the inverse of a collection`() throws {
        try withTemporarySession { session, file in
            let people = [Person(), Person()]
            let clubs = [Club(), Club()]
            clubs[0].members = people
            clubs[1].heads = [people[1]]
            try session.save(clubs)
            let error = #expect(throws: StoreError.self) { try people[1].delete() }
            #expect(error?.code == .deletionDenied && error?.property == "headed" && error?.rowID == people[1].id)
            #expect(!clubs[0].isDeleted && clubs[0].members == people)
            try people[0].delete()
            #expect(clubs[0].isDeleted && !clubs[1].isDeleted && !people[1].isDeleted)
            try expect(file.sqlite("SELECT count(*) FROM club_members"), "0")
            try session.delete([people[1], clubs[1]])
            try expect(file.sqlite("SELECT (SELECT count(*) FROM person), (SELECT count(*) FROM club)"), "0|0")
        }
    }

    @Test func `deny applies to a one-to-one inverse`() throws {
        try withTemporarySession { session, file in
            let person = Person()
            let house = House()
            house.owner = person
            try house.save()
            #expect(person.house === house)
            let error = #expect(throws: StoreError.self) { try person.delete() }
            expect(
                error.map(String.init(describing:)),
                "Person.house #1: The object cannot be deleted while House #1 refers to it, because the "
                    + "property's delete rule is .deny. Nothing was deleted. Delete both, or remove the reference first"
            )
            try house.delete()
            #expect(person.house == nil && !person.hasChanges)
            try person.delete()
            try expect(file.sqlite("SELECT count(*) FROM person"), "0")
        }
    }
}
