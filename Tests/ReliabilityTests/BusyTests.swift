import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

@Suite struct BusyTests {
    @Test func `a save gives up when another process writes for longer than the busy timeout`() throws {
        let file = try TemporaryStore()
        let store = try file.open(.waiting(.milliseconds(300)))
        try store.withSession { _ in
            let joe = person("Smith")
            try joe.save()
            joe.age = 40
            let other = try SQLiteProcess(file.path)
            try other.run("BEGIN IMMEDIATE; UPDATE person SET weight = 80;")
            let start = ContinuousClock.now
            let error = try #require(throws: StoreError.self) { try joe.save() }
            let waited = ContinuousClock.now - start
            #expect(error.code == .busy)
            #expect(waited >= .milliseconds(270) && waited < .seconds(2), "\(waited)")
            #expect(joe.hasChanges)
            // Readers are never blocked.
            #expect(try Person.count() == 1)
            try other.run("COMMIT;")
            try joe.save()
            #expect(try file.sqlite("SELECT age, weight FROM person") == "40|80.0")
        }
    }

    @Test func `a save waits for another process and succeeds when that lets go`() throws {
        let file = try TemporaryStore()
        let store = try file.open(.waiting(.seconds(20)))
        try store.withSession { _ in
            try person("Smith").save()
            let other = try SQLiteProcess(file.path)
            try other.run("BEGIN IMMEDIATE; INSERT INTO person (last_name) VALUES ('Jones');")
            try other.send("SELECT 1;\n.system sleep 0.4\nCOMMIT;")
            let start = ContinuousClock.now
            try person("Baker").save()
            #expect(ContinuousClock.now - start >= .milliseconds(200))
            #expect(try file.sqlite("SELECT last_name FROM person ORDER BY id") == "Smith\nJones\nBaker")
        }
    }

    @Test func `a save gives up when another session writes for longer than the busy timeout`() throws {
        let file = try TemporaryStore()
        let store = try file.open(.waiting(.milliseconds(200)))
        try store.withSession { writing in
            try person("before").save()
            let failure = try writing.write {
                // A turn of one's own, from another thread, as the session is in use on this one.
                try onSmallStack { code(of: { try store.withSession { _ in try person("Smith").save() } }) }
            }
            #expect(failure == .busy)
        }
        try store.withSession { _ in try person("Smith").save() }
        #expect(try file.peopleCount == 2)
    }
}
