import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// `requireUnique`: comparison with the database and with the other objects of the save, and race conditions.
struct UniquenessTests {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        @Unique var email: String?

        override func validate(_ problems: inout Problems) { problems.requireUnique(\Person.email) }
    }

    final class Employee: Person {
        var salary = 0
    }

    final class Room: PersistentObject {
        override class var tableName: String { "room" }
        var name = ""
    }

    final class Seat: PersistentObject {
        override class var tableName: String { "seat" }
        override class var indexes: [Index] { [Index(\Seat.room, \Seat.number, unique: true)] }
        var room: Room?
        var number: Int?

        override func validate(_ problems: inout Problems) {
            problems.requireUnique(\Seat.number, \Seat.room, message: "is not free")
        }
    }

    final class Bare: PersistentObject {
        override class var tableName: String { "bare" }
        var name = ""
        override func validate(_ problems: inout Problems) { problems.requireUnique(\Bare.name) }
    }

    final class Slow: PersistentObject {
        @TaskLocal static var whileSaving: Hook?
        override class var tableName: String { "slow" }
        @Unique var email: String?

        override func willInsert() throws { try Slow.whileSaving?() }
        override func validate(_ problems: inout Problems) { problems.requireUnique(\Slow.email) }
    }

    final class Team: PersistentObject {
        override class var tableName: String { "team" }
        @OnDelete(.cascade) var players: [Person] = []
    }

    private func problems(_ body: () throws -> Void) -> [String]? {
        let error = #expect(throws: StoreError.self) { () throws in try body() }
        expect(error?.code, .invalid)
        return error?.problems.map(\.description)
    }

    private func person(_ email: String?, _ made: Person = Person()) -> Person {
        made.email = email
        return made
    }

    @Test func `a value of another row is a problem, and the object's own value is not`() throws {
        try withTemporarySession { session, _ throws in
            let joe = person("a")
            try joe.save()
            joe.name = "Joe"
            try joe.save()
            let ann = person("a")
            expect(problems { () throws in try ann.save() }, ["Person.email: is already taken"])
            #expect(try !ann.isValid)
            // A subclass uses the same table; nil is never taken.
            expect(problems { () throws in try person("a", Employee()).save() }, ["Employee.email: is already taken"])
            try session.save([person(nil), person(nil)])
            ann.email = "b"
            try ann.save()
            ann.email = "a"
            expect(problems { () throws in try ann.save() }, ["Person.email #4: is already taken"])
        }
    }

    @Test func `objects of one save are compared with each other`() throws {
        try withTemporarySession { session, _ throws in
            expect(
                problems { () throws in try session.save([person("a"), person("b"), person("a", Employee())]) },
                ["Employee.email: is already taken"])
            let (joe, ann) = (person("a"), person("b"))
            try session.save([joe, ann])
            // Values can be swapped, or taken from an object that gets another value.
            (joe.email, ann.email) = ("b", "a")
            try session.save([joe, ann])
            joe.email = "c"
            try session.save([joe, person("b")])
            try expect(Person.count(), 3)
            // Not if the other object's change is not saved.
            ann.email = "d"
            let eve = person("a")
            expect(problems { () throws in try eve.save() }, ["Person.email: is already taken"])
            withExtendedLifetime((joe, ann)) {}
        }
    }

    @Test func `several properties can be unique together`() throws {
        try withTemporarySession { session, _ throws in
            func seat(_ room: Room?, _ number: Int?) -> Seat {
                let seat = Seat()
                (seat.room, seat.number) = (room, number)
                return seat
            }
            let hall = Room()
            expect(
                problems { () throws in try session.save([seat(hall, 1), seat(hall, 2), seat(hall, 1)]) },
                ["Seat.number, room: is not free"])
            let other = Room()
            try session.save([seat(hall, 1), seat(other, 1), seat(nil, 1), seat(nil, 1), seat(hall, nil)])
            expect(problems { () throws in try seat(other, 1).save() }, ["Seat.number, room: is not free"])
            try seat(other, 2).save()
        }
    }

    @Test func `requireUnique without a unique index is an error`() throws {
        try withTemporarySession { _, _ throws in
            let error = #expect(throws: StoreError.self) { () throws in try Bare().save() }
            #expect(error?.code == .misuse && error?.property == "name")
            #expect("\(error as Any)".contains("Mark it @Unique"))
        }
    }

    @Test func `the value of an orphan that the save deletes is free`() throws {
        try withTemporarySession { _, file throws in
            let team = Team()
            team.players = [person("a"), person("b")]
            try team.save()
            team.players = [person("a")]
            try team.save()
            try expect(file.sqlite("SELECT id, email FROM person"), "3|a")
        }
    }

    @Test func `findOrCreate finds a row that another program inserted meanwhile`() throws {
        try withTemporarySession { _, file throws in
            _ = try Slow.count()
            let insert = Hook { _ = try file.sqlite("INSERT INTO slow (email) VALUES ('a')") }
            let found = try Slow.$whileSaving.withValue(insert) { try Slow.findOrCreateBy.email("a") }
            #expect(found.id == 1 && !found.isNew)
            let other = Hook { _ = try file.sqlite("INSERT INTO slow (email) VALUES ('b')") }
            Slow.$whileSaving.withValue(other) {
                expect(problems { () throws in try found.copy().save() }, ["Slow.email: is already taken"])
            }
        }
    }

    @Test func `a violation found only by the database reports the same problem`() throws {
        try withTemporarySession { session, _ throws in
            try person("a").save()
            for save in [
                { try person("a").save(.withoutValidation) },
                { try session.save([person("c"), person("a")], .withoutValidation) },
            ] {
                let error = #expect(throws: StoreError.self) { () throws in try save() }
                #expect(error?.code == .notUnique && error?.property == "email")
                #expect(error?.problems(of: "email") == ["is already taken"])
                #expect("\(error as Any)".contains("Person.email: The value is already taken"))
            }
            let hall = Room()
            for index in 0..<2 {
                let seat = Seat()
                (seat.room, seat.number) = (hall, 1)
                if index == 0 {
                    try seat.save()
                } else {
                    let error = #expect(throws: StoreError.self) { () throws in try seat.save(.withoutValidation) }
                    #expect(error?.problems.first.map { Set($0.properties) } == ["room", "number"])
                }
            }
        }
    }
}
