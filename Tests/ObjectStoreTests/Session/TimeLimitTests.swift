import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// `withTimeout`, and the `timeout:` parameter of sessions, performs and transactions.
@Suite(.onSQLite("the statement that never ends is SQLite's"))
struct TimeLimitTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age = 0

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    /// An expression that never returns.
    private static let never =
        "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n)"

    private static func expectTimedOut(
        _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try body() }
        expect(error?.code, .timedOut, sourceLocation: sourceLocation)
        expect(error?.message.contains(words), true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
    }

    /// Limits that are tried one after the other. A busy machine can pause the thread until a short limit is over
    /// before the work begins, and then the error is another one.
    private static let limits: [Duration] = [.milliseconds(30), .milliseconds(300), .seconds(3), .seconds(30)]

    private static func expectTimedOutInTime(
        _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: (Duration) throws -> Void
    ) {
        var message = ""
        for limit in limits where !message.contains(words) {
            expectTimedOut("The time limit of \(limit) expired", sourceLocation: sourceLocation) {
                do { try body(limit) } catch {
                    message = "\(error)"
                    throw error
                }
            }
        }
        expect(message.contains(words), true, "\(message)", sourceLocation: sourceLocation)
    }

    @Test func `a statement is interrupted at the limit, and all further calls in the closure throw`() throws {
        try withTemporarySession { session, _ throws in
            try Person("Joe").save()
            Self.expectTimedOutInTime("expired and the statement was interrupted") { limit in
                try session.withTimeout(limit) { _ = try session.rows("SELECT \(Self.never)") }
            }
            try session.withTimeout(.milliseconds(30)) { () throws in
                Self.expectTimedOut("limit of 0.03 seconds") { _ = try session.rows("SELECT \(Self.never)") }
                Self.expectTimedOut("before Person.count() began") { _ = try Person.count() }
                Self.expectTimedOut("began") { try Person("Ann").save() }
            }
            try expect(Person.count(), 1)
        }
    }

    @Test func `a zero or negative limit refuses all calls, and a large limit ends none`() throws {
        try withTemporarySession { session, _ throws in
            for timeout in [Duration.zero, .seconds(-1), .seconds(Int64.min)] {
                Self.expectTimedOut("before Person.count() began") {
                    try session.withTimeout(timeout) { _ = try Person.count() }
                }
            }
            for timeout in [Duration.seconds(60), .seconds(Int64.max)] {
                try expect(session.withTimeout(timeout) { try Person.count() }, 0)
            }
            #expect(session.gate.limit == nil)
        }
    }

    @Test func `if limits are nested, the earlier deadline applies`() throws {
        try withTemporarySession { session, _ throws in
            try session.withTimeout(.milliseconds(30)) { () throws in
                Self.expectTimedOut("limit of 0.03 seconds") {
                    try session.withTimeout(.seconds(60)) { _ = try session.rows("SELECT \(Self.never)") }
                }
            }
            try session.withTimeout(.seconds(60)) { () throws in
                Self.expectTimedOut("limit of 0.03 seconds") {
                    try session.withTimeout(.milliseconds(30)) { _ = try session.rows("SELECT \(Self.never)") }
                }
                try expect(Person.count(), 0)
            }
        }
    }

    @Test func `a transaction that exceeds its limit is rolled back, in the file and in memory`() throws {
        try withTemporarySession { session, file throws in
            let joe = Person("Joe")
            try joe.save()
            joe.age = 1
            for sql in ["SELECT \(Self.never)", "UPDATE person SET age = \(Self.never)"] {
                Self.expectTimedOutInTime("the statement was interrupted") { limit in
                    try session.transaction(timeout: limit) {
                        joe.age = 7
                        try joe.save()
                        if sql.hasPrefix("SELECT") { _ = try session.rows(sql) } else { try session.execute(sql) }
                    }
                }
                #expect(joe.age == 1 && joe.hasChanges && !session.isInTransaction)
            }
            // Time spent outside the session, here longer than the limit, is detected at the commit.
            Self.expectTimedOutInTime("before the commit") { limit in
                try session.transaction(timeout: limit) {
                    try joe.save()
                    Thread.sleep(forTimeInterval: limit / .seconds(1) + 0.02)
                }
            }
            #expect(joe.age == 1 && joe.hasChanges)
            try expect(file.sqlite("SELECT age FROM person"), "0")
            try session.transaction(retries: 1, timeout: .seconds(60)) { try joe.save() }
            try expect(file.sqlite("SELECT age FROM person"), "1")
        }
    }

    @Test func `withSession, perform and background sessions accept a limit`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        Self.expectTimedOutInTime("the statement was interrupted") { limit in
            try store.withSession(timeout: limit) { _ = try $0.rows("SELECT \(Self.never)") }
        }
        let late = await #expect(throws: StoreError.self) {
            try await store.withSession(timeout: .milliseconds(10)) { session async throws in
                try await Task.sleep(for: .milliseconds(30))
                _ = try Person.count()
            }
        }
        #expect(late?.code == .timedOut)
        var slow: StoreError?
        for limit in Self.limits where slow?.sql == nil {
            slow = await #expect(throws: StoreError.self) {
                try await store.perform(timeout: limit) { try $0.rows("SELECT \(Self.never)").count }
            }
        }
        #expect(slow?.code == .timedOut && slow?.sql?.contains("RECURSIVE") == true)
        let inner = await #expect(throws: StoreError.self) {
            try await store.perform { session in
                try session.withTimeout(.milliseconds(30)) { try session.rows("SELECT \(Self.never)").count }
            }
        }
        #expect(inner?.code == .timedOut)
        // The next session on the same connection has no limit.
        try store.withSession { session in
            #expect(session.gate.limit == nil && session.connection.limits.limit == nil)
        }
        #expect(try await store.perform(timeout: .seconds(60)) { _ in try Person.count() } == 0)
    }

    @Test func `a read block that exceeds its limit ends`() throws {
        try withTemporarySession { session, _ throws in
            Self.expectTimedOutInTime("the statement was interrupted") { limit in
                try session.withTimeout(limit) {
                    try session.reading { _ = try session.rows("SELECT \(Self.never)") }
                }
            }
            #expect(!session.isInFileTransaction)
            try Person("Joe").save()
        }
    }
}
