import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

@Suite struct BusyTests {
    @Test func `a save fails if another process writes for longer than the busy timeout`() throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .waiting(.milliseconds(300)))
        try store.withSession { session in
            let joe = person("Smith")
            try joe.save()
            joe.age = 40
            let other = try SQLiteProcess(file.path)
            try other.run("BEGIN IMMEDIATE; UPDATE person SET weight = 80;")
            let start = ContinuousClock.now
            let run = statements(of: session) { expect(code(of: { try joe.save() }), .busy) }
            #expect(ContinuousClock.now - start >= .milliseconds(270))
            // The save tries once, for as long as SQLite's busy timeout.
            expect(run, ["BEGIN IMMEDIATE"])
            #expect(joe.hasChanges)
            // Readers are never blocked.
            try expect(Person.count(), 1)
            try other.run("COMMIT;")
            try joe.save()
            try expect(file.sqlite("SELECT age, weight FROM person"), "40|80.0")
        }
    }

    @Test func `a save waits for another process and succeeds when that process commits`() throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .waiting(.seconds(20)))
        try store.withSession { _ in
            try person("Smith").save()
            let other = try SQLiteProcess(file.path)
            try other.run("BEGIN IMMEDIATE; INSERT INTO person (last_name) VALUES ('Jones');")
            let start = ContinuousClock.now
            try other.send("SELECT 1;\n.system sleep 0.4\nCOMMIT;")
            try person("Baker").save()
            #expect(ContinuousClock.now - start >= .milliseconds(400))
            try expect(file.sqlite("SELECT last_name FROM person ORDER BY id"), "Smith\nJones\nBaker")
        }
    }

    @Test func `a save fails if another session writes for longer than the busy timeout`() throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .waiting(.milliseconds(200)))
        try store.withSession { writing in
            try person("before").save()
            let failure = try writing.write {
                // A separate turn, on another thread, because this thread is already in the session.
                try onSmallStack { code(of: { try store.withSession { _ in try person("Smith").save() } }) }
            }
            expect(failure, .busy)
        }
        try store.withSession { _ in try person("Smith").save() }
        try expect(file.peopleCount, 2)
    }
}
