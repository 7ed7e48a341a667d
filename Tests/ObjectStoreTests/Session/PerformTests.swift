import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// `store.perform` runs a session on the store's queue.
struct PerformTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        @Unique var email: String?
    }

    @discardableResult
    private static func save(_ name: String) throws -> Person {
        let person = Person()
        person.name = name
        try person.save()
        return person
    }

    @Test func `perform returns its closure's result and rethrows its error`() async throws {
        struct Failure: Error, Equatable { let number: Int }
        let file = try TemporaryStore()
        let store = try file.open()
        let names = try await store.perform { _ in
            try Self.save("one")
            try Self.save("two")
            return try Person.all().map(\.name)
        }
        #expect(names == ["one", "two"])
        await #expect(throws: Failure(number: 7)) { try await store.perform { _ in throw Failure(number: 7) } }
        #expect(try await store.perform { _ in try Person.count() } == 2)
        #expect(try file.sqlite("SELECT count(*) FROM person") == "2")
    }

    @Test func `inside perform, the session is used without await`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        let id = try await store.perform { session in
            let people = ["a", "b", "c"].map { name in
                let person = Person()
                person.name = name
                return person
            }
            try session.save(people)
            people[0].name = "changed"
            try session.saveChanges()
            try session.delete([people[1]])
            #expect(try session.object(for: PersistentID<Person>(3)) === people[2])
            return try #require(people[0].persistentID)
        }
        try expect(store.withSession { _ in try Person.find(id)?.name }, "changed")
        try expect(file.sqlite("SELECT group_concat(name) FROM person"), "changed,c")
    }

    @Test func `with a concurrency of one, performs run one after another, off the caller's thread`() async throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(concurrency: 1))
        let running = Recorder<Int>()
        let overlaps = Recorder<Int>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10 {
                group.addTask {
                    try await store.perform { session in
                        session.preconditionIsolated()
                        running.add(number)
                        if running.all.count > 1 { overlaps.add(number) }
                        try Self.save("\(number)")
                        try Self.save("again \(number)")
                        _ = running.take()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(overlaps.all.isEmpty)
        try expect(file.sqlite("SELECT count(*) FROM person"), "20")
    }

    @Test func `a blocking perform does not block the threads of Swift's concurrency pool`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        let release = DispatchSemaphore(value: 0)
        let blocked = Task { try await store.perform { _ in release.wait() } }
        // More tasks than the machine has cores: all of them run while one perform blocks.
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 0..<64 { group.addTask { number } }
            return await group.reduce(0, +)
        }
        expect(sum, 2016)
        release.signal()
        try await blocked.value
    }

    @Test func `a failed perform leaves the store usable, and each perform has its own session`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        let error = await #expect(throws: StoreError.self) {
            try await store.perform { session in
                let people = [Person(), Person()]
                for person in people { person.email = "same" }
                try session.save(people)
            }
        }
        #expect(error?.code == .notUnique)
        #expect(try await store.perform { _ in try Person.count() } == 0)
        let edited = try await store.perform { _ in try Self.save("kept").id }
        let name = try await store.perform { _ in try Person.find(edited ?? 0)?.name }
        #expect(name == "kept")
    }

    @Test func `a session kept beyond its perform refuses calls`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        let kept = Recorder<BackgroundSession>()
        try await store.perform { session in
            kept.add(session)
            try Self.save("one")
        }
        let session = try #require(kept.all.first)
        let error = await #expect(throws: StoreError.self) { try await session.saveChanges() }
        expect(error?.code, .sessionEnded)
    }

    @Test func `after an await, the closure of perform continues in its session`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        let count = try await store.perform { session in
            let person = try Self.save("one")
            await Task.yield()
            session.preconditionIsolated()
            person.name = "two"
            try session.saveChanges()
            return try Person.countBy.name("two")
        }
        expect(count, 1)
    }
}
