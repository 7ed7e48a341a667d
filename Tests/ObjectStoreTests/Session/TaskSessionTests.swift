import Foundation
import Synchronization
import TestSupport
import Testing

@testable import PersistentObjects

/// Tasks that use a store outside any session and actor: each has its own session.
@Suite(.hangLimit)
struct TaskSessionTests {
    /// Uses the store bound to the task, as other classes use the default store.
    final class Item: PersistentObject {
        @TaskLocal static var current: Store?
        override class var tableName: String { "task_item" }
        override class var store: Store? { current }
        var number = 0
        var count = 0
    }

    /// Refers to an item only weakly, so that the session retains the item.
    final class Watcher: PersistentObject {
        override class var tableName: String { "task_watcher" }
        override class var store: Store? { Item.current }
        weak var item: Item?
    }

    /// Lets a number of tasks continue when all of them have arrived.
    private final class Meeting: Sendable {
        private let count = Atomic<Int>(0)
        private let size: Int
        init(_ size: Int) { self.size = size }

        func wait() async {
            count.add(1, ordering: .sequentiallyConsistent)
            while count.load(ordering: .sequentiallyConsistent) < size { await Task.yield() }
        }
    }

    private static func withItems(_ count: Int, _ body: (Store, TemporaryStore) async throws -> Void) async throws {
        let file = try TemporaryStore()
        // The tasks wait for each other, on a busy machine for seconds.
        let store = try file.open(
            configuration: .init(durability: .relaxed, busyTimeout: .seconds(600), onNote: { _ in }))
        defer { store.close() }
        try store.withSession { session in
            try session.save(
                (0..<count).map { number in
                    let item = Item()
                    item.number = number
                    return item
                })
        }
        try await Item.$current.withValue(store) { try await body(store, file) }
        try expect(file.sqlite("PRAGMA integrity_check"), "ok")
    }

    @Test func `500 tasks without a session get all results`() async throws {
        try await Self.withItems(50) { store, _ in
            try await withThrowingTaskGroup(of: [Int].self) { group in
                for _ in 0..<500 {
                    group.addTask { try Item.where { $0.number >= 10 }.order(by: \.number).all().map(\.number) }
                }
                var answers = 0
                for try await answer in group {
                    expect(answer, Array(10..<50))
                    answers += 1
                }
                expect(answers, 500)
            }
            #expect(store.tasks.connectionCount <= TaskSessions.connectionLimit)
        }
    }

    @Test func `tasks that hold objects share connections but no instances, and save their changes`() async throws {
        let count = 4 * TaskSessions.connectionLimit
        try await Self.withItems(count) { store, file in
            let (meeting, others) = (Meeting(count), Meeting(count))
            let instances = Recorder<ObjectIdentifier>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    group.addTask {
                        let all = try Item.query.order(by: \.number).all()
                        await meeting.wait()
                        for item in all { instances.add(ObjectIdentifier(item)) }
                        all[number].count += 1
                        try all[number].save()
                        // All tasks hold all of the objects until here.
                        await others.wait()
                        withExtendedLifetime(all) {}
                    }
                }
                try await group.waitForAll()
            }
            expect(Set(instances.all).count, count * count)
            #expect(store.tasks.connectionCount <= TaskSessions.connectionLimit)
            try expect(file.sqlite("SELECT min(count), max(count) FROM task_item"), "1|1")
        }
    }

    @Test func `consecutive tasks do not accumulate sessions`() async throws {
        try await Self.withItems(5) { store, _ in
            for round in 0..<300 {
                let id = try await Task.detached {
                    // Detached tasks do not inherit task-local values.
                    try Item.$current.withValue(store) {
                        let item = Item()
                        item.number = round
                        try item.save()
                        let watcher = Watcher()
                        watcher.item = item
                        try watcher.save()
                        return watcher.id
                    }
                }.value
                // Here the session retains the item.
                try await Task.detached {
                    try Item.$current.withValue(store) { () throws in
                        try expect(Watcher.find(#require(id))?.item?.number, round)
                    }
                }.value
            }
            #expect(store.tasks.count <= TaskSessions.roomyCount + 1)
            #expect(store.tasks.connectionCount <= TaskSessions.roomyCount + 1)
        }
    }

    @Test func `after many concurrent tasks, few sessions remain`() async throws {
        let count = 3 * TaskSessions.roomyCount
        try await Self.withItems(1) { store, _ in
            let meeting = Meeting(count)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        let item = try Item.find(1)
                        await meeting.wait()
                        withExtendedLifetime(item) {}
                    }
                }
                try await group.waitForAll()
            }
            #expect(store.tasks.count >= count)
            // The next tasks that need a session remove unused sessions.
            for _ in 0..<4 {
                try await Task.detached { try Item.$current.withValue(store) { _ = try Item.find(1) } }.value
            }
            #expect(store.tasks.count <= TaskSessions.roomyCount + 1)
        }
    }

    @Test func `if many tasks have sessions, a new task takes over an idle one, and others keep theirs`() async throws {
        let count = TaskSessions.roomyCount
        try await Self.withItems(1) { store, _ in
            @Sendable func session() throws -> ObjectIdentifier {
                ObjectIdentifier(try CurrentSession.session(for: Item.self))
            }
            let (meeting, end) = (Meeting(count + 1), Meeting(count + 1))
            let sessions = Recorder<ObjectIdentifier>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        sessions.add(try session())
                        await meeting.wait()
                        await end.wait()
                    }
                }
                await meeting.wait()
                let own = try session()
                #expect(Set(sessions.all).count == count && sessions.all.contains(own))
                expect(store.tasks.count, count)
                await end.wait()
                try await group.waitForAll()
            }
        }
    }

    @Test func `a task keeps its objects as long as it holds them, whatever other tasks do`() async throws {
        try await Self.withItems(3) { _, _ in
            let item = try #require(try Item.find(1))
            item.count = 7
            for _ in 0..<50 {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 { group.addTask { #expect(throws: Never.self) { try Item.find(1)?.count } } }
                }
            }
            #expect(try Item.find(1) === item)
            #expect(item.hasChanges && item.count == 7)
        }
    }

    @Test
    func `an object that outlives its task is saved in the task's session, which no other task uses`() async throws {
        try await Self.withItems(2) { store, file in
            let crate = Smuggled<Item?>(nil)
            await Task.detached {
                Item.$current.withValue(store) { #expect(throws: Never.self) { crate.value = try Item.find(1) } }
            }.value
            for _ in 0..<100 {
                try await Task.detached {
                    try Item.$current.withValue(store) { () throws in #expect(try Item.find(1) !== crate.value) }
                }.value
            }
            crate.value?.count = 3
            try crate.value?.save()
            #expect(try file.sqlite("SELECT count FROM task_item WHERE id = 1") == "3")
            #expect(try Item.find(1)?.count == 3 && Item.find(1) !== crate.value)
            // The session ends with its objects.
            crate.value = nil
            for _ in 0..<100 {
                try await Task.detached { try Item.$current.withValue(store) { _ = try Item.find(2) } }.value
            }
            #expect(store.tasks.count <= TaskSessions.roomyCount + 1)
        }
    }

    @Test func `an object of another task is refused only if the uses overlap`() async throws {
        try await Self.withItems(1) { store, _ in
            let crate = Smuggled<Item?>(try Item.find(1))
            await Task.detached {
                crate.value?.count += 1
                #expect(throws: Never.self) { try crate.value?.save() }
            }.value
            #expect(crate.value?.count == 1)
            let session = try #require((crate.value?.keeper as? IdentityMap)?.session)
            try session.enter {
                let thread = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    crate.value?.count += 1
                    let error = #expect(throws: StoreError.self) { try crate.value?.save() }
                    #expect(error?.code == .overlappingUse)
                    thread.signal()
                }
                thread.wait()
            }
            withExtendedLifetime(store) {}
        }
    }

    @Test func `unsaved edits of released objects stay with their task`() async throws {
        try await Self.withItems(2) { store, file in
            try await Task {
                try { try Item.find(1)?.count = 7 }()
                try expect(Item.find(1)?.count, 7)
                let others = try await Task { try Item.find(1)?.count }.value
                expect(others, 0)
                try { try Item.find(2)?.count = 8 }()
            }.value
            for _ in 0..<20 {
                let count = try await Task { try Item.find(1)?.count }.value
                expect(count, 0)
            }
            // Unsaved edits end with their task, unless a later save writes them.
            try await Task {
                try { try Item.find(1)?.count = 9 }()
                try await Task { _ = try Item.count() }.value
                try Item.query.first()?.save()
            }.value
            try expect(file.sqlite("SELECT count FROM task_item WHERE id = 1"), "9")
        }
    }

    @Test func `child tasks have their own sessions`() async throws {
        try await Self.withItems(1) { _, _ in
            let mine = try #require(try Item.find(1))
            let own = ObjectIdentifier(mine)
            async let child = {
                let item = try #require(try Item.find(1))
                await Task.yield()
                #expect(try Item.find(1) === item)
                return ObjectIdentifier(item) == own
            }()
            #expect(try await !child)
            withExtendedLifetime(mine) {}
        }
    }

    private actor Worker {
        var item: Item?

        func find(_ store: Store) throws {
            item = try Item.$current.withValue(store) { try Item.find(1) }
            #expect(try item === Worker.again(store), "what it calls runs in it, whatever its isolation")
        }

        private nonisolated static func again(_ store: Store) throws -> Item? {
            try Item.$current.withValue(store) { try Item.find(1) }
        }

        func isMain(_ store: Store) throws -> Bool {
            try item === store.mainSession().object(for: PersistentID<Item>(1))
        }
    }

    @Test func `actors use the main session, whichever task calls them`() async throws {
        try await Self.withItems(1) { store, _ in
            let worker = Worker()
            for _ in 0..<2 { try await Task.detached { try await worker.find(store) }.value }
            #expect(try await worker.isMain(store))
            expect(store.tasks.count, 0)
        }
    }

    @Test @MainActor func `the main actor uses the main session`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        defer { store.close() }
        try Item.$current.withValue(store) {
            let item = Item()
            try item.save()
            #expect(try store.mainSession().object(for: PersistentID<Item>(1)) === item)
        }
        expect(store.tasks.count, 0)
    }

    @Test func `threads and queues without a task use the main session`() async throws {
        try await Self.withItems(1) { store, _ in
            for run in [
                { body in Thread.detachNewThread(body) },
                { body in DispatchQueue(label: "queue").async(execute: body) },
            ] as [(@escaping @Sendable () -> Void) -> Void] {
                await withCheckedContinuation { continuation in
                    run {
                        Item.$current.withValue(store) {
                            #expect(throws: Never.self) {
                                let item = try Item.find(1)
                                let same = try store.mainSession().object(for: PersistentID<Item>(1))
                                #expect(item != nil && item === same)
                            }
                        }
                        continuation.resume()
                    }
                }
            }
        }
    }

    @Test func `after the store is closed, its tasks get an error`() async throws {
        try await Self.withItems(1) { store, _ in
            let item = try #require(try Item.find(1))
            item.count = 1
            store.close()
            for use in [{ try item.save() }, { _ = try Item.find(1) }] as [() throws -> Void] {
                let error = #expect(throws: StoreError.self) { try use() }
                #expect(error?.code == .sessionEnded)
            }
            #expect(store.tasks.count == 0)
        }
    }
}
