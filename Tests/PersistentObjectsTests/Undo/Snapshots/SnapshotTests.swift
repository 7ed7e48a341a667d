import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The contents of a snapshot of an object.
struct SnapshotTests {
    typealias Person = SnapshotModel.Person
    typealias Company = SnapshotModel.Company

    @Test func `a snapshot has the object's values, and ids for objects`() throws {
        try SnapshotModel.withPeople { _, _, joe, ann throws in
            let snapshot = joe.snapshot()
            #expect(snapshot.id == 1 && snapshot.persistentID == joe.persistentID && !snapshot.isNew)
            #expect(snapshot.lastName == "Smith" && snapshot.age == 39 && snapshot.height == 1.8)
            #expect(snapshot.birthday == joe.birthday && snapshot.status == .retired)
            expect(snapshot.address, SnapshotModel.Address(street: "Main", zip: 7))
            #expect(snapshot.tags == ["b", "a"] && snapshot.marks == ["x": 1] && snapshot.numbers == [1, 3])
            let id = try #require(ann.persistentID)
            let own = try #require(joe.persistentID)
            #expect(snapshot.employer == joe.employer?.persistentID && snapshot.chief == id && snapshot.mentor == id)
            #expect(snapshot.friends == [id, own, id] && snapshot.club == [own] && snapshot.helpers == ["a": id])
            #expect(snapshot.pets.map(\.value) == [1, 2] && snapshot.photo == Data([1, 2]))
            let other = ann.snapshot()
            #expect(other.age == nil && other.marks == nil && other.club == nil && other.employer == nil)
            #expect(other.friends.isEmpty && other.helpers.isEmpty && other.photo == nil && other.birthday == nil)
        }
    }

    @Test func `a snapshot does not change with the object`() throws {
        try SnapshotModel.withPeople { _, _, joe, _ throws in
            let snapshot = joe.snapshot()
            joe.lastName = "Jones"
            joe.tags.append("c")
            joe.friends = []
            #expect(snapshot.lastName == "Smith" && snapshot.tags == ["b", "a"] && snapshot.friends.count == 3)
            try joe.delete()
            expect(snapshot.lastName, "Smith")
        }
    }

    @Test func `a snapshot can be sent to other tasks and merged there`() async throws {
        let (snapshot, store) = try {
            let store = try Store.temporary()
            return try store.withSession { _ in
                let joe = Person()
                joe.lastName = "Smith"
                joe.address.zip = 5
                try joe.save()
                return (joe.snapshot(), store)
            }
        }()
        let text = await Task.detached { "\(snapshot.lastName) \(snapshot.address.zip)" }.value
        expect(text, "Smith 5")
        try await store.perform { session in
            let joe = try session.merge(snapshot)
            joe.age = 1
            try joe.save()
        }
    }

    @Test func `computed properties of a snapshot are evaluated with its values`() throws {
        try SnapshotModel.withPeople { _, _, joe, _ throws in
            expect(joe.snapshot().greeting, "Hello Smith, 39")
            expect(joe.snapshot().note, "n")
        }
    }

    @Test func `a snapshot loads unloaded properties, or omits them if asked to`() throws {
        try SnapshotModel.withPeople { session, _, joe, _ throws in
            try session.refresh()
            var quick: Snapshot<Person>?
            let log = statements(of: session) { quick = joe.snapshot(loading: false) }
            #expect(log.isEmpty)
            let left = try #require(quick)
            #expect(!left.isLoaded(\.photo) && !left.isLoaded(\.pets) && !left.isLoaded(\.mentor))
            #expect(left.isLoaded(\.lastName) && left.photo == nil && left.pets.isEmpty && left.lastName == "Smith")
            #expect(left.description.contains("photo: (not loaded)"))
            let whole = joe.snapshot()
            #expect(whole.isLoaded(\.photo) && whole.photo == Data([1, 2]) && whole.pets.count == 2)
            #expect(whole != left && !whole.isLoaded(\.greeting))
        }
    }

    @Test func `new, deleted and untracked objects have snapshots`() throws {
        try SnapshotModel.withPeople { _, _, joe, ann throws in
            let new = Person()
            new.lastName = "New"
            new.friends = [joe, Person()]
            let snapshot = new.snapshot()
            #expect(snapshot.isNew && snapshot.id == nil && snapshot.lastName == "New")
            expect(snapshot.friends.map(\.value), [1], "an object without a row has no id")
            #expect(snapshot.description.hasPrefix("Person (new) { lastName: \"New\", age: nil"))
            try ann.delete()
            #expect(ann.snapshot().id == 2 && !ann.snapshot().isNew)
            let untracked = try #require(try Person.where { $0.age == 39 }.untracked().first())
            #expect(untracked.snapshot().lastName == "Smith" && untracked.snapshot().id == 1)
        }
    }

    @Test func `snapshots are equal if their values are equal`() throws {
        try SnapshotModel.withPeople { _, _, joe, ann throws in
            let one = joe.snapshot()
            #expect(one == joe.snapshot() && Set([one, joe.snapshot(), ann.snapshot()]).count == 2)
            joe.tags.append("c")
            #expect(one != joe.snapshot())
            joe.revert()
            joe.friends.removeLast()
            #expect(one != joe.snapshot())
            #expect(Person().snapshot() == Person().snapshot() && Person().snapshot() != ann.snapshot())
        }
    }

    @Test func `a snapshot contains the changes of its object`() throws {
        try SnapshotModel.withPeople { _, _, joe, ann throws in
            #expect(joe.snapshot().changes.isEmpty)
            joe.age = 40
            joe.employer = nil
            joe.friends = [ann]
            let changes = joe.snapshot().changes.map(\.description)
            expect(
                changes,
                [
                    "age: 39 -> 40", "employer: Company #1 -> nil",
                    "friends: [Person #2, Person #1, Person #2] -> [Person #2]",
                ])
        }
    }

    @Test func `properties of a snapshot can be set`() throws {
        try SnapshotModel.withPeople { _, _, joe, _ throws in
            var form = joe.snapshot()
            let start = form
            try form.set(\.lastName, to: "Jones")
            try form.set(\.age, to: nil)
            try form.set(\.tags, to: ["x"])
            try form.set(\.marks, to: nil)
            try form.set(\.address, to: SnapshotModel.Address(street: "Side", zip: 1))
            try form.set(\.employer, to: nil)
            try form.set(\.mentor, to: joe.persistentID)
            #expect(form.lastName == "Jones" && form.age == nil && form.tags == ["x"] && form.marks == nil)
            #expect(form.address.street == "Side" && form.employer == nil && form.mentor?.value == 1)
            #expect(start.lastName == "Smith" && joe.lastName == "Smith" && form != start)
            expect(form.changes.map(\.name), ["lastName", "age", "address", "tags", "marks", "employer", "mentor"])
            let refusal = try #require(throws: StoreError.self) { try form.set(\.note, to: "x") }
            #expect(refusal.code == .noSuchProperty && refusal.className == "Person")
            let nan = try #require(throws: StoreError.self) { try form.set(\.height, to: .nan) }
            #expect(nan.code == .notRepresentable && nan.property == "height" && form.height == 1.8)
        }
    }
}
