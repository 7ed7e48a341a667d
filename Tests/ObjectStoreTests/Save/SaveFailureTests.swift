import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// A failed save leaves the database and memory unchanged, and its error states what to fix.
struct SaveFailureTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        override class var indexes: [Index] { [Index("lastName", "age", unique: true)] }
        var lastName = ""
        var age = 0
        @Unique var email: String?
    }

    final class Numbers: PersistentObject {
        override class var tableName: String { "numbers" }
        var double = 0.0
        var maybe: Double?
        var float: Float = 0
        var date = Date(timeIntervalSinceReferenceDate: 0)
        var decimal = Decimal(0)
        var list: [Double] = []
        var big: UInt64 = 0
    }

    private static func person(_ name: String, _ age: Int = 0, email: String? = nil) -> Person {
        let person = Person()
        person.lastName = name
        person.age = age
        person.email = email
        return person
    }

    @Test func `errors for unique sets of properties and for ids name the properties, without SQL`() throws {
        final class Seat: PersistentObject {
            override class var tableName: String { "seat" }
            override class var identity: Identity { .given }
            override class var indexes: [Index] { [Index("row", "number", unique: true)] }
            var row = 1
            var number = 1
        }
        try withTemporarySession { _, _ in
            try Seat(id: 1).save()
            let same = #expect(throws: StoreError.self) { try Seat(id: 2).save() }
            #expect(
                same?.problems.first?.properties == ["row", "number"] && same?.sql != nil && same?.resultCode != nil)
            #expect(
                same.map { "\($0)" }
                    == "Seat.row, number: The values are already taken by another object. Nothing was "
                    + "changed. Change one of them and save again")
            let other = try Seat(id: 1)
            other.number = 2
            let taken = #expect(throws: StoreError.self) { try other.save() }
            #expect(
                taken.map { "\($0)" }
                    == "Seat.id: The value is already taken by another object. Nothing was changed. Change "
                    + "the value and save again")
        }
    }

    @Test func `a duplicate value is an error with class and property`() throws {
        try withTemporarySession { _, file in
            try Self.person("Smith", email: "a@b.c").save()
            let jones = Self.person("Jones", email: "a@b.c")
            let error = #expect(throws: StoreError.self) { try jones.save() }
            #expect(error?.code == .notUnique && error?.className == "Person" && error?.property == "email")
            #expect(
                error.map { "\($0)" }
                    == "Person.email: The value is already taken by another object. Nothing was changed. "
                    + "Change the value and save again")
            #expect(error.map { !"\($0)".contains("a@b.c") } == true, "values are no part of an error")
            #expect(jones.id == nil && jones.isNew && jones.lastName == "Jones" && jones.email == "a@b.c")
            #expect(try file.sqlite("SELECT count(*) FROM person") == "1")
            jones.email = "j@b.c"
            try jones.save()
            #expect(
                try file.sqlite("SELECT * FROM person WHERE id = \(jones.id ?? 0)") == "\(jones.id ?? 0)|Jones|0|j@b.c")
        }
    }

    @Test func `a failed update names the row and keeps the edits`() throws {
        try withTemporarySession { _, file in
            try Self.person("Smith", email: "a@b.c").save()
            let jones = Self.person("Jones", email: "j@b.c")
            try jones.save()
            jones.email = "a@b.c"
            jones.age = 7
            let error = #expect(throws: StoreError.self) { try jones.save() }
            #expect(error?.code == .notUnique && error?.property == "email" && error?.rowID == 2)
            #expect(jones.changes.map(\.name) == ["age", "email"] && jones.age == 7 && !jones.isNew)
            try expect(file.sqlite("SELECT age, email FROM person WHERE id = 2"), "0|j@b.c")
            jones.email = "k@b.c"
            try jones.save()
            try expect(file.sqlite("SELECT age, email FROM person WHERE id = 2"), "7|k@b.c")
        }
    }

    @Test func `a duplicate combination of properties is an error with the class`() throws {
        try withTemporarySession { _, _ in
            try Self.person("Smith", 3).save()
            let error = #expect(throws: StoreError.self) { try Self.person("Smith", 3).save() }
            #expect(error?.code == .notUnique && error?.className == "Person" && error?.property == nil)
            try Self.person("Smith", 4).save()
        }
    }

    @Test func `several objects can have nil in a unique property`() throws {
        try withTemporarySession { session, _ in
            try session.save((0..<30).map { Self.person("Smith", $0) })
            try expect(Person.countByEmail(nil), 30)
        }
    }

    @Test(arguments: [2, 10, 30, 100, 700])
    func `one invalid object in a list prevents the whole save, which succeeds after a fix`(count: Int) throws {
        try withTemporarySession { session, file in
            let old = (0..<3).map { Self.person("Old", $0, email: "old\($0)") }
            try session.save(old)
            old[1].age = 50
            let new = (0..<count).map { Self.person("New", $0, email: "new\($0)") }
            new[count / 2].email = "old0"
            let error = #expect(throws: StoreError.self) { try session.save([old[1]] + new) }
            #expect(error?.code == .notUnique && error?.className == "Person" && error?.property == "email")
            #expect(try file.sqlite("SELECT count(*), max(age) FROM person") == "3|2")
            #expect(new.allSatisfy { $0.id == nil && $0.isNew && $0.hasChanges })
            #expect(old[1].changes.map(\.name) == ["age"])
            #expect(try session.space(of: Person.self).identity.brokenInvariant() == nil)
            new[count / 2].email = nil
            try session.save([old[1]] + new)
            #expect(try file.sqlite("SELECT count(*), max(id) FROM person") == "\(count + 3)|\(count + 3)")
            #expect(try file.sqlite("SELECT age FROM person WHERE id = 2") == "50")
        }
    }

    @Test func `two equal values in one list are detected too`() throws {
        try withTemporarySession { session, file in
            let people = [Self.person("A", email: "x"), Self.person("B", email: "x")]
            #expect(throws: StoreError.self) { try session.save(people) }
            try expect(file.sqlite("SELECT count(*) FROM person"), "0")
            people[1].email = "y"
            try session.save(people)
            expect(people.map(\.id), [1, 2])
        }
    }

    private static let unstorable: [(String, @Sendable (Numbers) -> Void)] = [
        ("double", { $0.double = .nan }), ("maybe", { $0.maybe = .signalingNaN }), ("float", { $0.float = .nan }),
        ("date", { $0.date = Date(timeIntervalSinceReferenceDate: .nan) }), ("decimal", { $0.decimal = .nan }),
        ("list", { $0.list = [1, .nan] }), ("big", { $0.big = UInt64(Int64.max) + 1 }),
    ]

    @Test(arguments: unstorable.map(\.0))
    func `a value that no column can hold is refused with class, property and row`(property: String) throws {
        let spoil = try #require(Self.unstorable.first { $0.0 == property }?.1)
        try withTemporarySession { session, file in
            let stored = Numbers()
            try stored.save()
            for object in [stored, Numbers()] {
                spoil(object)
                for save in [{ try object.save() }, { try session.save([Numbers(), object]) }] {
                    let error = #expect(throws: StoreError.self) { try save() }
                    #expect(error?.code == .notRepresentable && error?.className == "Numbers")
                    #expect(error?.property == property && error?.rowID == object.id)
                }
                #expect(object.hasChanges)
            }
            #expect(try file.sqlite("SELECT count(*), max(id) FROM numbers") == "1|1")
            stored.revert()
            #expect(!stored.hasChanges)
        }
    }

    @Test func `the limits of number types are stored exactly`() throws {
        try withTemporarySession { session, _ in
            let object = Numbers()
            object.double = -.infinity
            object.maybe = .leastNonzeroMagnitude
            object.float = .greatestFiniteMagnitude
            object.big = UInt64(Int64.max)
            try object.save()
            try session.store.withSession { _ in
                let read = try #require(try Numbers.find(1))
                #expect(read.double == -.infinity && read.maybe == .leastNonzeroMagnitude)
                #expect(read.float == .greatestFiniteMagnitude && read.big == UInt64(Int64.max))
            }
        }
    }

    @Test func `a deleted object is not saved`() throws {
        try withTemporarySession { session, file in
            let joe = Self.person("Smith")
            try joe.save()
            try joe.delete()
            joe.age = 3
            for save in [{ try joe.save() }, { try session.save([Self.person("New"), joe]) }] {
                let error = #expect(throws: StoreError.self) { try save() }
                #expect(error?.code == .objectIsDeleted && error?.className == "Person" && error?.rowID == 1)
            }
            #expect(try file.sqlite("SELECT count(*) FROM person") == "0")
        }
    }

    @Test func `saving a row that another program deleted is an error that keeps the edits`() throws {
        try withTemporarySession { session, file in
            let people = [Self.person("A"), Self.person("B")]
            try session.save(people)
            _ = try file.sqlite("DELETE FROM person WHERE id = 2")
            try people[1].save()
            people[0].age = 1
            people[1].age = 2
            let error = #expect(throws: StoreError.self) { try session.save(people) }
            #expect(error?.code == .rowGone && error?.className == "Person" && error?.rowID == 2)
            #expect(people.allSatisfy { $0.hasChanges })
            try expect(file.sqlite("SELECT age FROM person"), "0", "nothing of the list was written")
            #expect(throws: StoreError.self) { try people[1].reload() }
            expect(people[1].age, 2)
            try people[0].save()
            try people[1].delete()
            #expect(people[1].isDeleted)
        }
    }

    @Test func `an error of another program's trigger is reported as a constraint error`() throws {
        try withTemporarySession { _, file in
            let joe = Self.person("Smith")
            try joe.save()
            _ = try file.sqlite(
                "CREATE TRIGGER no AFTER UPDATE ON person BEGIN SELECT RAISE(ABORT, 'not on a Sunday'); END")
            joe.age = 5
            let error = #expect(throws: StoreError.self) { try joe.save() }
            #expect(error?.code == .constraint && error?.message.contains("not on a Sunday") == true)
            #expect(joe.hasChanges)
        }
    }
}
