import CSQLite
import Foundation
import TestSupport
import Testing

@testable import StoreEngine

/// Statements that are ended before they are done.
@Suite struct InterruptionTests {
    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    /// Some hundred thousand steps.
    private static let long =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000) SELECT count(*) FROM n"

    /// Calls `body` in a task that is cancelled already.
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

    @Test func `an endless statement of a task that was cancelled ends`() async throws {
        try await whileCancelled { () throws in
            let connection = try Self.connection()
            for _ in 0..<3 {
                connection.calls.noteCall()
                let error = try #require(throws: StoreError.self) { _ = try connection.scalar(Self.endless) }
                #expect(error.code == .cancelled && error.resultCode == 9 && error.sql == Self.endless)
                #expect(connection.busyStatementCount == 0)
            }
        }
    }

    // A thread that sleeps in a function is as one that waits for a processor on a machine with much to do.
    @Test func `a short call whose thread does not run for a while is done, an endless one that waits ends`()
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
            // SQLite looks between two waits.
            func sql(_ milliseconds: Int, rows: String) -> String {
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \(rows)),
                    m(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM m LIMIT 200)
                SELECT sum(wait(\(milliseconds)) + (SELECT count(*) FROM m WHERE m.i > n.i)) FROM n
                """
            }
            connection.calls.noteCall()
            try expect(connection.scalar(sql(20, rows: "LIMIT 5")), .integer(990))
            connection.calls.noteCall()
            expect(code { _ = try connection.scalar(sql(1, rows: "")) }, .cancelled)
        }
    }

    @Test func `what must not stop half-way goes on`() async throws {
        try await whileCancelled { () throws in
            let connection = try Self.connection(.zero)
            let count = try connection.uninterrupted { () throws(StoreError) in try connection.scalar(Self.long) }
            expect(count, .integer(300_000))
        }
    }

    @Test func `short statements of a task that was cancelled are done, and all transactions end`() async throws {
        try await whileCancelled { () throws in
            let connection = try Self.connection(.zero)
            try connection.run("CREATE TABLE t (x)")
            // So many that SQLite has asked during each of these statements.
            for _ in 0..<2000 {
                connection.calls.noteCall()
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

    @Test func `a statement that writes and is ended takes back its transaction`() async throws {
        try await whileCancelled { () throws in
            let connection = try Self.connection()
            try connection.run("CREATE TABLE t (x)")
            try connection.begin()
            try connection.run("INSERT INTO t VALUES (1)")
            let endless =
                "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
            expect(code { try connection.run(endless) }, .cancelled)
            #expect(!connection.isInTransaction)
            // Whoever goes on as if nothing had happened would write outside of any transaction.
            expect(code { try connection.run("INSERT INTO t VALUES (2)") }, .cancelled)
            expect(connection.endOfTransaction?.code, .cancelled)
            connection.rollback()
            try expect(connection.scalar("SELECT count(*) FROM t"), .integer(0))
        }
    }

    @Test func `a statement that runs for longer than the timeout ends`() throws {
        let connection = try Self.connection(.milliseconds(20))
        for _ in 0..<3 {
            let error = try #require(throws: StoreError.self) { _ = try connection.scalar(Self.endless) }
            #expect(error.code == .timedOut && error.resultCode == 9 && error.sql == Self.endless)
            #expect(error.message.contains("the query timeout of 0.02 seconds"))
        }
        try expect(connection.scalar("SELECT 1"), .integer(1))
    }

    @Test func `the time of each run counts by itself`() throws {
        // Each look but the first of a run would end it.
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

    @Test func `without a limit of time it is not ended`() throws {
        let connection = try Self.connection(.zero)
        expect(code { _ = try connection.scalar(Self.long) }, .timedOut)
        try expect(connection.unlimited { try connection.scalar(Self.long) }, .integer(300_000))
        expect(code { _ = try connection.scalar(Self.long) }, .timedOut)
    }

    @Test func `a pattern ends with its statement`() async throws {
        let sql = "SELECT '\(String(repeating: "a", count: 40))' REGEXP '(a*)*b'"
        let limited = try Self.connection(.milliseconds(20))
        expect(code { _ = try limited.scalar(sql) }, .timedOut)
        try await whileCancelled { () throws in
            let connection = try Self.connection()
            expect(code { _ = try connection.scalar(sql) }, .cancelled)
        }
    }

    // Tables that are no tables of the file come up when a statement over them is prepared first.
    @Test(arguments: [
        "SELECT * FROM pragma_table_xinfo('t')", "SELECT * FROM json_each('[1]')", "SELECT * FROM words",
        "SELECT * FROM t WHERE x IN (SELECT value FROM json_each(?))",
    ]) func `what is interrupted while a virtual table comes up says so`(text: String) throws {
        let file = try TemporaryStore()
        let writer = try file.connect()
        try writer.run("CREATE TABLE t (x)")
        try writer.run("CREATE VIRTUAL TABLE words USING fts5(x)")
        let connection = try file.connect()
        _ = try connection.scalar("SELECT count(*) FROM t")
        // SQLite forgets an interruption while no statement is under way.
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

    @Test func `a virtual table that can never come up says which`() throws {
        let file = try TemporaryStore()
        let writer = try file.connect()
        try writer.run("CREATE VIRTUAL TABLE words USING fts5(x)")
        _ = try SQLiteTool.run(file.path, "DROP TABLE words_config")
        let connection = try file.connect()
        let error = try #require(throws: StoreError.self) { _ = try connection.prepare("SELECT * FROM words") }
        #expect(error.message.contains("words") && error.code != .cancelled)
    }
}
