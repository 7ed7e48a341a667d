import TestSupport
import Testing

@testable import PersistentObjects

extension InverseTests {
    // MARK: One to one, many to many, self-references

    @Test func `one-to-one: both sides are consistent after a save of either side`() throws {
        try withTemporarySession { session, file in
            let people: [Person] = Self.make(2)
            let houses: [House] = Self.make(2)
            try session.save(people + houses)
            people[0].house = houses[0]
            try people[0].save()
            #expect(houses[0].owner === people[0])
            houses[0].owner = people[1]
            try houses[0].save()
            #expect(people[0].house == nil && people[1].house === houses[0])
            people[1].house = houses[1]
            try people[1].save()
            #expect(houses[0].owner == nil && houses[1].owner === people[1])
            people[1].house = nil
            try people[1].save()
            try expect(file.sqlite("SELECT count(owner_id) FROM house"), "0")
            #expect(!houses.contains { $0.hasChanges } && !people.contains { $0.hasChanges })
        }
    }

    @Test func `many-to-many: both sides are consistent, for an array and a set`() throws {
        try withTemporarySession { session, file in
            let people: [Person] = Self.make(3)
            let clubs: [Club] = Self.make(2)
            try session.save(people + clubs)
            people[0].clubs = clubs
            people[1].visits = [clubs[1]]
            try session.saveChanges()
            #expect(
                clubs[0].members == [people[0]] && clubs[1].members == [people[0]] && clubs[1].guests == [people[1]])
            clubs[0].members = [people[2], people[0], people[2]]
            clubs[1].guests = [people[2]]
            try session.saveChanges()
            #expect(people[2].clubs == [clubs[0]] && people[1].visits == [] && people[2].visits == [clubs[1]])
            people[2].clubs = [clubs[1]]
            people[2].visits.removeAll()
            try people[2].save()
            #expect(
                clubs[0].members == [people[0]] && clubs[1].members == [people[0], people[2]] && clubs[1].guests == [])
            try expect(file.sqlite("SELECT owner_id, value_id FROM club_members ORDER BY 1, position"), "1|1\n2|1\n2|3")
            #expect(!people.contains { $0.hasChanges } && !clubs.contains { $0.hasChanges })
        }
    }

    @Test func `a class can refer to itself, and both sides are consistent`() throws {
        try withTemporarySession { session, file in
            let people: [Person] = Self.make(4)
            people[0].reports = [people[1], people[2]]
            people[3].boss = people[3]
            try session.save(people)
            #expect(people[1].boss === people[0] && people[2].boss === people[0] && people[3].reports == [people[3]])
            people[1].reports = [people[0]]
            try session.saveChanges()
            #expect(people[0].boss === people[1] && people[0].reports == [people[1], people[2]])
            #expect(
                try file.sqlite(
                    "SELECT group_concat(ifnull(boss_id, '-'), '') FROM (SELECT boss_id FROM person ORDER BY id)")
                    == "2114")
            for person in people { person.boss = nil }
            try session.saveChanges()
            #expect(people.allSatisfy { $0.reports == [] })
        }
    }

    @Test func `inverses work between subclasses`() throws {
        try withTemporarySession { session, _ in
            let vet = Vet()
            let pets = [Cat(), Pet()]
            vet.patients = pets
            vet.pets = [pets[0]]
            try vet.save()
            #expect(pets.allSatisfy { $0.vet === vet } && pets[0].owner === vet)
            let all: [Person] = try Person.all()
            #expect(all == [vet] && vet.patients == pets && vet.pets.first is Cat)
        }
    }

    // MARK: Other sessions

    @Test func `a fetch that reads changes of another program updates both sides`() throws {
        try withTemporarySession { session, file in
            let people: [Person] = Self.make(2)
            let pets: [Pet] = Self.make(3)
            for pet in pets { pet.owner = people[0] }
            let club = Club()
            club.members = [people[0]]
            try session.save(people + pets + [club])
            #expect(
                people[0].pets == pets && people[1].pets == [] && people[0].clubs == [club] && people[1].clubs == [])
            _ = try file.sqlite("UPDATE pet SET owner_id = 2 WHERE id = 1; UPDATE pet SET owner_id = NULL WHERE id = 2")
            _ = try file.sqlite("UPDATE club_members SET value_id = 2")
            _ = try Pet.all() as [Pet]
            #expect(pets[0].owner === people[1] && pets[1].owner == nil)
            #expect(people[0].pets == [pets[2]] && people[1].pets == [pets[0]])
            _ = try Club.all() as [Club]
            #expect(club.members == [people[1]] && people[0].clubs == [] && people[1].clubs == [club])
            #expect(!people.contains { $0.hasChanges } && !pets.contains { $0.hasChanges } && !club.hasChanges)
            _ = try file.sqlite("UPDATE pet SET owner_id = 1")
            _ = try Person.all() as [Person]
            #expect(people[0].pets == pets && people[1].pets == [])
        }
    }

    @Test func `a fetch keeps edits of an inverse`() throws {
        try withTemporarySession { session, file in
            let people: [Person] = Self.make(2)
            let pets: [Pet] = Self.make(3)
            pets[0].owner = people[0]
            try session.save(people + pets)
            people[0].pets.append(pets[1])
            _ = try file.sqlite("UPDATE pet SET owner_id = 1 WHERE id = 3")
            _ = try Person.all() as [Person]
            _ = try Pet.all() as [Pet]
            #expect(people[0].pets.contains { $0 === pets[1] } && people[0].hasChanges)
            try session.saveChanges()
            try expect(file.sqlite("SELECT count(*) FROM pet WHERE owner_id = 1"), "3")
            expect(Set(people[0].pets), Set(pets))
        }
    }

    @Test func `revert restores an inverse`() throws {
        try withTemporarySession { session, _ in
            let person = Person()
            let pets: [Pet] = Self.make(2)
            pets[0].owner = person
            try session.save(pets)
            person.pets = [pets[1]]
            person.revert()
            #expect(person.pets == [pets[0]] && !person.hasChanges)
            person.pets.append(pets[1])
            person.revert(\.pets)
            #expect(person.pets == [pets[0]] && !person.hasChanges)
        }
    }

    // MARK: Invalid key paths

    final class Wrong: PersistentObject {
        override class var tableName: String { "wrong" }
        @Inverse(\Stranger.other) var strangers: [Stranger]
    }

    final class Stranger: PersistentObject {
        override class var tableName: String { "stranger" }
        var other: Person?
        var house: Wrong2? { nil }
    }

    final class Wrong2: PersistentObject {
        override class var tableName: String { "wrong2" }
        @Inverse(\Stranger.house) var strangers: [Stranger]
    }

    @Test func `a key path to another class or to a computed property is an error that names the property`() throws {
        try withTemporarySession { _, _ in
            func check(_ body: () throws -> Void) {
                do {
                    try body()
                    Issue.record("no error")
                } catch { #expect("\(error)".contains("strangers"), "\(error)") }
            }
            check { try Wrong().save() }
            check { try Wrong2().save() }
        }
    }
}
