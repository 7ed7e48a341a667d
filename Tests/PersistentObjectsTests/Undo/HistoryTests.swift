import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// What classes with `keepsHistory` keep of their rows.
@Suite(.onSQLite("PostgreSQL has no history yet"))
struct HistoryTests {
    class Person: PersistentObject {
        override class var keepsHistory: Bool { true }
        var name = ""
        var age: Int?
        var data = Data()
        var employer: Company?
    }
    final class Worker: Person { var wage = 0.0 }
    final class Company: PersistentObject { var name = "" }

    @Test func `each change of a row is an entry with old and new values`() throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            (joe.name, joe.data) = ("Joe\0x", Data([0, 255]))
            try joe.save()
            joe.name = "Jim"
            try joe.save()
            try joe.save()
            try Person.where { $0.name == "Jim" }.update { $0.age = 3 }
            let id = try #require(joe.id)
            try joe.delete()
            let entries = try Person.history(of: id)
            #expect(entries.map(\.change) == [.created, .changed, .changed, .deleted])
            #expect(entries[0].new["name"] == .text("Joe\0x") && entries[0].new["data"] == .blob([0, 255]))
            #expect(entries[1].new.columnNames == ["name"] && entries[1].old["name"] == .text("Joe\0x"))
            #expect(entries[2].old["age"] == .null && entries[2].new["age"] == .integer(3))
            #expect(entries[3].old["name"] == .text("Jim") && entries[3].new["name"] == .null)
            #expect(entries.allSatisfy { abs($0.date.timeIntervalSinceNow) < 60 })
        }
    }

    @Test func `what is rolled back leaves none, and other classes have none`() throws {
        try withTemporarySession { session, _ in
            struct Stop: Error {}
            let joe = Person()
            try joe.save()
            #expect(throws: Stop.self) {
                try session.transaction {
                    joe.name = "Jim"
                    try joe.save()
                    throw Stop()
                }
            }
            #expect(try joe.history().count == 1)
            try Company().save()
            #expect(throws: StoreError.self) { try Company.history(of: nil) }
            #expect(try session.rows("SELECT 1 FROM sqlite_master WHERE name LIKE 'company.%'").isEmpty)
        }
    }

    @Test func `subclasses share the history, with their own columns`() throws {
        try withTemporarySession { session, _ in
            try Person().save()
            let ann = Worker()
            ann.wage = 2.5
            try ann.save()
            #expect(try ann.history().map { $0.new["wage"] } == [.real(2.5)])
            #expect(try Person.history(of: nil).count == 2)
        }
    }

    @Test func `undo and redo are changes like others`() throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            joe.name = "Joe"
            try joe.save()
            session.recordsUndo = true
            joe.name = "Jim"
            try joe.save()
            try session.undo()
            try session.redo()
            try joe.delete()
            try session.undo()
            let entries = try joe.history()
            #expect(entries.map(\.change) == [.created, .changed, .changed, .changed, .deleted, .created])
            #expect(
                entries.prefix(4).map { $0.new["name"] } == [.text("Joe"), .text("Jim"), .text("Joe"), .text("Jim")])
        }
    }

    @Test func `a foreign key that nulls a reference, and the sqlite3 program, are kept too`() throws {
        try withTemporarySession { session, file in
            let (joe, acme) = (Person(), Company())
            joe.employer = acme
            try joe.save()
            _ = try file.sqlite("PRAGMA foreign_keys = ON; UPDATE person SET age = 9; DELETE FROM company;")
            let entries = try joe.history()
            #expect(entries.map(\.new.columnNames).dropFirst() == [["age"], ["employer_id"]])
            #expect(try file.sqlite("SELECT count(*) FROM \"person.history\"").hasPrefix("3"))
        }
    }

    @Test(arguments: 0..<8) func `the state at each time is the model's`(seed: UInt64) throws {
        try withTemporarySession { session, _ in
            var random = SeededGenerator(seed: seed)
            var model: [Int64: String] = [:]
            var people: [Int64: Person] = [:]
            var times: [(Date, [Int64: String])] = []
            for step in 0..<40 {
                if people.isEmpty || Int.random(in: 0..<3, using: &random) == 0 {
                    let person = Person()
                    person.name = "n\(step)"
                    try person.save()
                    let id = try #require(person.id)
                    (people[id], model[id]) = (person, person.name)
                } else if let id = people.keys.sorted().randomElement(using: &random), let person = people[id] {
                    if Bool.random(using: &random) {
                        person.name = "n\(step)"
                        try person.save()
                        model[id] = person.name
                    } else {
                        try person.delete()
                        (people[id], model[id]) = (nil, nil)
                    }
                }
                Thread.sleep(forTimeInterval: 0.003)
                times.append((Date(), model))
                Thread.sleep(forTimeInterval: 0.003)
            }
            for (time, then) in times {
                for id in 1...40 as ClosedRange<Int64> {
                    let row = try Person.values(of: id, at: time)
                    #expect(try row?.value("name", as: String.self) == then[id])
                }
            }
        }
    }
}
