import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// An upsert saves the object, or updates the row that already has its unique value.
struct UpsertTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        @Unique var email: String?
        @Unique var number: Int?
        var name = ""
        var tags: [String] = []
        @Lazy var friend: Person?
    }

    private func person(_ email: String?, _ name: String) -> Person {
        let person = Person()
        person.email = email
        person.name = name
        return person
    }

    @Test func `the first upsert inserts a row, and the second updates it`() throws {
        try withTemporarySession { session, file throws in
            let ann = person("a@b.c", "Ann")
            #expect(try session.upsert(ann, on: \.email) === ann)
            let other = person("a@b.c", "Anna")
            other.tags = ["new"]
            other.friend = ann
            #expect(try session.upsert(other, on: \.email) === ann)
            #expect(other.isNew && ann.name == "Anna" && ann.tags == ["new"] && ann.friend === ann && !ann.hasChanges)
            try expect(file.sqlite("SELECT id, email, name FROM person"), "1|a@b.c|Anna")
        }
    }

    @Test func `rows that are not in memory are found with one query`() throws {
        try withTemporarySession { session, file throws in
            try session.save((0..<100).map { person("\($0)", "old") })
            let people = (50..<150).map { person("\($0)", "new") }
            let log = try statements(of: session) {
                let saved = try session.upsert(people, on: \.email)
                #expect(saved.count == 100 && saved[99] === people[99] && saved[0] !== people[0])
            }
            #expect(log.count { $0.hasPrefix("SELECT") && $0.contains("\"email\"") } <= 2, "\(log)")
            #expect(
                try file.sqlite("SELECT name, count(*) FROM person GROUP BY name ORDER BY name") == "new|100\nold|50")
        }
    }

    @Test func `of several objects with the same value the last one counts, and nil never matches`() throws {
        try withTemporarySession { session, file throws in
            let people = [person("x", "1"), person(nil, "2"), person("x", "3"), person(nil, "4")]
            let saved = try session.upsert(people, on: \.email)
            #expect(saved[0] === people[0] && saved[2] === people[0] && saved[1] === people[1])
            try expect(file.sqlite("SELECT name FROM person ORDER BY name"), "2\n3\n4")
        }
    }

    final class Stamped: PersistentObject {
        override class var tableName: String { "stamped" }
        @Unique var email: String?
        var name = ""
        var createdAt: Date?
        var updatedAt: Date?
    }

    @Test func `an upsert keeps createdAt of the row and sets the other values`() throws {
        try withTemporarySession { session, _ in
            let (old, new) = (Stamped(), Stamped())
            (old.email, old.name, new.email, new.name) = ("a@b.c", "Ann", "a@b.c", "Anna")
            try old.save()
            let created = try #require(old.createdAt)
            new.createdAt = Date(timeIntervalSinceReferenceDate: 1)
            #expect(try session.upsert(new, on: \.email) === old)
            #expect(old.name == "Anna" && old.createdAt == created && !old.hasChanges)
            try old.reload()
            #expect(old.name == "Anna" && old.createdAt == created)
        }
    }

    @Test func `a failed upsert changes nothing`() throws {
        try withTemporarySession { session, file throws in
            let ann = person("a", "Ann")
            ann.number = 1
            let bob = person("b", "Bob")
            bob.number = 2
            try session.save([ann, bob])
            let other = person("a", "Anna")
            other.number = 2
            let error = #expect(throws: StoreError.self) { try session.upsert(other, on: \.email) }
            expect(error?.code, .notUnique)
            #expect(ann.name == "Ann" && ann.number == 1 && !ann.hasChanges && other.isNew)
        }
    }

    @Test func `an upsert on a property that is not unique is refused`() throws {
        try withTemporarySession { session, _ throws in
            let error = #expect(throws: StoreError.self) { try session.upsert(person("a", "A"), on: \.name) }
            #expect(error?.code == .misuse && error?.className == "Person")
        }
    }
}
