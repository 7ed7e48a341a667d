import CSQLite
import Foundation
import TestSupport
import Testing

@testable import StoreEngine

/// Statements that end before they are complete.
@Suite struct InterruptionTests {
    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    /// Several hundred thousand steps.
    private static let long =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000) SELECT count(*) FROM n"

    /// Calls `body` in a task that is already cancelled.
    private func whileCancelled(_ body: @Sendable @escaping () throws -> Void) async throws {
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try body()
        }
        task.cancel()
        try await task.value
    }

    private static func connection(_ timeout: Duration? = nil) throws -> SQLiteConnection {
        try SQLiteConnection(.memory(name: UUID().uuidString), options: ConnectionOptions(queryTimeout: timeout))
    }

    @Test func `cancelling the task ends an endless statement`() async throws {
        try await whileCancelled { () throws in
            let connection = try Self.connection()
            for _ in 0..<3 {
                connection.calls.countCall()
                let error = try #require(throws: StoreError.self) { _ = try connection.scalar(Self.endless) }
                #expect(error.code == .cancelled && error.resultCode == 9 && error.sql == Self.endless)
                #expect(connection.busyStatementCount == 0)
            }
        }
    }

    // A thread that sleeps in a function behaves like a thread that waits for a processor on a busy machine.
    @Test func `in a cancelled task a short but delayed statement completes, and an endless waiting statement ends`()
        async throws
    {
        let wait = EngineFunction("wait", argumentCount: 1, isDeterministic: false, isInnocuous: false) { call throws in
            guard case .integer(let milliseconds) = try call.arguments[0] else { return }
            usleep(UInt32(milliseconds) * 1000)
            try call.give(.integer(1))
        }
        try await whileCancelled { () throws in
            let connection = try Self.connection()
            try connection.register(wait)
            // SQLite checks for interruption between two waits.
            func sql(_ milliseconds: Int, rows: String) -> String {
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \(rows)),
                    m(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM m LIMIT 200)
                SELECT sum(wait(\(milliseconds)) + (SELECT count(*) FROM m WHERE m.i > n.i)) FROM n
                """
            }
            connection.calls.countCall()
            try expect(connection.scalar(sql(20, rows: "LIMIT 5")), .integer(990))
            connection.calls.countCall()
            expect(code { _ = try connection.scalar(sql(1, rows: "")) }, .cancelled)
        }
    }

    @Test func `an uninterrupted call completes despite cancellation and an expired timeout`() async throws {
        try await whileCancelled { () throws in
            let connection = try Self.connection(.zero)
            let count = try connection.uninterrupted { () throws(StoreError) in try connection.scalar(Self.long) }
            expect(count, .integer(300_000))
        }
    }

    @Test func `short statements and transactions complete in a cancelled task`() async throws {
        try await whileCancelled { () throws in
            let connection = try Self.connection(.zero)
            try connection.run("CREATE TABLE t (x)")
            // So many that SQLite's progress check runs during each of these statements.
            for _ in 0..<2000 {
                connection.calls.countCall()
                try connection.begin()
                try connection.setSavepoint()
                let statement = try connection.statement("INSERT INTO t VALUES (1)")
                try statement.run()
                statement.finish()
                try connection.releaseSavepoint()
                try connection.commit()
                #expect(!connection.isInTransaction)
            }
            try expect(connection.scalar("SELECT count(*) FROM t"), .integer(2000))
        }
    }

    @Test func `ending a statement that writes rolls back its transaction`() async throws {
        try await whileCancelled { () throws in
            let connection = try Self.connection()
            try connection.run("CREATE TABLE t (x)")
            try connection.begin()
            try connection.run("INSERT INTO t VALUES (1)")
            let endless =
                "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
            expect(code { try connection.run(endless) }, .cancelled)
            #expect(!connection.isInTransaction)
            // If the caller continued as if nothing had happened, it would write without a transaction.
            expect(code { try connection.run("INSERT INTO t VALUES (2)") }, .cancelled)
            expect(connection.endOfTransaction?.code, .cancelled)
            connection.rollback()
            try expect(connection.scalar("SELECT count(*) FROM t"), .integer(0))
        }
    }

    @Test func `a statement that exceeds the query timeout ends`() throws {
        let connection = try Self.connection(.milliseconds(20))
        for _ in 0..<3 {
            let error = try #require(throws: StoreError.self) { _ = try connection.scalar(Self.endless) }
            #expect(error.code == .timedOut && error.resultCode == 9 && error.sql == Self.endless)
            #expect(error.message.contains("the query timeout of 0.02 seconds"))
        }
        try expect(connection.scalar("SELECT 1"), .integer(1))
    }

    @Test func `the query timeout applies to each run separately`() throws {
        // Any check after the first check of a run would end it.
        let connection = try Self.connection(.zero)
        let statement = try connection.statement(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ?) SELECT count(*) FROM n")
        defer { statement.finish() }
        for _ in 0..<1000 {
            statement.beginBinding()
            try statement.bind(Int64(30), at: 1)
            try statement.run()
        }
        statement.beginBinding()
        try statement.bind(Int64(300_000), at: 1)
        expect(code { try statement.run() }, .timedOut)
    }

    @Test func `an unlimited call ignores the query timeout`() throws {
        let connection = try Self.connection(.zero)
        expect(code { _ = try connection.scalar(Self.long) }, .timedOut)
        try expect(connection.unlimited { try connection.scalar(Self.long) }, .integer(300_000))
        expect(code { _ = try connection.scalar(Self.long) }, .timedOut)
    }

    @Test func `matching a regular expression ends with its statement`() async throws {
        let sql = "SELECT '\(String(repeating: "a", count: 40))' REGEXP '(a*)*b'"
        let limited = try Self.connection(.milliseconds(20))
        expect(code { _ = try limited.scalar(sql) }, .timedOut)
        try await whileCancelled { () throws in
            let connection = try Self.connection()
            expect(code { _ = try connection.scalar(sql) }, .cancelled)
        }
    }

    // Tables that are not in the schema (eponymous and virtual tables) are set up when a statement first uses them.
    @Test(arguments: [
        "SELECT * FROM pragma_table_xinfo('t')", "SELECT * FROM json_each('[1]')", "SELECT * FROM words",
        "SELECT * FROM t WHERE x IN (SELECT value FROM json_each(?))",
    ]) func `an interruption while a virtual table is set up is reported as a cancellation`(text: String) throws {
        let file = try TemporaryStore()
        let writer = try file.connect()
        try writer.run("CREATE TABLE t (x)")
        try writer.run("CREATE VIRTUAL TABLE words USING fts5(x)")
        let connection = try file.connect()
        _ = try connection.scalar("SELECT count(*) FROM t")
        // SQLite discards an interruption while no statement is running.
        let other = try connection.statement(SQL(raw: "SELECT 1 UNION ALL SELECT 2"))
        _ = try other.step()
        sqlite3_set_authorizer(
            connection.handle,
            { context, action, _, _, _, _ in
                guard action == SQLITE_SELECT, let context else { return SQLITE_OK }
                Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue().interrupt()
                return SQLITE_OK
            }, Unmanaged.passUnretained(connection).toOpaque())
        let sql = SQL(raw: text)
        let error = try #require(throws: StoreError.self) { _ = try connection.prepare(sql) }
        #expect(error.code == .cancelled && error.resultCode == 9 && error.sql == text)
        sqlite3_set_authorizer(connection.handle, nil, nil)
        other.finish()
        #expect(throws: Never.self) { _ = try connection.prepare(sql) }
    }

    @Test func `the error for a virtual table that cannot be set up names the table`() throws {
        let file = try TemporaryStore()
        let writer = try file.connect()
        try writer.run("CREATE VIRTUAL TABLE words USING fts5(x)")
        _ = try SQLiteTool.run(file.path, "DROP TABLE words_config")
        let connection = try file.connect()
        let error = try #require(throws: StoreError.self) { _ = try connection.prepare("SELECT * FROM words") }
        #expect(error.message.contains("words") && error.code != .cancelled)
    }
}
