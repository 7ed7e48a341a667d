import Foundation
@_spi(Locks) import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Waiting for other writers: cancelling the task or exceeding a limit ends it.
@Suite(.ownThreads, .onSQLite("sessions on a server do not wait for each other"))
struct WaitingTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    /// The work of the waiting session.
    enum Work: CaseIterable, Sendable {
        case save, execute, transaction

        func run(_ session: Session) throws {
            switch self {
            case .save: try Person("new").save()
            case .execute: try session.execute("DELETE FROM person")
            case .transaction: try session.transaction { try Person("new").save() }
            }
        }
    }

    private static func store() throws -> (TemporaryStore, Store) {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(busyTimeout: .seconds(60)))
        try store.prepare(Person.self)
        return (file, store)
    }

    /// Starts a thread that writes until `isOver` returns true; `isOver` is called repeatedly while it writes.
    private static func writing(_ store: Store, until isOver: @escaping @Sendable () -> Bool) -> DispatchSemaphore {
        let (began, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            #expect(throws: Never.self) {
                try store.withSession { session in
                    try session.transaction {
                        try Person("writer").save()
                        began.signal()
                        while !isOver() { Thread.sleep(forTimeInterval: 0.001) }
                    }
                }
            }
            ended.signal()
        }
        began.wait()
        return ended
    }

    @Test(arguments: Work.allCases, [true, false])
    func `cancelling the task ends its wait for the write lock`(work: Work, inPerform: Bool) async throws {
        let (file, store) = try Self.store()
        let started = Locked<Task<Void, any Error>?>(nil)
        let hasEnded = Locked(false)
        // The thread writes until the wait has ended, so only the cancellation can end the wait before the busy
        // timeout. The thread cancels the waiting task, because tests that block threads must not need another task.
        let ended = Self.writing(store) {
            guard !hasEnded.withLock({ $0 }) else { return true }
            if store.writers.waiterCount > 0 { started.withLock { $0 }?.cancel() }
            return false
        }
        let task = Task {
            defer { hasEnded.withLock { $0 = true } }
            if inPerform {
                try await store.perform { background in try work.run(background.box.session) }
            } else {
                try store.withSession { try work.run($0) }
            }
        }
        started.withLock { $0 = task }
        await #expect(throws: CancellationError.self) { try await task.value }
        ended.wait()
        #expect(store.writers.waiterCount == 0)
        #expect(try file.sqlite("SELECT group_concat(name) FROM person") == "writer")
        try store.withSession { _ in try Person("later").save() }
    }

    @Test func `a cancelled save leaves its object unchanged, and the cancelled task can save later`() async throws {
        let (file, store) = try Self.store()
        try await Task {
            try await store.perform { background throws in
                let joe = Person("Joe")
                try joe.save()
                joe.name = "edited"
                let started = Locked(false)
                let hasEnded = Locked(false)
                let ended = Self.writing(store) {
                    started.withLock { $0 = true }
                    return hasEnded.withLock { $0 }
                }
                withUnsafeCurrentTask { $0?.cancel() }
                #expect(throws: CancellationError.self) { try joe.save() }
                #expect(joe.hasChanges && joe.name == "edited")
                hasEnded.withLock { $0 = true }
                ended.wait()
                try joe.save()
            }
        }.value
        #expect(try file.sqlite("SELECT group_concat(name) FROM person") == "edited,writer")
    }

    @Test(arguments: Work.allCases)
    func `cancelling the task ends its wait for another process`(work: Work) async throws {
        let (file, store) = try Self.store()
        let other = try SQLiteProcess(file.path)
        try other.run("BEGIN IMMEDIATE; INSERT INTO person (name) VALUES ('other');")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            // The other process writes until the end of the wait, so the wait did not succeed.
            try await store.perform { background in
                _ = #expect(throws: CancellationError.self) { try work.run(background.box.session) }
            }
        }
        try await task.value
        try other.run("COMMIT;")
        #expect(try file.sqlite("SELECT group_concat(name) FROM person") == "other")
        try store.withSession { _ in try Person("later").save() }
    }

    @Test func `waiting for the write lock and for another process takes at most one busy timeout`() throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(busyTimeout: .seconds(12)))
        try store.prepare(Person.self)
        let other = try SQLiteProcess(file.path)
        try other.run("BEGIN IMMEDIATE;")
        guard case .entered = store.writers.enter(timeout: 0, as: .init(thread: 1, owner: store)) else {
            Issue.record("nobody else writes")
            return
        }
        let leftAt = Locked<ContinuousClock.Instant?>(nil)
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 6)  // half of the busy timeout, so that a second wait would exceed it
            leftAt.withLock { $0 = ContinuousClock.now }
            store.writers.leave()
        }
        let error = #expect(throws: StoreError.self) { try store.withSession { _ in try Person("new").save() } }
        #expect(error?.code == .busy)
        // Two consecutive waits would end twelve seconds after the first. One wait ends after six seconds, so a slow
        // machine has six seconds more, and as many to end the first wait.
        #expect(try ContinuousClock.now < #require(leftAt.withLock { $0 }) + .seconds(12))
        try other.run("COMMIT;")
        try store.withSession { _ in try Person("new").save() }
    }

    @Test(arguments: [true, false])
    func `a limit ends a wait, and the error states what the session waited for`(forProcess: Bool) throws {
        let (file, store) = try Self.store()
        let isOver = Locked(false)
        let other = try SQLiteProcess(file.path)
        var ended: DispatchSemaphore?
        if forProcess {
            try other.run("BEGIN IMMEDIATE; INSERT INTO person (name) VALUES ('writer');")
        } else {
            ended = Self.writing(store) { isOver.withLock { $0 } }
        }
        for work in Work.allCases {
            try store.withSession { session throws in
                let wanted = forProcess ? "waiting for another process" : "waited for another session to finish writing"
                var error: StoreError?
                // A busy machine can pause the thread until a short limit is over before the wait begins.
                for limit in [30, 300, 3000, 30_000] where error?.message.contains(wanted) != true {
                    error = #expect(throws: StoreError.self) {
                        try session.withTimeout(.milliseconds(limit)) { try work.run(session) }
                    }
                    #expect(error?.code == .timedOut)
                }
                #expect(error?.message.contains(wanted) == true, "\(String(describing: error))")
                #expect(!session.isInFileTransaction && !session.isInTransaction)
            }
        }
        isOver.withLock { $0 = true }
        ended?.wait()
        if forProcess { try other.run("COMMIT;") }
        try store.withSession { session in
            try session.withTimeout(.seconds(60)) { try Person("later").save() }
        }
        #expect(try file.sqlite("SELECT group_concat(name) FROM person") == "writer,later")
    }
}
