import Dispatch
import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Commits of other processes wake subscribers while no session of this process runs statements.
@Suite(.hangLimit, .ownThreads, .onSQLite("a server tells of commits only whom it is asked by"))
struct IdleCommitTests {
    typealias Person = HeardEvents.Person

    @Test func `updates of a query arrive while this process is idle`() async throws {
        try await withSession { session, file in
            try Person("Ann", age: 1).save()
            var updates = Person.query.updates().makeAsyncIterator()
            try await expect(updates.next()?.map(\.age), [1])
            for age in 2...4 {
                let path = file.path
                Thread.detachNewThread {
                    Thread.sleep(forTimeInterval: 0.05)
                    do { _ = try SQLiteTool.run(path, "UPDATE heard_person SET age = \(age)") } catch {
                        Issue.record(error)
                    }
                }
                try await expect(updates.next()?.map(\.age), [age])
            }
        }
    }

    @Test func `a watched object is refreshed when another process changes it`() async throws {
        try await withSession { session, file in
            let ann = Person("Ann", age: 1)
            try ann.save()
            let updates = session.updates(of: ann)
            _ = try file.sqlite("UPDATE heard_person SET age = 7")
            for try await update in updates {
                if update.isDeleted { break }
                expect(ann.age, 7)
                _ = try file.sqlite("DELETE FROM heard_person")
            }
        }
    }

    @Test func `commits of other processes arrive as unknown changes in streams and closures`() async throws {
        try await withSession { session, file in
            try Person("Ann", age: 1).save()
            let (stream, continuation) = AsyncStream.makeStream(of: String.self)
            var calls = stream.makeAsyncIterator()
            let token = session.store.onChange { continuation.yield("\($0)") }
            var events = session.store.events.makeAsyncIterator()
            for age in 2...4 {
                _ = try file.sqlite("UPDATE heard_person SET age = \(age)")
                await expect(events.next()?.kind, .unknown)
                await expect(calls.next(), "unknown changes")
            }
            token.cancel()
        }
    }

    @Test func `a commit of another store on the same file wakes subscribers`() async throws {
        try await withSession { session, file in
            try session.store.prepare(Person.self)
            var events = session.store.events.makeAsyncIterator()
            let other = try file.open()
            try other.withSession { _ in try Person("Bob").save() }
            await expect(events.next()?.kind, .unknown)
            other.close()
        }
    }

    @Test func `a store opened through a symbolic link is watched`() async throws {
        let file = try TemporaryStore()
        let link = file.folder.appending(path: "link.sqlite").path
        try file.open().withSession { _ in try Person("Ann").save() }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
        let store = try Store(link)
        var events = store.events.makeAsyncIterator()
        _ = try file.sqlite("UPDATE heard_person SET age = 7")
        await expect(events.next()?.kind, .unknown)
        store.close()
    }

    @Test(arguments: [JournalMode.wal, .rollback])
    func `own commits arrive as row events, not also as unknown changes`(_ journal: JournalMode) async throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(durability: .relaxed, journal: journal))
        try store.prepare(Person.self)
        let events = store.events
        try store.withSession { _ in
            for age in 0..<100 {
                try Person("Ann", age: age).save()
                // Spreads the commits over the intervals of the watch.
                if age % 10 == 0 { Thread.sleep(forTimeInterval: Double(age) / 1000) }
            }
        }
        try await Task.sleep(for: .milliseconds(300))
        await expect(events.all(store), (1...100).map { "Person #\($0) inserted" })
    }

    @Test func `concurrent commits of one store are reported once, as row events`() async throws {
        let file = try TemporaryStore()
        // The threads wait for each other, on a busy machine for seconds.
        let store = try file.open(configuration: .init(durability: .relaxed, busyTimeout: .seconds(600)))
        try store.prepare(Person.self)
        let events = store.events
        // Sessions of several threads commit at the same time.
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            do {
                try store.withSession { _ in for age in 0..<25 { try Person("Ann", age: age).save() } }
            } catch { Issue.record(error) }
        }
        try await Task.sleep(for: .milliseconds(300))
        let heard = await events.all(store)
        #expect(heard.count == 100 && heard.allSatisfy { $0.hasSuffix("inserted") })
    }

    @Test func `rolled back transactions and checkpoints of other processes send no events`() async throws {
        try await withSession { session, file in
            try Person("Ann", age: 1).save()
            let other = try SQLiteProcess(file.path)
            let events = session.store.events
            // Large enough to be written to the log before the transaction ends.
            try other.run("PRAGMA cache_size = 5; BEGIN; UPDATE heard_person SET name = hex(randomblob(2000000));")
            try other.run("CREATE TABLE t (a); INSERT INTO t VALUES (randomblob(1000000));")
            try await Task.sleep(for: .milliseconds(200))
            try other.run("ROLLBACK;")
            for mode in ["PASSIVE", "RESTART", "TRUNCATE"] {
                try other.run("PRAGMA wal_checkpoint(\(mode));")
                try await Task.sleep(for: .milliseconds(100))
            }
            try other.quit()
            try await Task.sleep(for: .milliseconds(200))
            await expect(events.all(session.store), [])
        }
    }

    @Test
    func `commits are reported after checkpoints and after other processes open and close the file`() async throws {
        let file = try TemporaryStore()
        try file.open().withSession { _ in try Person("Ann").save() }
        // The log was deleted when the last process closed the file, and is recreated.
        #expect(try file.sqlite("PRAGMA wal_checkpoint(TRUNCATE)").hasPrefix("0"))
        let store = try file.open()
        var events = store.events.makeAsyncIterator()
        for age in 1...5 {
            _ = try file.sqlite("UPDATE heard_person SET age = \(age)")
            await expect(events.next()?.kind, .unknown)
            _ = try file.sqlite("PRAGMA wal_checkpoint(\(age % 2 == 0 ? "TRUNCATE" : "RESTART"))")
        }
        store.close()
    }

    @Test func `a store without WAL also reports commits of other processes`() async throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(journal: .rollback))
        try await store.withSession { session in
            try Person("Ann", age: 1).save()
            var updates = Person.query.updates().makeAsyncIterator()
            try await expect(updates.next()?.map(\.age), [1])
            for age in 2...4 {
                _ = try file.sqlite("UPDATE heard_person SET age = \(age)")
                try await expect(updates.next()?.map(\.age), [age])
            }
            // A rolled back transaction sends no event.
            let events = store.events
            _ = try file.sqlite("BEGIN; UPDATE heard_person SET age = 9; ROLLBACK;")
            try await Task.sleep(for: .milliseconds(300))
            await expect(events.all(store), [])
        }
        store.close()
    }

    @Test(.hangLimit)
    func `subscribing does not wait while another process locks a store without WAL`() async throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(busyTimeout: .seconds(7200), journal: .rollback))
        try store.withSession { _ in try Person("Ann", age: 1).save() }
        var events = store.events.makeAsyncIterator()
        let other = try SQLiteProcess(file.path)
        try other.run("BEGIN EXCLUSIVE; UPDATE heard_person SET age = 2;")
        // The watch checks the file while it cannot be read.
        try await Task.sleep(for: .milliseconds(100))
        // Subscribing requires the hub's lock. If it were held, this would wait for the other process, which waits for it.
        let token = store.onChange { _ in }
        token.cancel()
        try other.run("COMMIT;")
        await expect(events.next()?.kind, .unknown)
        try other.quit()
        store.close()
    }

    @Test func `the file is watched only while subscribers exist`()
        throws
    {
        let file = try TemporaryStore()
        let store = try file.open()
        func watching() -> Int { descriptorsWatching(file.folder) ?? 0 }
        let isTold = descriptorsWatching(file.folder) != nil
        try store.withSession { session in
            try Person("Ann").save()
            #expect(watching() == 0)
            session.memory.listenToCommits()
            #expect(store.hub.isWatched && watching() == 0)
            let first = store.onChange { _ in }
            let second = store.onChange { _ in }
            #expect(!isTold || watching() == 1)
            first.cancel()
            #expect(!isTold || watching() == 1)
            second.cancel()
            #expect(eventually { watching() == 0 })
            #expect(store.hub.isWatched)
        }
        let events = store.events
        #expect(!isTold || watching() == 1)
        store.close()
        #expect(eventually { watching() == 0 })
        #expect(eventually { openFiles(in: file.folder) ?? [] == [] }, "\(openFiles(in: file.folder) ?? [])")
        withExtendedLifetime(events) {}
        // A subscription after the store is closed watches nothing.
        let late = store.events
        #expect(watching() == 0)
        withExtendedLifetime(late) {}
    }

    @Test func `a released store and a moved file leave no open files and no events`() async throws {
        let file = try TemporaryStore()
        var store: Store? = try file.open()
        let events = try #require(store).events
        try FileManager.default.moveItem(atPath: file.path, toPath: file.path + ".moved")
        try await Task.sleep(for: .milliseconds(100))
        store = nil
        for await event in events { Issue.record("there is none: \(event)") }
        #expect(eventually { (descriptorsWatching(file.folder) ?? 0) == 0 })
        #expect(eventually { openFiles(in: file.folder) ?? [] == [] })
    }

    @Test func `an in-memory store reports its own commits`() async throws {
        let store = try Store.inMemory()
        try store.prepare(Person.self)
        let events = store.events
        try store.withSession { _ in try Person("Ann").save() }
        await expect(events.all(store), ["Person #1 inserted"])
    }

    @Test(arguments: [1, 2, 3])
    func `with concurrent commits, own rows and later foreign changes are all reported`(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(durability: .relaxed))
        try store.prepare(Person.self)
        let other = try SQLiteProcess(file.path)
        try other.run("PRAGMA busy_timeout = 10000; PRAGMA synchronous = OFF;")
        var events = store.events.makeAsyncIterator()
        var (saved, told) = (0, 0)
        for _ in 0..<40 {
            let own = Int.random(in: 0...3, using: &random)
            try store.withSession { _ in for _ in 0..<own { try Person("Ann").save() } }
            saved += own
            try other.run("UPDATE heard_person SET age = age + 1;")
            // Without rows the update commits nothing.
            if saved == 0 { continue }
            if Bool.random(using: &random) {
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...60, using: &random)))
            }
            while let event = await events.next() {
                if event.kind == .unknown { break }
                told += 1
            }
            expect(told, saved)
        }
        try other.quit()
        store.close()
    }
}
