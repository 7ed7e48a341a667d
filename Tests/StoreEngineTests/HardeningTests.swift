import Foundation
import StoreEngine
import TestSupport
import Testing

/// Malicious files and statements cannot escape the database.
@Suite struct HardeningTests {
    private func refuses(_ sql: String, _ connection: SQLiteConnection, _ comment: Comment? = nil) {
        #expect(throws: StoreError.self, comment) { try connection.run(sql) }
    }

    @Test(arguments: [
        ("foreign_keys", 1), ("trusted_schema", 0), ("cell_size_check", 1), ("mmap_size", 0), ("writable_schema", 0),
        ("query_only", 0), ("cache_size", -64000), ("recursive_triggers", 1),
    ])
    func `each setting reads back with its hardened value`(_ name: String, _ value: Int64) throws {
        let connection = try TemporaryStore().connect()
        let found = try connection.scalar("PRAGMA \(name)")
        // Without memory mapping compiled in, the pragma returns nothing.
        #expect(found == .integer(value) || (name == "mmap_size" && found == nil))
    }

    @Test func `a string in double quotes is rejected, in queries and in tables`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x)")
            let error = try #require(throws: StoreError.self) {
                try connection.run(#"SELECT * FROM t WHERE x = "misspelt""#)
            }
            expect(error.message, "no such column: misspelt")
            refuses(#"INSERT INTO t VALUES ("text")"#, connection)
            refuses(#"CREATE TABLE u (x CHECK (x <> "text"))"#, connection)
            refuses(#"CREATE INDEX i ON t ("nothing")"#, connection)
            refuses(#"CREATE TABLE v (x DEFAULT ("text"))"#, connection)
        }
    }

    @Test func `the schema cannot be written directly, even with writable_schema on`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x)")
            let writes = [
                "UPDATE sqlite_schema SET sql = 'CREATE TABLE t (y)'", "DELETE FROM sqlite_schema",
                "INSERT INTO sqlite_schema VALUES ('table', 'u', 'u', 2, 'CREATE TABLE u (x)')",
                "DROP TABLE sqlite_schema",
            ]
            for sql in writes { refuses(sql, connection) }
            try connection.run("PRAGMA writable_schema = ON")
            for sql in writes { refuses(sql, connection, "after writable_schema = ON") }
            try expect(connection.scalar("SELECT sql FROM sqlite_schema"), .text("CREATE TABLE t (x)"))
        }
    }

    @Test func `the shadow tables of a virtual table cannot be written`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE VIRTUAL TABLE t USING fts5(x)")
            try connection.run("INSERT INTO t VALUES ('a')")
            for sql in [
                "DELETE FROM t_data", "UPDATE t_content SET c0 = 'b'", "INSERT INTO t_config VALUES (1, 2)",
                "DROP TABLE t_data",
            ] { refuses(sql, connection) }
            try expect(connection.scalar("SELECT count(*) FROM t WHERE t MATCH 'a'"), .integer(1))
        }
    }

    @Test func `the journal cannot be switched off`() throws {
        let connection = try TemporaryStore().connect()
        try connection.run("PRAGMA journal_mode = OFF")
        try expect(connection.scalar("PRAGMA journal_mode"), .text("wal"))
    }

    @Test func `attaching another file fails`() throws {
        let file = try TemporaryStore()
        let connection = try file.connect()
        for target in [":memory:", file.path, file.path + "-other", ""] {
            let error = try #require(throws: StoreError.self) { try connection.run("ATTACH '\(target)' AS other") }
            #expect(error.message.contains("too many attached databases"))
        }
        #expect(!FileManager.default.fileExists(atPath: file.path + "-other"))
    }

    @Test func `loading an extension fails`() throws {
        try withConnection { connection throws in
            let error = try #require(throws: StoreError.self) {
                _ = try connection.scalar("SELECT load_extension('/tmp/x')")
            }
            #expect(error.message.contains("not authorized") || error.message.contains("no such function"))
        }
    }

    @Test func `a trigger or view cannot call a function that reaches outside the database`() throws {
        let file = try TemporaryStore()
        _ = try file.sqlite(
            """
            CREATE TABLE t (x);
            CREATE TABLE log (x);
            CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO log VALUES (load_extension('/tmp/x')); END;
            CREATE VIEW v AS SELECT load_extension('/tmp/x') AS x;
            CREATE VIEW w AS SELECT fts3_tokenizer('simple') AS x;
            """)
        let connection = try file.connect()
        let error = try #require(throws: StoreError.self) { try connection.run("INSERT INTO t VALUES (1)") }
        #expect(error.message.contains("unsafe use of load_extension"))
        refuses("SELECT * FROM v", connection)
        refuses("SELECT * FROM w", connection)
        try expect(file.sqlite("SELECT count(*) FROM t"), "0")
    }

    @Test func `foreign keys are enforced`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE a (id INTEGER PRIMARY KEY)")
            try connection.run("CREATE TABLE b (a REFERENCES a ON DELETE CASCADE)")
            expect(code(of: { try connection.run("INSERT INTO b VALUES (1)") }), .constraint)
            try connection.run("INSERT INTO a VALUES (1)")
            try connection.run("INSERT INTO b VALUES (1)")
            try connection.run("DELETE FROM a")
            try expect(connection.scalar("SELECT count(*) FROM b"), .integer(0))
        }
    }
}
