import StoreEngine
import TestSupport
import Testing

@Suite struct StatementTests {
    @Test(arguments: [
        "SELECT 1; SELECT 2", "SELECT 1; DROP TABLE t", "SELECT 1;;x", "SELECT 1; \n nonsense",
        "SELECT 1\0; DROP TABLE t",
        "SELECT 1;\0DROP TABLE t",
    ])
    func `text after the statement is rejected, and nothing runs`(_ text: String) throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x)")
            let error = try #require(throws: StoreError.self) { _ = try connection.statement(SQL(raw: text)) }
            expect(error.code, .invalidSQL)
            expect(error.sql, text)
            try expect(connection.scalar("SELECT count(*) FROM t"), .integer(0))
        }
    }

    @Test(arguments: [
        "SELECT 1;", "SELECT 1 ; \t\r\n ;", "SELECT 1 -- one", "/* one */ SELECT 1", "SELECT 1\0", "\nSELECT 1\n",
    ])
    func `semicolons, white space and comments around a statement are ignored`(_ text: String) throws {
        try withConnection { connection throws in try expect(connection.scalar(text), .integer(1)) }
    }

    @Test(arguments: ["", " ", ";", "-- nothing", "/* nothing */", "\0", "\n;\n"])
    func `a text without a statement is rejected`(_ text: String) throws {
        try withConnection { connection throws in
            expect(code(of: { _ = try connection.statement(SQL(raw: text)) }), .invalidSQL)
            expect(code(of: { try connection.run(text) }), .invalidSQL)
        }
    }

    @Test func `a syntax error carries the SQL, SQLite's message and its code`() throws {
        try withConnection { connection throws in
            let error = try #require(throws: StoreError.self) { _ = try connection.statement("SELEKT 1") }
            expect(error.code, .invalidSQL)
            expect(error.sql, "SELEKT 1")
            expect(error.resultCode, 1)
            #expect(error.message.contains("SELEKT"))
        }
    }

    @Test func `the error for an unknown table or column names it`() throws {
        try withConnection { connection throws in
            let table = try #require(throws: StoreError.self) { _ = try connection.statement("SELECT 1 FROM nowhere") }
            expect(table.code, .invalidSQL)
            expect(table.message, "no such table: nowhere")
            let column = try #require(throws: StoreError.self) { _ = try connection.statement("SELECT missing") }
            expect(column.message, "no such column: missing")
        }
    }

    @Test func `an error during a run carries the SQL and the extended result code`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x INTEGER UNIQUE) STRICT")
            try connection.run("INSERT INTO t VALUES (1)")
            let insert = try connection.statement("INSERT INTO t VALUES (?)")
            defer { insert.finish() }
            try insert.bind(1 as Int64, at: 1)
            let error = try #require(throws: StoreError.self) { try insert.run() }
            #expect(error.code == .notUnique)
            #expect(error.resultCode == 2067)
            #expect(error.sql == "INSERT INTO t VALUES (?)")
            #expect(error.message == "UNIQUE constraint failed: t.x")
        }
    }

    @Test func `a statement that failed can run again with other values`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x INTEGER UNIQUE) STRICT")
            let insert = try connection.prepare("INSERT INTO t VALUES (?)")
            for (number, works) in [(1, true), (1, false), (2, true), (1, false), (3, true)] as [(Int64, Bool)] {
                try insert.bind(number, at: 1)
                expect(code(of: { try insert.run() }) == nil, works)
            }
            try expect(connection.scalar("SELECT sum(x) FROM t"), .integer(6))
        }
    }

    @Test func `a statement reports whether it writes, its placeholders and its columns`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x)")
            let select = try connection.prepare("SELECT x, ? FROM t WHERE x = ?")
            #expect(select.isReadOnly)
            expect(select.placeholderCount, 2)
            expect(select.columnCount, 2)
            let delete = try connection.prepare("DELETE FROM t")
            #expect(!delete.isReadOnly)
            expect(delete.columnCount, 0)
        }
    }

    @Test func `a statement may outlive its connection`() throws {
        var statement: Statement?
        do {
            let file = try TemporaryStore()
            let connection = try file.connect()
            connection.trace { _ in Issue.record("the closure is gone with the connection") }
            statement = try connection.prepare("SELECT 1")
        }
        try expect(statement?.step(), true)
        statement = nil
    }

    @Test func `the value of a statement without rows is nil, and NULL is a value`() throws {
        try withConnection { connection throws in
            #expect(try connection.scalar("SELECT 1 WHERE 0") == nil)
            try expect(connection.scalar("SELECT NULL"), .some(.null))
        }
    }

    @Test func `the last inserted row id and the number of changed rows are reported`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (id INTEGER PRIMARY KEY, x)")
            try connection.run("INSERT INTO t VALUES (41, 1), (42, 1)")
            expect(connection.lastInsertedRowID, 42)
            expect(connection.changedRowCount, 2)
            try connection.run("UPDATE t SET x = 2 WHERE id = 0")
            expect(connection.changedRowCount, 0)
        }
    }
}
