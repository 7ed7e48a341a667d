import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Iterating over many objects visits each object once and keeps few in memory.
struct QueryBatchTests {
    final class Item: PersistentObject {
        override class var tableName: String { "item" }
        @TaskLocal static var tracker: LifetimeTracker?
        var number = 0
        var isDone = false
        var next: Item?
        @Transient var token = Item.tracker?.token()
    }

    private func fill(_ session: Session, _ count: Int) throws {
        try session.save(
            (0..<count).map { index in
                let item = Item()
                item.number = index
                return item
            })
    }

    @Test func `batches follow the query's order, and the last batch is shorter`() throws {
        try withTemporarySession { session, _ throws in
            try fill(session, 25)
            var batches: [[Int]] = []
            try Item.query.order(by: \.number, .descending).limit(23).forEachBatch(of: 10) { batch in
                batches.append(batch.map(\.number))
            }
            #expect(batches.map(\.count) == [10, 10, 3])
            #expect(batches.flatMap { $0 } == (2..<25).reversed())
            var isCalled = false
            try Item.where { $0.number > 99 }.forEachBatch(of: 10) { _ in isCalled = true }
            #expect(!isCalled)
            let error = #expect(throws: StoreError.self) { try Item.query.forEachBatch(of: 0) { _ in } }
            #expect(error?.code == .misuse)
            try Item.query.limit(2).forEachBatch(of: .max) { #expect($0.count == 2) }
        }
    }

    @Test func `the body may change properties that the query uses`() throws {
        try withTemporarySession { session, file throws in
            try fill(session, 250)
            var seen: [Int] = []
            try Item.where { !$0.isDone }.order(by: \.number, .descending).forEachBatch(of: 20) { batch in
                for item in batch {
                    seen.append(item.number)
                    item.isDone = true
                    item.number += 1000
                }
                try session.save(batch)
            }
            expect(seen, (0..<250).reversed())
            try expect(file.sqlite("SELECT count(*), min(number) FROM item WHERE is_done = 1"), "250|1000")
        }
    }

    @Test func `objects deleted during the iteration are skipped`() throws {
        try withTemporarySession { session, _ throws in
            try fill(session, 250)
            var seen: [Int] = []
            try Item.query.forEach { item in
                seen.append(item.number)
                try Item.where { $0.number > item.number && $0.number <= item.number + 2 }.delete()
            }
            expect(seen, Array(stride(from: 0, to: 250, by: 3)))
            try Item.query.forEach { try $0.delete() }
            try expect(Item.count(), 0)
        }
    }

    @Test func `each batch has the values stored at the time it is read`() throws {
        try withTemporarySession { session, _ throws in
            try fill(session, 4)
            let all = try Item.all()
            var seen: [Int] = []
            try Item.query.forEachBatch(of: 2) { batch in
                seen += batch.map(\.number)
                try session.store.withSession { _ in _ = try Item.query.update { $0.number += 10 } }
            }
            expect(seen, [0, 1, 12, 13])
            expect(all.map(\.number), [0, 1, 12, 13])
        }
    }

    @Test func `an error of the body ends the iteration`() throws {
        try withTemporarySession { session, _ throws in
            try fill(session, 10)
            struct Own: Error {}
            var count = 0
            #expect(throws: Own.self) {
                try Item.query.forEach { _ in
                    count += 1
                    if count == 3 { throw Own() }
                }
            }
            #expect(count == 3)
            #expect(session.busyStatementCount == 0)
            #expect(throws: StoreError.self) { try Item.query.forEachBatch(of: 4) { _ in session.end() } }
        }
    }

    @Test func `one query reads the ids, and one query reads each batch`() throws {
        try withTemporarySession { session, _ throws in
            final class Plain: PersistentObject {
                override class var tableName: String { "plain" }
                var number = 0
            }
            try session.save((0..<30).map { _ in Plain() })
            let log = try statements(of: session) { try Plain.query.forEachBatch(of: 10) { _ in } }
            expect(log.count, 4)
        }
    }

    @Test func `iteration works inside an encoding that a save runs`() throws {
        try withTemporarySession { session, _ throws in
            try fill(session, 5)
            let count = Recorder<Int>()
            struct Coded: Codable {
                var hook: Hook?
                init(_ hook: Hook?) { self.hook = hook }
                init(from decoder: any Decoder) throws {}
                func encode(to encoder: any Encoder) throws {
                    try hook?()
                    var container = encoder.singleValueContainer()
                    try container.encode(1)
                }
            }
            final class Coder: PersistentObject {
                override class var tableName: String { "coder" }
                var coded = Coded(nil)
            }
            let coder = Coder()
            try coder.save()
            coder.coded = Coded(Hook { try Item.query.forEach { count.add($0.number) } })
            try coder.save()
            expect(Array(count.all.prefix(5)), [0, 1, 2, 3, 4])
        }
    }
}

/// Iterating keeps only few objects alive at a time.
struct QueryMemoryTests {
    typealias Item = QueryBatchTests.Item

    private func measuring(_ count: Int, _ body: (Session, LifetimeTracker) throws -> Void) throws {
        try withTemporarySession { session, _ in
            try session.save((0..<count).map { _ in Item() })
            let tracker = LifetimeTracker()
            try Item.$tracker.withValue(tracker) { try body(session, tracker) }
            #expect(tracker.liveCount <= 2)
        }
    }

    @Test func `batches keep only few objects alive`() throws {
        try measuring(1000) { _, tracker in
            var most = 0
            try Item.query.forEachBatch(of: 50) { _ in most = max(most, tracker.liveCount) }
            #expect((50...101).contains(most))
            most = 0
            try Item.query.forEach { _ in most = max(most, tracker.liveCount) }
            #expect((100...201).contains(most))
        }
    }

    @Test func `lazy results keep only few objects alive`() throws {
        try measuring(1000) { _, tracker in
            let items = try Item.query.lazily()
            var most = 0
            for place in 0..<items.count {
                _ = try items[place]
                most = max(most, tracker.liveCount)
            }
            #expect((50...251).contains(most))
        }
    }

    @Test func `streams keep only few objects alive`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try await store.withSession { session in
            try session.save((0..<1000).map { _ in Item() })
            let tracker = LifetimeTracker()
            var (most, count) = (0, 0)
            try await Item.$tracker.withValue(tracker) {
                for try await _ in Item.query.stream() {
                    count += 1
                    most = max(most, tracker.liveCount)
                }
            }
            expect(count, 1000)
            #expect((50...201).contains(most))
        }
    }
}
