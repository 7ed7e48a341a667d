import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// `changed` and `original` compare single properties with the row.
struct OriginalTests {
    struct Place: Codable, Equatable { var city = "" }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age: Int?
        var place = Place()
        var tags: Set<String> = []
        var scores: [String: Int] = [:]
        var boss: Person?
        weak var neighbour: Person?
        var friends: [Person] = []
        @Lazy var photo: Data?
        @Lazy var mentor: Person?
        @Inverse(\Pet.owner) var pets: [Pet]
        var both: String { "\(name) \(age ?? 0)" }
    }

    final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var owner: Person?
    }

    @Test func `a new object has no original, and its properties count as changed`() throws {
        try withTemporarySession { session, _ throws in
            let joe = Person()
            joe.name = "Joe"
            #expect(try joe.original(\.name) == nil && joe.original(\.age) == nil && joe.original(\.boss) == nil)
            #expect(joe.changed(\.name) && joe.changed(\.age) && !joe.changed(\.id) && !joe.changed(\.both))
        }
    }

    @Test func `original has the property's type, for every type`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann, bob) = (Person(), Person(), Person())
            (joe.name, joe.age, joe.place, joe.tags) = ("Joe", 40, Place(city: "Ulm"), ["a"])
            (joe.scores, joe.boss, joe.friends, joe.photo) = (["a": 1], ann, [ann], Data([1]))
            (joe.mentor, joe.neighbour) = (ann, bob)
            let pet = Pet()
            joe.pets = [pet]
            try session.save([joe, bob, pet])
            #expect(!joe.changed(\.name) && !joe.changed(\.pets))
            (joe.name, joe.age, joe.place.city, joe.tags) = ("Jo", nil, "Bonn", [])
            (joe.scores, joe.boss, joe.friends, joe.photo) = (["a": 2], bob, [bob, ann], nil)
            (joe.mentor, joe.neighbour, joe.pets) = (nil, ann, [])
            #expect(try joe.original(\.name) == "Joe" && joe.original(\.age) == 40)
            #expect(try joe.original(\.place) == Place(city: "Ulm") && joe.original(\.tags) == ["a"])
            #expect(try joe.original(\.scores) == ["a": 1] && joe.original(\.boss) === ann)
            #expect(try joe.original(\.friends) == [ann] && joe.original(\.photo) == Data([1]))
            #expect(try joe.original(\.mentor) === ann && joe.original(\.neighbour) === bob)
            #expect(try joe.original(\.pets) == [pet] && joe.original(\.id) == joe.id)
            #expect(joe.changed(\.name) && joe.changed(\.place) && joe.changed(\.friends) && joe.changed(\.pets))
            #expect(joe.name == "Jo" && joe.boss === bob && joe.pets.isEmpty && pet.owner === joe)
            joe.revert()
            #expect(try joe.original(\.name) == "Joe" && !joe.changed(\.name) && !joe.changed(\.boss))
        }
    }

    @Test func `without edits, original is the current value and needs no SQL`() throws {
        try withTemporarySession { session, _ throws in
            let joe = Person()
            joe.name = "Joe"
            try joe.save()
            #expect(try joe.original(\.name) == "Joe" && joe.original(\.age) == nil)
            #expect(try statements(of: session) { _ = try joe.original(\.name) }.isEmpty)
        }
    }

    @Test func `original reads a lazy value that was set without being read, and keeps the edit`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { _ throws in
                let (joe, ann) = (Person(), Person())
                (joe.photo, joe.mentor) = (Data([1]), ann)
                try joe.save()
            }
            try store.withSession { session throws in
                let joe = try #require(try Person.where { $0.photo != nil }.first())
                joe.photo = Data([2])
                #expect(joe.changed(\.photo))
                #expect(try joe.original(\.photo) == Data([1]))
                #expect(joe.photo == Data([2]) && joe.changed(\.photo) && joe.changes.map(\.name) == ["photo"])
                #expect(try joe.original(\.mentor)?.id != nil && !joe.changed(\.mentor))
                try joe.save()
                #expect(try joe.original(\.photo) == Data([2]) && !joe.changed(\.photo))
            }
        }
    }

    @Test func `original throws for a deleted row and for a property that is not stored`() throws {
        try withTemporarySession { session, file throws in
            let joe = Person()
            var ann: Person? = Person()
            joe.boss = ann
            try joe.save()
            let id = try #require(ann?.id)
            joe.boss = nil
            ann = nil
            _ = try file.sqliteWithoutForeignKeys("DELETE FROM person WHERE id = \(id)")
            let error = #expect(throws: StoreError.self) { try joe.original(\.boss) }
            #expect(error?.code == .rowGone && error?.property == "boss" && error?.rowID == joe.id)
            #expect(throws: FinderError.self) { try joe.original(\.both) }
            #expect(!joe.changed(\.both))
        }
    }

    @Test func `a deleted object has no original, and an untracked object throws`() throws {
        try withTemporarySession { session, _ throws in
            let joe = Person()
            try joe.save()
            let other = try #require(try Person.query.untracked().first())
            #expect(throws: StoreError.self) { try other.original(\.name) }
            #expect(!other.changed(\.name))
            try joe.delete()
            joe.name = "Joe"
            #expect(try joe.original(\.name) == nil && !joe.changed(\.name))
        }
    }
}
