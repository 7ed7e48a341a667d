import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Merging snapshots into a session.
struct MergeTests {
    typealias Person = SnapshotModel.Person
    typealias Company = SnapshotModel.Company
    typealias Country = SnapshotModel.Country

    /// Runs the body with a changed snapshot of Joe, and with another session for the merge.
    private func withMerge(
        _ change: (inout Snapshot<Person>, Person, Person) throws -> Void,
        _ body: (Session, Session, Snapshot<Person>) throws -> Void
    ) throws {
        try SnapshotModel.withPeople { session, file, joe, ann throws in
            var snapshot = joe.snapshot()
            try change(&snapshot, joe, ann)
            try session.store.withSession { other throws in try body(other, session, snapshot) }
            withExtendedLifetime((joe, ann)) {}
        }
    }

    @Test func `merging an unchanged snapshot finds the object and changes nothing`() throws {
        try withMerge({ _, _, _ in }) { session, _, snapshot throws in
            let joe = try session.merge(snapshot)
            #expect(joe.lastName == "Smith" && !joe.hasChanges)
            #expect(try session.merge(snapshot) === joe && Person.find(1) === joe)
        }
    }

    @Test func `a snapshot of a row that now has another class is refused`() throws {
        try withMerge({ _, _, _ in }) { session, _, snapshot throws in
            try session.store.prepare(SnapshotModel.Employee.self)
            _ = try session.execute("UPDATE person SET class = 'Employee', salary = 1 WHERE id = 1")
            let error = #expect(throws: StoreError.self) { try session.merge(snapshot) }
            #expect(error?.code == .unknownClass && error?.className == "Person" && error?.rowID == 1)
            #expect(
                error?.message
                    == "The row now has the class Employee, but the snapshot has the class Person. Nothing was merged")
        }
    }

    @Test func `changes of all types are merged, with objects of the merging session`() throws {
        let change: (inout Snapshot<Person>, Person, Person) throws -> Void = { snapshot, joe, ann throws in
            (joe.lastName, joe.age, joe.status, joe.address.zip) = ("Jones", nil, .active, 9)
            (joe.tags, joe.marks, joe.numbers) = (["z"], nil, [9])
            (joe.friends, joe.club, joe.helpers) = ([joe, ann], nil, ["b": joe, "c": ann])
            (joe.chief, joe.mentor, joe.photo) = (joe, nil, nil)
            joe.pets.removeLast()
            snapshot = joe.snapshot()
        }
        try withMerge(change) { session, _, snapshot throws in
            let joe = try session.merge(snapshot)
            let ann = try #require(try Person.find(2))
            #expect(joe.lastName == "Jones" && joe.age == nil && joe.status == .active && joe.address.zip == 9)
            #expect(joe.tags == ["z"] && joe.marks == nil && joe.numbers == [9] && joe.photo == nil)
            #expect(joe.friends == [joe, ann] && joe.club == nil && joe.helpers == ["b": joe, "c": ann])
            #expect(joe.chief === joe && joe.mentor == nil && joe.pets.map(\.id) == [1])
            #expect(joe.height == 1.8 && joe.employer?.id == 1)
            expect(joe.changes.map(\.name), snapshot.changes.map(\.name))
            try joe.save()
            #expect(joe.snapshot() == joe.snapshot() && !joe.hasChanges)
            try expect(session.rows("SELECT last_name FROM person WHERE id = 1")[0].value("last_name"), "Jones")
        }
    }

    @Test func `edits of other properties are kept, and changes of other sessions do not conflict`() throws {
        try withMerge({ snapshot, _, _ in try snapshot.set(\.lastName, to: "Jones") }) { session, _, snapshot throws in
            let joe = try #require(try Person.find(1))
            joe.age = 50
            try session.execute("UPDATE person SET height = 2.5")
            #expect(try session.merge(snapshot) === joe)
            #expect(joe.lastName == "Jones" && joe.age == 50 && joe.height == 2.5)
            expect(joe.changes.map(\.name), ["lastName", "age"])
        }
    }

    @Test func `an edit of the same property conflicts`() throws {
        let change: (inout Snapshot<Person>, Person, Person) throws -> Void = { snapshot, _, _ throws in
            try snapshot.set(\.age, to: 40)
            try snapshot.set(\.lastName, to: "Jones")
        }
        try withMerge(change) { session, _, snapshot throws in
            let joe = try #require(try Person.find(1))
            joe.age = 41
            let error = try #require(throws: MergeConflicts.self) { try session.merge(snapshot) }
            #expect(error.className == "Person" && error.rowID == 1 && error.conflicts.map(\.property) == ["age"])
            #expect(
                error.description
                    == "Person #1: The snapshot and the object have conflicting changes: age: 39 -> 40, but "
                    + "it is now 41. Nothing was merged. Take a new snapshot, also if a merge of this "
                    + "snapshot was saved before, or call merge(_:preferring:)")
            #expect(joe.age == 41 && joe.lastName == "Smith", "nothing was merged")
            let mine = try session.merge(snapshot, preferring: .session)
            #expect(mine.object === joe && mine.conflicts.count == 1 && joe.age == 41 && joe.lastName == "Jones")
            let theirs = try session.merge(snapshot, preferring: .snapshot)
            #expect(theirs.conflicts.count == 1 && joe.age == 40)
            #expect(try session.merge(snapshot, preferring: .snapshot).conflicts.isEmpty, "both agree by now")
        }
    }

    @Test func `a changed row conflicts, unless it has the merged value`() throws {
        try withMerge({ snapshot, _, _ in try snapshot.set(\.age, to: 40) }) { session, _, snapshot throws in
            try session.execute("UPDATE person SET age = 41")
            let error = try #require(throws: MergeConflicts.self) { try session.merge(snapshot) }
            #expect(error.conflicts.map(\.description) == ["age: 39 -> 40, but it is now 41"])
            try session.execute("UPDATE person SET age = 40")
            #expect(try session.merge(snapshot).hasChanges == false)
        }
    }

    @Test(.onSQLite("ids of another session follow")) func `conflicts of references and collections show ids`() throws {
        let change: (inout Snapshot<Person>, Person, Person) throws -> Void = { snapshot, joe, _ throws in
            joe.employer = nil
            joe.friends = []
            snapshot = joe.snapshot()
        }
        try withMerge(change) { session, _, snapshot throws in
            let joe = try #require(try Person.find(1))
            let other = Company()
            try other.save()
            joe.employer = other
            joe.friends.removeLast()
            let error = try #require(throws: MergeConflicts.self) { try session.merge(snapshot) }
            #expect(
                error.conflicts.map(\.description) == [
                    "employer: Company #1 -> nil, but it is now Company #2",
                    "friends: [Person #2, Person #1, Person #2] -> [], but it is now [Person #2, Person #1]",
                ])
        }
    }

    @Test func `unloaded properties of a snapshot are not merged`() throws {
        try SnapshotModel.withPeople { session, _, joe, _ throws in
            try session.refresh()
            joe.lastName = "Jones"
            let snapshot = joe.snapshot(loading: false)
            try session.store.withSession { other throws in
                let mine = try other.merge(snapshot)
                #expect(mine.lastName == "Jones" && mine.photo == Data([1, 2]) && mine.pets.count == 2)
                expect(mine.changes.map(\.name), ["lastName"])
            }
        }
    }

    @Test func `a lazy property that was set without being read is merged`() throws {
        try SnapshotModel.withPeople { session, _, joe, _ throws in
            try session.refresh()
            joe.photo = Data([9])
            let snapshot = joe.snapshot(loading: false)
            try session.store.withSession { other throws in
                let mine = try other.merge(snapshot)
                #expect(mine.photo == Data([9]) && mine.changes.map(\.name) == ["photo"])
                try mine.save()
            }
            try joe.reload()
            expect(joe.photo, Data([9]))
        }
    }

    @Test(.onSQLite("ids of another session follow"))
    func `a snapshot of a new object creates a new unsaved object`() throws {
        try SnapshotModel.withPeople { session, _, joe, _ throws in
            let new = SnapshotModel.Employee()
            (new.lastName, new.salary, new.employer, new.friends) = ("New", 5, joe.employer, [joe])
            let snapshot = (new as Person).snapshot()
            try session.store.withSession { other throws in
                let mine = try other.merge(snapshot)
                #expect(mine.isNew && mine.lastName == "New" && (mine as? SnapshotModel.Employee)?.salary == 5)
                #expect(try mine.friends == [Person.find(1)] && mine.employer?.id == 1)
                try mine.save()
                expect(mine.id, 3)
                #expect(try other.merge(snapshot) !== mine, "it names no row")
            }
        }
    }

    @Test func `objects of classes with keys are found by their keys`() throws {
        try withTemporarySession { session, _ in
            let iceland = try Country(key: "IS")
            iceland.name = "Iceland"
            try iceland.save()
            var snapshot = iceland.snapshot()
            expect(snapshot.persistentID?.key, "IS")
            try snapshot.set(\.size, to: 3)
            try session.store.withSession { other throws in
                // The row has another id now.
                try other.execute("UPDATE country SET id = 77")
                let mine = try other.merge(snapshot)
                #expect(mine.id == 77 && mine.size == 3 && mine.name == "Iceland" && mine.changes.count == 1)
                let new = try Country(key: "IS")
                new.neighbour = mine
                let merged = try other.merge(new.snapshot())
                #expect(merged === mine && mine.neighbour === mine && mine.name == "Iceland", "the rest is as it was")
                let norway = try other.merge(try Country(key: "NO").snapshot())
                #expect(norway.isNew && norway.key == "NO")
            }
        }
    }

    @Test func `a deleted row, or a reference to a deleted object, throws`() throws {
        try withMerge({ snapshot, _, ann in try snapshot.set(\.employer, to: PersistentID(99)) }) {
            session, _, snapshot throws in
            let gone = try #require(throws: StoreError.self) { try session.merge(snapshot) }
            #expect(
                gone.code == .brokenReference && gone.property == "employer" && gone.message.contains("Company #99"))
            try session.execute("DELETE FROM person WHERE id = 1")
            let error = try #require(throws: StoreError.self) { try session.merge(snapshot) }
            #expect(error.code == .rowGone && error.className == "Person" && error.rowID == 1)
        }
    }

    @Test func `a reference to an object without a row cannot be merged`() throws {
        try withMerge({ snapshot, joe, _ in
            joe.employer = Company()
            snapshot = joe.snapshot()
        }) { session, _, snapshot throws in
            let error = try #require(throws: StoreError.self) { try session.merge(snapshot) }
            #expect(error.code == .brokenReference && error.property == "employer")
        }
    }

    @Test func `a snapshot of another store is refused unless its object is new`() throws {
        try withMerge({ _, _, _ in }) { _, _, snapshot throws in
            try withTemporarySession { session, _ in
                let error = try #require(throws: StoreError.self) { try session.merge(snapshot) }
                #expect(error.code == .otherSession)
                let new = try session.merge(Person().snapshot())
                #expect(new.isNew)
            }
        }
    }
}
