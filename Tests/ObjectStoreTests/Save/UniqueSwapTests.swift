import TestSupport
import Testing

@testable import PersistentObjects

/// Rows that swap their unique values in one save.
struct UniqueSwapTests {
    final class Seat: PersistentObject {
        override class var tableName: String { "seat" }
        var room = ""
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        @Unique var email: String?
        @Unique var code = ""
        @Unique var number = 0
        @Unique var weight = 0.0
        @Unique var seat: Seat?
        var row = 0
        var column = 0
        var note = ""

        override class var indexes: [Index] { [Index(\Person.row, \Person.column, unique: true)] }
    }

    private static func save(_ count: Int, _ session: Session) throws -> [Person] {
        let people = (0..<count).map { make($0) }
        try session.save(people)
        return people
    }

    private static func make(_ index: Int) -> Person {
        let person = Person()
        person.email = "mail\(index)"
        person.code = "code\(index)"
        person.number = index
        person.weight = Double(index)
        person.seat = Seat()
        (person.row, person.column) = (index / 2, index % 2)
        return person
    }

    private static let rows =
        "SELECT email, code, number, weight, seat_id, \"row\", \"column\" FROM person ORDER BY id"

    /// Each object gets all unique values of the next.
    private static func rotate(_ people: [Person]) {
        let old = people.map { ($0.email, $0.code, $0.number, $0.weight, $0.seat, $0.row, $0.column) }
        for (index, person) in people.enumerated() {
            let next = old[(index + 1) % old.count]
            (person.email, person.code, person.number, person.weight) = (next.0, next.1, next.2, next.3)
            (person.seat, person.row, person.column) = (next.4, next.5, next.6)
        }
    }

    @Test(arguments: [2, 3, 50]) func `unique values can be swapped and rotated`(count: Int) throws {
        try withTemporarySession { session, file throws in
            let people = try Self.save(count, session)
            let before = try file.sqlite(Self.rows).split(separator: "\n").map(String.init)
            Self.rotate(people)
            try session.save(people)
            try expect(file.sqlite(Self.rows), (before[1...] + before[..<1]).joined(separator: "\n"))
            #expect(people.allSatisfy { !$0.hasChanges })
            #expect(try file.sqlite("PRAGMA foreign_key_check").isEmpty)
        }
    }

    @Test func `a single property can be swapped, but not by saving one of the two objects`() throws {
        try withTemporarySession { session, file throws in
            let people = try Self.save(2, session)
            (people[0].code, people[1].code) = (people[1].code, people[0].code)
            // Saving one of them alone violates the constraint.
            let error = #expect(throws: StoreError.self) { try people[0].save() }
            #expect(error?.code == .notUnique && error?.property == "code" && people.allSatisfy { $0.hasChanges })
            try withExtendedLifetime(people) { try session.saveChanges() }
            #expect(try file.sqlite("SELECT code FROM person ORDER BY id") == "code1\ncode0")
        }
    }

    @Test func `a new object can take the values that another object gives up in the same save`() throws {
        try withTemporarySession { session, file throws in
            let people = try Self.save(2, session)
            let new = Self.make(7)
            (new.email, new.number, new.seat) = (people[0].email, people[0].number, people[0].seat)
            (people[0].email, people[0].number, people[0].seat) = (nil, 99, nil)
            try session.save([new] + people)
            try expect(
                file.sqlite("SELECT email, number, seat_id FROM person ORDER BY id"), "|99|\nmail1|1|2\nmail0|0|1")
            #expect(!new.hasChanges && people.allSatisfy { !$0.hasChanges })
        }
    }

    @Test func `without a conflict, each row is updated once`() throws {
        try withTemporarySession { session, _ throws in
            let people = try Self.save(3, session)
            for person in people { person.code += "!" }
            let log = try statements(of: session) { try session.save(people) }
            #expect(log.count { $0.hasPrefix("UPDATE") } == 3 && log.count { $0.hasPrefix("BEGIN") } == 1)
        }
    }

    final class Ticket: PersistentObject {
        override class var tableName: String { "ticket" }
        @Unique var code = ""
    }

    @Test func `a single object with a duplicate value is tried only once`() throws {
        try withTemporarySession { session, file throws in
            let tickets = ["a", "b"].map { code in
                let ticket = Ticket()
                ticket.code = code
                return ticket
            }
            try session.save(tickets)
            tickets[0].code = "b"
            var error: StoreError?
            let log = statements(of: session) { error = #expect(throws: StoreError.self) { try tickets[0].save() } }
            #expect(error?.code == .notUnique && error?.className == "Ticket" && error?.property == "code")
            #expect(error?.rowID == 1)
            #expect(log.count { $0.hasPrefix("UPDATE") } == 1, "\(log)")
            tickets[0].code = "c"
            try tickets[0].save()
            #expect(try !tickets[0].hasChanges && file.sqlite("SELECT code FROM ticket ORDER BY id") == "c\nb")
        }
    }

    @Test func `a value of a third row is refused, and nothing changes`() throws {
        try withTemporarySession { session, file throws in
            let people = try Self.save(3, session)
            let before = try file.sqlite(Self.rows)
            (people[0].code, people[1].code) = (people[1].code, "code2")
            let error = #expect(throws: StoreError.self) { try session.save(people) }
            #expect(error?.code == .notUnique && error?.className == "Person" && error?.property == "code")
            expect(error?.rowID, people[1].id)
            try expect(file.sqlite(Self.rows), before)
            expect(people.map(\.hasChanges), [true, true, false])
            people[2].code = "code0"
            try session.save(people)
            try expect(file.sqlite("SELECT code FROM person ORDER BY id"), "code1\ncode2\ncode0")
        }
    }

    @Test func `two objects of one save with the same value are refused`() throws {
        try withTemporarySession { session, file throws in
            let people = try Self.save(2, session)
            for person in people { person.number = 5 }
            let error = #expect(throws: StoreError.self) { try session.save(people) }
            #expect(error?.code == .notUnique && error?.property == "number")
            #expect(try file.sqlite("SELECT number FROM person ORDER BY id") == "0\n1")
        }
    }
}
