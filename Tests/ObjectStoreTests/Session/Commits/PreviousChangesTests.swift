import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// `previousChanges` outside hooks: the changes of the last save.
struct PreviousChangesTests {
    struct Place: Codable, Equatable, Sendable { var city = "" }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age: Int?
        var place = Place()
        var tags: [String] = []
        var boss: Person?
        var friends: [Person] = []
        @Lazy var photo: Data?
    }

    final class Plain: PersistentObject {
        override class var tableName: String { "plain" }
        var name = ""
        var number = 0
    }

    final class Named: PersistentObject {
        override class var tableName: String { "named" }
        @Unique var name = ""
    }

    struct Veto: Error {}

    private func text(_ object: some Persistent) -> [String] { object.previousChanges.map { "\($0)" } }

    @Test func `previousChanges has the changes of an object's last save, until the session's next save`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann) = (Plain(), Plain())
            #expect(joe.previousChanges.isEmpty)
            joe.name = "Joe"
            try joe.save()
            expect(text(joe), [#"name: nil -> "Joe""#, "number: nil -> 0"])
            joe.name = "Jo"
            try joe.save()
            expect(text(joe), [#"name: "Joe" -> "Jo""#])
            joe.number = 3
            #expect(text(joe) == [#"name: "Joe" -> "Jo""#] && joe.changes.map(\.name) == ["number"])
            try joe.save()
            try joe.save()
            expect(text(joe), ["number: 0 -> 3"])
            try ann.save()
            #expect(joe.previousChanges.isEmpty && ann.previousChanges.count == 2)
            try joe.delete()
            #expect(joe.previousChanges.isEmpty)
        }
    }

    @Test func `previousChanges includes each kind of property, with ids for objects`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann, bob) = (Person(), Person(), Person())
            (joe.boss, joe.friends, joe.photo) = (ann, [ann], Data([1]))
            try session.save([joe, bob])
            (joe.name, joe.age, joe.place, joe.tags) = ("Joe", 40, Place(city: "Ulm"), ["a"])
            (joe.boss, joe.friends, joe.photo) = (nil, [bob, ann], nil)
            try joe.save()
            let changes = joe.previousChanges
            expect(changes.map(\.name), ["name", "age", "place", "tags", "boss", "friends", "photo"])
            let (old, new) = (changes.map(\.old), changes.map(\.new))
            #expect(old[0] as? String == "" && new[0] as? String == "Joe")
            #expect(old[1] == nil && new[1] as? Int == 40)
            #expect(old[2] as? Place == Place() && new[2] as? Place == Place(city: "Ulm"))
            #expect(old[3] as? [String] == [] && new[3] as? [String] == ["a"])
            #expect(old[4] as? PersistentID<Person> == ann.persistentID && new[4] == nil)
            let ids = [bob, ann].compactMap(\.persistentID)
            #expect(old[5] as? [PersistentID<Person>] == [ids[1]] && new[5] as? [PersistentID<Person>] == ids)
            #expect(old[6] as? Data == Data([1]) && new[6] == nil)
        }
    }

    @Test func `previousChanges is available for each object of a large save`() throws {
        try withTemporarySession { session, _ throws in
            let people = (0..<300).map { _ in Plain() }
            try session.save(people)
            #expect(people.allSatisfy { $0.previousChanges.map(\.name) == ["name", "number"] })
            for (number, person) in people.enumerated() {
                person.number = number + 1
                if number % 2 == 0 { person.name = "a name that has a buffer of its own \(number)" }
            }
            try session.save(people)
            for (number, person) in people.enumerated() {
                let named = "name: \"\" -> \"a name that has a buffer of its own \(number)\""
                #expect(text(person) == (number % 2 == 0 ? [named] : []) + ["number: 0 -> \(number + 1)"])
            }
        }
    }

    @Test func `a rollback restores previousChanges`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann) = (Plain(), Plain())
            try session.save([joe, ann])
            joe.number = 1
            try joe.save()
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    joe.number = 2
                    try joe.save()
                    expect(text(joe), ["number: 1 -> 2"])
                    do {
                        try session.transaction { () throws in
                            (joe.number, ann.number) = (3, 4)
                            try session.save([joe, ann])
                            #expect(text(joe) == ["number: 2 -> 3"] && text(ann) == ["number: 0 -> 4"])
                            throw Veto()
                        }
                    } catch is Veto {}
                    #expect(text(joe) == ["number: 1 -> 2"] && ann.previousChanges.isEmpty)
                    try ann.delete()
                    try joe.delete()
                    throw Veto()
                }
            }
            #expect(text(joe) == ["number: 0 -> 1"] && ann.previousChanges.isEmpty)
        }
    }

    @Test func `a failed save does not change previousChanges`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann) = (Named(), Named())
            (joe.name, ann.name) = ("Joe", "Ann")
            try session.save([joe, ann])
            joe.name = "Jo"
            try joe.save()
            joe.name = "Ann"
            #expect(throws: StoreError.self) { try joe.save() }
            #expect(throws: StoreError.self) { try session.save([joe, ann]) }
            #expect(text(joe) == [#"name: "Joe" -> "Jo""#] && ann.previousChanges.isEmpty)
        }
    }

    @Test func `reading a changed row, or reloading, clears previousChanges`() throws {
        try withTemporarySession { session, file throws in
            let (joe, ann) = (Plain(), Plain())
            try session.save([joe, ann])
            (joe.number, ann.number) = (1, 1)
            try session.save([joe, ann])
            _ = try file.sqlite("UPDATE plain SET number = 7 WHERE id = 1")
            try expect(Plain.all().map(\.number), [7, 1])
            #expect(joe.previousChanges.isEmpty && text(ann) == ["number: 0 -> 1"])
            try ann.reload()
            #expect(ann.previousChanges.isEmpty)
        }
    }

    @Test func `a new object for the same row has no previousChanges`() throws {
        try withTemporarySession { session, _ throws in
            var joe: Plain? = Plain()
            try joe?.save()
            joe = nil
            joe = try Plain.find(1)
            expect(joe?.previousChanges.isEmpty, true)
        }
    }

    @Test func `a reset and the end of the session clear previousChanges`() throws {
        try withTemporaryStore { store, _ throws in
            let joe = try store.withSession { session throws in
                let ann = Plain()
                try ann.save()
                try session.reset()
                #expect(ann.previousChanges.isEmpty)
                let joe = Plain()
                try joe.save()
                expect(joe.previousChanges.count, 2)
                return Smuggled(joe)
            }
            #expect(joe.value.previousChanges.isEmpty)
        }
    }
}
