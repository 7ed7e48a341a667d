import StoreEngine
import TestSupport
import Testing

/// Triggers may write to FTS5 tables, and the schema gains no other rights by that.
@Suite struct SearchTrustTests {
    private func make(_ connection: SQLiteConnection) throws {
        try connection.run("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)")
        try connection.run("CREATE VIRTUAL TABLE s USING fts5(x)")
        try connection.run(
            "CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO s (rowid, x) VALUES (NEW.id, NEW.x); END")
    }

    @Test func `a trigger writes to an FTS5 table`() throws {
        try withConnection { connection throws in
            try make(connection)
            try expect(connection.scalar("PRAGMA trusted_schema"), .integer(0))
            try connection.run("INSERT INTO t (x) VALUES ('red')")
            try expect(connection.scalar("SELECT count(*) FROM s WHERE s MATCH 'red'"), .integer(1))
        }
    }

    @Test func `a statement prepared before the trigger was created runs`() throws {
        let file = try TemporaryStore()
        let (one, other) = (try file.connect(), try file.connect())
        try one.run("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)")
        let insert = try one.prepare("INSERT INTO t (x) VALUES (?)")
        try insert.bind("red", at: 1)
        try insert.run()
        try other.run("CREATE VIRTUAL TABLE s USING fts5(x)")
        try other.run("CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO s (rowid, x) VALUES (NEW.id, NEW.x); END")
        try insert.run()
        try expect(one.scalar("SELECT count(*) FROM t WHERE x = 'red'"), .integer(2))
        try expect(one.scalar("SELECT count(*) FROM s WHERE s MATCH 'red'"), .integer(1))
    }

    @Test func `functions that a schema could misuse remain forbidden in triggers and views`() throws {
        try withConnection { connection throws in
            try make(connection)
            try connection.run("INSERT INTO t (x) VALUES ('red')")
            try connection.register(
                EngineFunction("own", argumentCount: 0, isDeterministic: true, isInnocuous: false) { _ in })
            for call in ["load_extension('x')", "fts3_tokenizer('simple')", "own()"] {
                try connection.run("CREATE TRIGGER u BEFORE UPDATE ON t BEGIN SELECT \(call); END")
                try connection.run("CREATE VIEW v AS SELECT \(call) AS x")
                for sql in ["UPDATE t SET x = 'blue'", "SELECT x FROM v"] {
                    let error = try #require(throws: StoreError.self) { try connection.run(sql) }
                    #expect(error.message.contains("unsafe use of"), "\(sql) \(call)")
                }
                try connection.run("DROP TRIGGER u")
                try connection.run("DROP VIEW v")
            }
            #expect(try connection.scalar("SELECT x FROM t") == .text("red"))
        }
    }

    @Test func `other virtual tables do not make the schema trusted`() throws {
        try withConnection { connection throws in
            try make(connection)
            try connection.run("CREATE VIRTUAL TABLE w USING fts5vocab('s', 'row')")
            try connection.run("CREATE VIEW v AS SELECT * FROM w")
            // Versions of SQLite differ in the virtual tables that they consider harmless.
            _ = try? connection.run("SELECT * FROM v")
            try expect(connection.scalar("PRAGMA trusted_schema"), .integer(0))
        }
    }
}
