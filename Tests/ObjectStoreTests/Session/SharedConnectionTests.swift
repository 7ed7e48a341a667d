import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// More tasks hold objects than there are connections: two tasks share a connection and use it in turn.
struct SharedConnectionTests {
    final class Item: PersistentObject {
        @TaskLocal static var current: Store?
        override class var tableName: String { "sharing_item" }
        override class var store: Store? { current }
        var count = 0
    }

    /// Calls `body` with two objects of the same row that belong to tasks with a shared connection.
    private func withTwo(_ body: (Smuggled<Item>, Smuggled<Item>, TemporaryStore) throws -> Void) async throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(busyTimeout: .milliseconds(20)))
        defer { store.close() }
        try store.withSession { session in try session.save(Item()) }
        let items = Recorder<Smuggled<Item>>()
        for _ in 0...TaskSessions.connectionLimit {
            try await Task.detached {
                try Item.$current.withValue(store) { items.add(Smuggled(try #require(try Item.find(1)))) }
            }.value
        }
        var all = items.all
        #expect(store.tasks.connectionCount == TaskSessions.connectionLimit)
        let last = all.removeLast()
        let connection = ObjectIdentifier(try #require(last.value.identityMap?.session).connection)
        let other = try #require(
            all.first { $0.value.identityMap?.session.map { ObjectIdentifier($0.connection) } == connection })
        try withExtendedLifetime(all) { try body(last, other, file) }
    }

    @Test
    func `in a transaction, the other task's object is refused on the same thread, with the remedy`() async throws {
        try await withTwo { mine, other, file throws in
            let session = try #require(mine.value.identityMap?.session)
            try session.transaction { () throws in
                mine.value.count = 5
                try mine.value.save()
                other.value.count = 7
                let error = #expect(throws: StoreError.self) { try other.value.save() }
                #expect(error?.code == .misuse)
                #expect(error?.message.contains("Find it in this session by its persistentID") == true)
            }
            #expect(other.value.hasChanges)
            #expect(try file.sqlite("SELECT count FROM sharing_item") == "5")
            other.value.revert()
        }
    }

    @Test func `another thread waits for the busy timeout, and the error names the remedy`() async throws {
        try await withTwo { mine, other, file throws in
            let session = try #require(mine.value.identityMap?.session)
            try session.transaction { () throws in
                let end = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    let error = #expect(throws: StoreError.self) { try other.value.reload() }
                    #expect(error?.code == .busy)
                    #expect(error?.message.contains("in use for 20 ms. Release objects before an await") == true)
                    end.signal()
                }
                end.wait()
                mine.value.count = 5
            }
            try mine.value.save()
            // The other thread is no longer blocked.
            try other.value.reload()
            #expect(other.value.count == 5)
            #expect(try file.sqlite("SELECT count FROM sharing_item") == "5")
        }
    }
}
