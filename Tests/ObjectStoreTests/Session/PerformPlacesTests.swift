import Foundation
@_spi(Locks) import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// The number of concurrent performs, and the queue of waiting performs.
struct PerformPlacesTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
    }

    private static func store(_ concurrency: Int) throws -> (TemporaryStore, Store) {
        let file = try TemporaryStore()
        // The performs wait for each other, on a busy machine for seconds.
        let store = try file.open(configuration: .init(busyTimeout: .seconds(600), concurrency: concurrency))
        try store.prepare(Person.self)
        return (file, store)
    }

    /// Lets other tasks run until a condition is true, and looks again each millisecond for at least 100 seconds, because
    /// a task that waits for its turn reports nothing.
    private static func wait(until isSo: () -> Bool) async throws {
        for _ in 0..<100_000 where !isSo() { try await Task.sleep(for: .milliseconds(1)) }
        #expect(isSo())
    }

    /// A perform that runs until its semaphore is signaled.
    private static func blocking(_ store: Store) async throws -> (end: DispatchSemaphore, task: Task<Void, any Error>) {
        let (began, end) = (Recorder<Bool>(), DispatchSemaphore(value: 0))
        let task = Task {
            try await store.perform { _ in
                began.add(true)
                end.wait()
            }
        }
        try await wait { !began.all.isEmpty }
        return (end, task)
    }

    /// Isolated to no actor, although an actor's task calls it.
    private static func count(_ store: Store, after gate: Recorder<Bool>) async throws -> Int {
        try await wait { !gate.all.isEmpty }
        return try await store.perform { _ in try Person.count() }
    }

    @Test func `performs run concurrently`() async throws {
        let (_, store) = try Self.store(2)
        let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // Each perform waits for the other.
        async let one = store.perform { _ in
            first.signal()
            second.wait()
            return try Person.count()
        }
        async let two = store.perform { _ in
            second.signal()
            first.wait()
            return try Person.count()
        }
        try await expect([one, two], [0, 0])
    }

    @Test func `at most the configured number of performs run concurrently, also after a change`() async throws {
        let (_, store) = try Self.store(3)
        #expect(Store.Configuration().concurrency >= 2)
        for count in [3, 1, 2, 0] {
            store.configuration.concurrency = count
            let running = Locked((now: 0, most: 0))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await store.perform { _ in
                            running.withLock { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
                            let person = Person()
                            person.name = "\(number)"
                            try person.save()
                            running.withLock { $0.now -= 1 }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(running.withLock { $0.most } <= max(1, count))
        }
        #expect(try store.withSession { _ in try Person.count() } == 80)
    }

    @Test func `waiting tasks start in order of arrival and occupy no thread`() async throws {
        let (_, store) = try Self.store(1)
        let (end, blocked) = try await Self.blocking(store)
        let order = Recorder<Int>()
        var tasks: [Task<Void, any Error>] = []
        // Many more tasks than threads.
        for number in 0..<100 {
            tasks.append(Task { try await store.perform { _ in order.add(number) } })
            try await Self.wait { store.performs.waiterCount == number + 1 }
        }
        end.signal()
        for task in tasks { try await task.value }
        try await blocked.value
        expect(order.all, Array(0..<100))
        expect(store.performs.waiterCount, 0)
    }

    @Test func `cancelling a waiting task ends its wait`() async throws {
        let (_, store) = try Self.store(1)
        let (end, blocked) = try await Self.blocking(store)
        let waiting = Task { try await store.perform { _ in try Person.count() } }
        let next = Task { try await store.perform { _ in try Person.count() } }
        try await Self.wait { store.performs.waiterCount == 2 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        // A task that is already cancelled does not start to wait.
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.perform { _ in try Person.count() }
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        end.signal()
        #expect(try await next.value == 0)
        try await blocked.value
    }

    @Test func `a perform that waits longer than the timeout is an error with the reason`() async throws {
        let (_, store) = try Self.store(1)
        let (end, blocked) = try await Self.blocking(store)
        let error = await #expect(throws: StoreError.self) {
            try await store.perform(timeout: .milliseconds(20)) { _ in try Person.count() }
        }
        #expect(error?.code == .timedOut && error?.message.contains("perform waited") == true)
        end.signal()
        try await blocked.value
        try await expect(store.perform(timeout: .seconds(60)) { _ in try Person.count() }, 0)
    }

    @Test(arguments: [1, 2]) func `nested performs do not wait for each other`(count: Int) async throws {
        let (_, store) = try Self.store(count)
        let (_, other) = try Self.store(1)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await store.perform { _ in
                        try await other.perform { _ in
                            async let first = store.perform { _ in try Person.count() }
                            async let second = store.perform { session in
                                session.preconditionIsolated()
                                try Person().save()
                                return 0
                            }
                            return try await first + second
                        }
                    }
                }
            }
            for try await number in group { #expect(number <= 8) }
        }
        try await expect(store.perform { _ in try Person.count() }, 8)
        expect(store.performs.waiterCount, 0)
    }

    @Test func `a task that outlives its perform waits like any other task`() async throws {
        let (_, store) = try Self.store(1)
        let gate = Recorder<Bool>()
        let late = try await store.perform { _ in Task { try await Self.count(store, after: gate) } }
        let (end, blocked) = try await Self.blocking(store)
        gate.add(true)
        try await Self.wait { store.performs.waiterCount == 1 }
        end.signal()
        try await blocked.value
        try await expect(late.value, 0)
    }

    @Test func `an error when opening the session is thrown to the caller and frees the place`() async throws {
        let (_, store) = try Self.store(2)
        store.close()
        let error = await #expect(throws: StoreError.self) { try await store.perform { _ in try Person.count() } }
        #expect(error?.code == .sessionEnded)
        // The place is free again.
        for _ in 0..<5 { _ = try? await store.perform { _ in 0 } }
        #expect(store.performs.waiterCount == 0)
    }
}
