import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Conditions as group keys, and groups without keys or values.
struct GroupKeyTests {
    final class Task: PersistentObject {
        override class var tableName: String { "task" }
        var title = ""
        var size = 0
        var owner: String?
        var isDone = false
        var isUrgent: Bool?
        var tags: [String] = []
    }

    private func withTasks(_ body: ([Task]) throws -> Void) throws {
        try withTemporarySession { session, _ throws in
            let tasks = (0..<60).map { number in
                let task = Task()
                task.title = "t\(number % 7)"
                task.size = number % 5
                task.owner = number % 4 == 0 ? nil : "o\(number % 3)"
                task.isDone = number % 2 == 0
                task.isUrgent = [true, false, nil][number % 3]
                task.tags = number % 6 == 0 ? ["x"] : []
                return task
            }
            try session.save(tasks)
            try body(tasks)
        }
    }

    private struct Pair<A: Hashable, B: Hashable>: Hashable {
        let a: A
        let b: B
    }

    private func counts<A: Hashable, B: Hashable>(
        _ tasks: [Task], _ key: (Task) -> (A, B)
    ) -> [Pair<A, B>: Int] {
        Dictionary(grouping: tasks) { task in
            let (a, b) = key(task)
            return Pair(a: a, b: b)
        }.mapValues(\.count)
    }

    private func found<A: Hashable, B: Hashable>(_ rows: [(A, B, Int)]) -> [Pair<A, B>: Int] {
        Dictionary(rows.map { (Pair(a: $0.0, b: $0.1), $0.2) }) { first, _ in
            Issue.record("a group came twice")
            return first
        }
    }

    @Test func `a condition is a group key, in any position next to values and other conditions`() throws {
        try withTasks { tasks throws in
            let withoutOwner: [(Int, Bool, Int)] =
                try Task.query.groups { ($0.size, $0.owner == nil) }.values { $0.count }
            expect(found(withoutOwner), counts(tasks) { ($0.size, $0.owner == nil) })
            let owners: [(Bool, String?, Int)] =
                try Task.query.groups { ($0.owner == nil, $0.owner) }.values { $0.count }
            expect(found(owners), counts(tasks) { ($0.owner == nil, $0.owner) })
            let done: [(Bool, Bool, Int)] =
                try Task.query.groups { ($0.size > 2 && $0.isDone, $0.tags.contains("x")) }.values { $0.count }
            expect(found(done), counts(tasks) { ($0.size > 2 && $0.isDone, $0.tags.contains("x")) })
            let negated: [(Bool, Bool, Int)] =
                try Task.query.groups { (!($0.owner == "o1"), $0.owner != "o2") }.values { $0.count }
            expect(found(negated), counts(tasks) { (!($0.owner == "o1"), $0.owner != "o2") })
            let titles: [(String, Bool, Int)] =
                try Task.where { $0.size < 4 }.groups { ($0.title, $0.isDone) }.values { $0.count }
            expect(found(titles), counts(tasks.filter { $0.size < 4 }) { ($0.title, $0.isDone) })
        }
    }

    @Test func `a condition can be the only group key`() throws {
        try withTasks { tasks throws in
            let rows = try Task.query.groups { $0.owner == nil }.having { $0.count > 1 }.order { $0.count }.values {
                $0.count
            }
            #expect(rows.map(\.0) == [true, false] && rows.map(\.1) == [15, 45])
            let done = try Task.query.groups { $0.isDone }.values { $0.sum(\.size) }
            #expect(done.map(\.0) == [false, true])
            func size(of tasks: [Task]) -> Int { tasks.reduce(0) { $0 + $1.size } }
            expect(done.map(\.1), [size(of: tasks.filter { !$0.isDone }), size(of: tasks.filter { $0.isDone })])
        }
    }

    @Test func `nil is a separate group key, and false next to another condition`() throws {
        try withTasks { tasks throws in
            let alone: [(Bool?, Int)] = try Task.query.groups { $0.isUrgent }.values { $0.count }
            #expect(alone.map(\.0) == [nil, false, true] && alone.map(\.1) == [20, 20, 20])
            let pairs: [(Bool?, Int, Int)] = try Task.query.groups { ($0.isUrgent, $0.size) }.values { $0.count }
            #expect(found(pairs) == counts(tasks) { ($0.isUrgent, $0.size) })
            let conditions: [(Bool, Bool, Int)] =
                try Task.query.groups { ($0.isUrgent, $0.owner == nil) }.values { $0.count }
            expect(found(conditions), counts(tasks) { ($0.isUrgent ?? false, $0.owner == nil) })
        }
    }

    @Test func `groups without keys or without values throw`() throws {
        try withTasks { _ throws in
            #expect(throws: QueryError.self) { try Task.query.groups { _ in () }.values { $0.count } }
            #expect(throws: QueryError.self) { try Task.query.groups { $0.size }.values { _ in () } }
            // The compiler accepts this condition as an empty result.
            #expect(throws: QueryError.self) {
                try Task.query.groups { $0.size }.values { group in _ = group.count > 3 }
            }
        }
    }
}
