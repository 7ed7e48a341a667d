import TestSupport
import Testing

@testable import PersistentObjects

/// `refreshing()` rereads the objects that a query finds.
struct QueryRefreshingTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age = 0
        @Unique var mail: String?
    }

    /// Runs the body with three saved people in one session.
    private func withTrigger(_ body: (Session, [Person]) throws -> Void) throws {
        try withTemporarySession { session, file in
            let people = (0..<3).map { number in
                let person = Person()
                (person.name, person.mail) = ("P\(number)", "\(number)@b.c")
                return person
            }
            try session.save(people)
            try body(session, people)
        }
    }

    /// Makes the value in memory differ from the row without the session noticing: the object counts as up to date.
    private func forge(_ person: Person, _ age: Int) throws {
        let session = try #require(person.identityMap?.session)
        _ = try session.execute("UPDATE person SET age = ? WHERE id = ?", age, person.id)
        person.freshness = session.memory.epoch
    }

    @Test func `objects that count as up to date are read again`() throws {
        try withTrigger { session, people in
            try forge(people[0], 7)
            // A server does not report which rows a session has read.
            if !TestEngine.isPostgres { try expect(Person.all().map(\.age), [0, 0, 0]) }
            try expect(Person.query.refreshing().all().map(\.age), [7, 0, 0])
            try forge(people[1], 8)
            try expect(Person.where { $0.id == 2 }.refreshing().first()?.age, 8)
            try forge(people[2], 9)
            try expect(Person.query.refreshing().findBy.mail("2@b.c"), [people[2]])
            expect(people[2].age, 9)
            try forge(people[2], 10)
            try expect(Person.query.order(by: \.name, .descending).refreshing().limit(1).all().map(\.age), [10])
            expect(people.map(\.age), [7, 8, 10])
        }
    }

    @Test func `only the objects found are read again`() throws {
        try withTrigger { session, people in
            try forge(people[0], 7)
            #expect(try Person.where { $0.id > 1 }.refreshing().all().count == 2)
            #expect(people[0].age == 0)
            #expect(try Person.where { $0.id > 9 }.refreshing().all().isEmpty)
        }
    }

    @Test func `refreshing keeps edits unless told to drop them`() throws {
        try withTrigger { session, people in
            try forge(people[0], 7)
            people[0].name = "edited"
            people[1].age = 5
            let kept = try Person.query.refreshing().all()
            #expect(kept[0].name == "edited" && kept[0].age == 7 && kept[1].age == 5)
            let dropped = try Person.where { $0.id < 3 }.refreshing(droppingEdits: true).all()
            #expect(dropped.map(\.name) == ["P0", "P1"] && dropped.map(\.age) == [7, 0])
            #expect(!session.hasChanges)
        }
    }

    @Test func `untracked objects always have the stored values`() throws {
        try withTrigger { session, people in
            try forge(people[0], 7)
            try expect(Person.query.refreshing().untracked().all().map(\.age), [7, 0, 0])
            expect(people[0].age, 0)
        }
    }
}
