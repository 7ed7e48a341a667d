import TestSupport
import Testing

@testable import PersistentObjects

/// `session.expire(_:)`, `expireAll()` and `evict(_:)`.
struct ExpireTests {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        override class var identity: Identity { .uuid }
        var name = ""
        var age = 0
        var friend: Person?
        @Unique var mail: String?
    }

    final class Employee: Person { var salary = 0 }

    /// Runs `body` with two people whose rows were changed without the session's knowledge.
    private func withChangedRows(_ body: (Session, TemporaryStore, [Person]) throws -> Void) throws {
        try withTemporarySession { session, file in
            let people = [Person(), Employee()]
            for (number, person) in people.enumerated() {
                (person.name, person.mail) = ("P\(number)", "\(number)@b.c")
            }
            try session.save(people)
            _ = try file.sqlite("UPDATE person SET age = age + 7")
            try body(session, file, people)
        }
    }

    @Test
    func `a find by id, ids, key, persistent id or unique value refreshes an expired object`() throws {
        try withChangedRows { session, file, people in
            try expect(Person.find(1)?.age, 0)
            session.expire(people[0])
            expect(people[0].age, 0)
            #expect(try Person.find(1) === people[0] && people[0].age == 7 && people[1].age == 0)
            _ = try file.sqlite("UPDATE person SET age = 8")
            session.expire(people)
            #expect(try Person.find(#require(people[0].key)) === people[0] && people[0].age == 8)
            try expect(Person.find([2, 1]).map(\.age), [8, 8])
            _ = try file.sqlite("UPDATE person SET age = 9")
            session.expire(people[1])
            let id = try #require(people[1].persistentID)
            try expect(session.object(for: id)?.age, 9)
            _ = try file.sqlite("UPDATE person SET age = 10")
            session.expire(people[0])
            try expect(Person.findOnlyBy.mail("0@b.c").age, 10)
        }
    }

    @Test func `an expired object is read only once, and its edits stay`() throws {
        try withChangedRows { session, file, people in
            people[0].name = "Ann"
            session.expire(people[0])
            #expect(
                try Person.find(1)?.age == 7 && people[0].name == "Ann" && people[0].changes.map(\.name) == ["name"])
            let before = try session.counts.statements
            try expect(Person.find(1)?.age, 7)
            let after = try session.counts.statements
            expect(after, before)
            try people[0].save()
            try expect(file.sqlite("SELECT name, age FROM person WHERE id = 1"), "Ann|7")
        }
    }

    @Test func `expireAll() expires all objects of all classes`() throws {
        try withChangedRows { session, _, people in
            session.expireAll()
            _ = (try Person.find(1), try Person.find(2))
            expect(people.map(\.age), [7, 7])
        }
    }

    @Test func `a find of an expired object whose row was deleted returns nothing`() throws {
        try withChangedRows { session, file, people in
            _ = try file.sqlite("DELETE FROM person WHERE id = 1")
            #expect(try Person.find(1) === people[0])
            session.expire(people)
            #expect(try Person.find(1) == nil)
            #expect(people[0].isDeleted)
            _ = try file.sqlite("DELETE FROM person")
            #expect(try Person.find([1, 2]).isEmpty)
        }
    }

    @Test func `expiring or evicting a new object or an object of another session has no effect`() throws {
        try withChangedRows { session, _, people in
            session.expire(Person())
            try session.store.withSession { other in
                let twin = try #require(try Person.find(1))
                session.expire(twin)
                session.evict(twin)
                #expect(twin.identityMap?.session === other)
                other.expire(people[0])
                other.evict(people[0])
            }
            try expect(Person.find(1)?.age, 0)
            people[0].name = "x"
            try people[0].save()
        }
    }

    @Test func `an evicted object keeps its values, and a find returns a new object`() throws {
        try withChangedRows { session, _, people in
            people[0].name = "dropped"
            session.evict(people[0])
            #expect(people[0].name == "dropped" && people[0].id == 1 && !people[0].hasChanges)
            let again = try #require(try Person.find(1))
            #expect(again !== people[0] && again.name == "P0" && again.age == 7)
            for refused in [{ try people[0].save() }, { try people[0].delete() }, { try people[0].reload() }]
                as [() throws -> Void]
            {
                let error = #expect(throws: StoreError.self) { try refused() }
                #expect(error?.code == .misuse && error?.className == "Person" && error?.rowID == 1)
            }
            #expect(!session.hasChanges)
        }
    }

    @Test func `an object that refers to an evicted object is refused`() throws {
        try withChangedRows { session, file, people in
            people[0].friend = people[1]
            try people[0].save()
            session.evict(people[1])
            people[0].name = "changed"
            #expect(throws: StoreError.self) { try people[0].save() }
            people[0].friend = try Person.find(2)
            try people[0].save()
            try expect(file.sqlite("SELECT name, friend_id FROM person WHERE id = 1"), "changed|2")
        }
    }

    @Test
    func `an object evicted in a transaction leaves the session when the transaction ends, committed or not`() throws {
        try withChangedRows { session, file, people in
            try session.transaction {
                people[0].name = "Ann"
                session.evict(people[0])
                #expect(people[0].identityMap != nil)
                try people[0].save()
            }
            #expect(people[0].identityMap == nil && people[0].name == "Ann")
            #expect(try file.sqlite("SELECT name FROM person WHERE id = 1") == "Ann")
            struct Boom: Error {}
            #expect(throws: Boom.self) {
                try session.transaction { () throws in
                    people[1].name = "Bob"
                    try people[1].save()
                    session.evict(people[1])
                    throw Boom()
                }
            }
            #expect(people[1].identityMap == nil && people[1].name == "P1")
        }
    }

    private final class Guest: PersistentObject {
        override class var tableName: String { "guest" }
        var name = ""
        override func didSave() { identityMap?.session?.evict(self) }
        override func willSave() { identityMap?.session?.evict(self) }
    }

    @Test func `a hook can evict its object`() throws {
        try withTemporarySession { session, file in
            let guest = Guest()
            try guest.save()
            #expect(guest.identityMap == nil && guest.id == 1)
            let again = try #require(try Guest.find(1))
            again.name = "x"
            try again.save()
            #expect(again.identityMap == nil)
            try expect(file.sqlite("SELECT name FROM guest"), "x")
        }
    }

    /// A value that calls a closure when it is decoded.
    struct Hooked: Codable {
        nonisolated(unsafe) static var onDecode: (() -> Void)?
        var number = 0
        init() {}
        init(from decoder: any Decoder) throws {
            number = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)
            Hooked.onDecode?()
        }
        enum CodingKeys: CodingKey { case number }
    }

    final class Box: PersistentObject {
        override class var tableName: String { "box" }
        var name = ""
        var value = Hooked()
        var tags: [String] = []
    }

    // In turn, because they share the closure.
    @Test(.serialized, arguments: ["reload", "query", "reading"])
    func `an object that is evicted while it is decoded leaves the session when the call ends`(how: String) throws {
        try withTemporarySession { session, file in
            let boxes = (0..<4).map { _ in Box() }
            for box in boxes { box.tags = ["x"] }
            try session.save(boxes)
            _ = try file.sqlite("UPDATE box SET name = 'other', value = CAST('{\"number\":1}' AS BLOB)")
            boxes[0].tags.append("edit")
            Hooked.onDecode = { for box in boxes.prefix(2) { session.evict(box) } }
            defer { Hooked.onDecode = nil }
            switch how {
            case "reload": try boxes[0].reload()
            case "query": #expect(try Box.query.refreshing().all() == boxes)
            default: try session.reading { () throws in #expect(try Box.query.refreshing().all() == boxes) }
            }
            Hooked.onDecode = nil
            #expect(throws: StoreError.self) { try boxes[0].save() }
            let fresh = (0..<4).map { _ in Box() }
            try session.save(fresh)
            let found = try Box.all()
            #expect(found.count == 8 && found[0] !== boxes[0] && found[2] === boxes[2])
            #expect(found.prefix(4).allSatisfy { $0.name == "other" && $0.tags == ["x"] })
            #expect(session.brokenInvariant == nil)
        }
    }

    @Test func `an object evicted in a read block leaves the session at once`() throws {
        try withChangedRows { session, _, people in
            try session.reading { () throws in
                session.evict(people[0])
                #expect(try Person.find(1) !== people[0])
            }
        }
    }
}
