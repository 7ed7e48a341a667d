import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// `for try await` over a query.
struct ObjectStreamTests {
    final class Row: PersistentObject {
        override class var tableName: String { "row" }
        var number = 0
    }

    private func withRows(_ count: Int, _ body: (Session) async throws -> Void) async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try await store.withSession { session in
            try session.save(
                (0..<count).map { index in
                    let row = Row()
                    row.number = index
                    return row
                })
            try await body(session)
        }
    }

    @Test func `a stream delivers all objects in order, as the session's instances`() async throws {
        try await withRows(250) { _ in
            let all = try Row.query.order(by: \.number, .descending).all()
            var seen: [Row] = []
            for try await row in Row.query.order(by: \.number, .descending).stream() { seen.append(row) }
            expect(seen, all)
            for try await _ in Row.where({ $0.number < 0 }).stream() { Issue.record("there is none") }
        }
    }

    @Test func `the loop body may save and delete objects`() async throws {
        try await withRows(250) { _ in
            var count = 0
            for try await row in Row.where({ $0.number < 1000 }).stream() {
                count += 1
                if row.number % 2 == 0 {
                    row.number += 1000
                    try row.save()
                    try Row.where { $0.number == row.number - 999 }.delete()
                }
            }
            expect(count, 125)
            try expect(Row.count(), 125)
        }
    }

    @Test func `a stream can be left and iterated again`() async throws {
        try await withRows(250) { session in
            let stream = Row.query.stream()
            for _ in 0..<2 {
                var count = 0
                for try await _ in stream {
                    count += 1
                    if count == 120 { break }
                }
                expect(count, 120)
            }
            expect(session.busyStatementCount, 0)
        }
    }

    @Test func `cancelling the task ends the stream with an error`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        let count = Recorder<Int>()
        let task = Task {
            try await store.withSession { session in
                try session.save((0..<500).map { _ in Row() })
                for try await row in Row.query.stream() {
                    count.add(row.number)
                    if count.all.count == 10 { withUnsafeCurrentTask { $0?.cancel() } }
                }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(count.all.count == 10)
    }

    @Test func `an error is thrown instead of the next object and ends the stream`() async throws {
        try await withRows(2) { session async throws in
            var iterator = Row.where { $0.number == 1 }.order { _ in
                Columns<Other>(scope: 0, scopes: ScopeCounter()).number
            }.stream().makeAsyncIterator()
            await #expect(throws: (any Error).self) { _ = try await iterator.next() }
            let more = try await iterator.next()
            #expect(more == nil)
            var ended = Row.query.stream().makeAsyncIterator()
            session.end()
            await #expect(throws: StoreError.self) { _ = try await ended.next() }
        }
    }

    final class Other: PersistentObject {
        override class var tableName: String { "other" }
        var number = 0
    }

    @MainActor @Test func `streamed objects belong to the caller's isolation`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try await store.withSession { session in
            try session.save((0..<150).map { _ in Row() })
            var rows: [Row] = []
            for try await row in Row.query.stream() {
                MainActor.assertIsolated()
                rows.append(row)
            }
            expect(rows.count, 150)
        }
        let count = try await store.perform { _ in
            var count = 0
            for try await _ in Row.query.stream() { count += 1 }
            return count
        }
        expect(count, 150)
    }
}
