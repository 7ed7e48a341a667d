import StoreEngine
import TestSupport
import Testing

/// Triggers of other programs do not run recursively, because those programs expect that. Triggers of the library do.
@Suite struct TriggerRecursionTests {
    private static let film = """
        CREATE TABLE film (id INTEGER PRIMARY KEY, title TEXT UNIQUE, stamp INTEGER DEFAULT 0);
        CREATE TABLE log (line TEXT);
        INSERT INTO film (id, title) VALUES (1, 'a'), (2, 'b');
        """
    private static let stamp = """
        CREATE TRIGGER stamp AFTER UPDATE ON film BEGIN UPDATE film SET stamp = stamp + 1 WHERE id = NEW.id; END
        """

    private func withFile(_ sql: String, _ body: (SQLiteConnection, TemporaryStore) throws -> Void) throws {
        let file = try TemporaryStore()
        let connection = try file.connect()
        _ = try file.sqlite(sql)
        try body(connection, file)
        #expect(try connection.scalar("PRAGMA recursive_triggers") == .integer(1))
        #expect(connection.busyStatementCount == 0)
    }

    @Test func `a trigger that updates the updated row runs once, as in SQLite's own tool`() throws {
        try withFile(Self.film + Self.stamp) { connection, file throws in
            for _ in 0..<2 { try connection.run("UPDATE film SET title = title || 'x' WHERE id = 1") }
            #expect(try file.sqlite("SELECT title, stamp FROM film WHERE id = 1") == "axx|2")
            _ = try file.sqlite("UPDATE film SET title = 'c' WHERE id = 1")
            #expect(try connection.scalar("SELECT stamp FROM film WHERE id = 1") == .integer(3))
        }
    }

    @Test func `a cached statement respects triggers that are created and dropped`() throws {
        try withFile(Self.film) { connection, file throws in
            func update() throws -> DatabaseValue? {
                let statement = try connection.statement(
                    "UPDATE film SET title = title || ? WHERE id = 1 RETURNING title")
                defer { statement.finish() }
                statement.beginBinding()
                try statement.bind("x", at: 1)
                #expect(try statement.step())
                let title = try statement.column(0).value()
                #expect(try !statement.step())
                return title
            }
            #expect(try update() == .text("ax"))
            _ = try file.sqlite(Self.stamp)
            #expect(try update() == .text("axx"))
            _ = try file.sqlite("CREATE INDEX i ON film (stamp)")
            #expect(try update() == .text("axxx"))
            #expect(try connection.scalar("SELECT stamp FROM film WHERE id = 1") == .integer(2))
            _ = try file.sqlite("DROP TRIGGER stamp")
            #expect(try update() == .text("axxxx"))
            #expect(try connection.scalar("SELECT stamp FROM film WHERE id = 1") == .integer(2))
        }
    }

    @Test func `a statement of several rows runs only the library's own triggers`() throws {
        let own = """
            CREATE TRIGGER "film.history.insert" AFTER INSERT ON film BEGIN INSERT INTO log VALUES ('own'); END;
            """
        try withFile(Self.film + own + Self.stamp) { connection, file throws in
            let sql: SQL = "INSERT OR FAIL INTO film (title) VALUES ('c' || random()), ('d' || random())"
            func insert() throws -> StoreError.Repetition? {
                guard let statement = try connection.batchStatement(sql) else { return .oneByOne }
                defer { statement.finish() }
                do throws(StoreError) { try statement.send() } catch { return error.repetition }
                return nil
            }
            #expect(try insert() == nil && insert() == nil)
            #expect(try file.sqlite("SELECT count(*) FROM log") == "4")
            _ = try file.sqlite(
                "CREATE TRIGGER other AFTER INSERT ON film BEGIN INSERT OR IGNORE INTO log VALUES (1); END")
            let kept = try connection.batchStatement(sql)
            let error = #expect(throws: StoreError.self) { try kept?.send() }
            kept?.finish()
            #expect(error?.repetition == .oneByOne)
            #expect(try connection.batchStatement(sql) == nil)
            try connection.execute(sql)
            #expect(try file.sqlite("SELECT count(*) FROM film") == "8", "a user's statement is not concerned")
        }
    }

    @Test(arguments: ["INSERT INTO log VALUES (OLD.title)", "SELECT RAISE(ABORT, 'no')"])
    func `INSERT OR REPLACE does not run other programs' delete triggers, as in SQLite's own tool`(
        _ action: String
    ) throws {
        let trigger = "CREATE TRIGGER gone BEFORE DELETE ON film BEGIN \(action); END"
        try withFile(Self.film + trigger) { connection, file throws in
            try connection.run("INSERT OR REPLACE INTO film (id, title) VALUES (1, 'c')")
            #expect(try file.sqlite("SELECT count(*) FROM log") == "0")
        }
    }

    /// A table whose triggers have the names of the library's triggers.
    private static let tree = """
        CREATE TABLE node (id INTEGER PRIMARY KEY, parent_id INTEGER, name TEXT UNIQUE, stamp INTEGER DEFAULT 0,
            other_id INTEGER REFERENCES node (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED);
        CREATE TABLE log (line TEXT);
        CREATE TRIGGER "node.parent_id.cascade" AFTER DELETE ON node BEGIN DELETE FROM node WHERE parent_id = OLD.id; END;
        CREATE TRIGGER "node.history.delete" AFTER DELETE ON node BEGIN INSERT INTO log VALUES ('-' || OLD.id); END;
        CREATE TRIGGER "node.history.update" AFTER UPDATE ON node BEGIN INSERT INTO log VALUES ('=' || NEW.stamp); END;
        INSERT INTO node (id, parent_id, name) VALUES (1, NULL, 'a'), (2, 1, 'b'), (3, 2, 'c'), (4, 3, 'd'), (5, NULL, 'e');
        """
    private static let stampNode = """
        CREATE TRIGGER stamp AFTER UPDATE ON node BEGIN UPDATE node SET stamp = stamp + 1 WHERE id = NEW.id; END;
        """

    @Test(arguments: [false, true]) func `delete rules run through whole chains, and the history records each row`(
        isStamped: Bool
    ) throws {
        try withFile(Self.tree + (isStamped ? Self.stampNode : "")) { connection, file throws in
            try connection.run("DELETE FROM node WHERE id = 1")
            #expect(try file.sqlite("SELECT group_concat(id) FROM node") == "5")
            #expect(
                try file.sqlite("SELECT group_concat(line, '') FROM (SELECT line FROM log ORDER BY line)") == "-1-2-3-4"
            )
            try connection.run("INSERT OR REPLACE INTO node (id, name) VALUES (6, 'e')")
            #expect(try file.sqlite("SELECT count(*) FROM log WHERE line = '-5'") == "1")
            try connection.run("UPDATE node SET name = 'f'")
            #expect(
                try file.sqlite(
                    "SELECT group_concat(line, '') FROM (SELECT line FROM log WHERE line LIKE '=%' ORDER BY 1)")
                    == (isStamped ? "=0=1" : "=0"))
        }
    }

    @Test func `the error for an endless recursion in a cascade names the trigger, and nothing is written`() throws {
        try withFile(Self.tree + Self.stampNode) { connection, file throws in
            _ = try file.sqlite("UPDATE node SET other_id = 1 WHERE id = 5")
            let before = try file.sqlite("SELECT * FROM node; SELECT * FROM log")
            let error = try #require(throws: StoreError.self) { try connection.run("DELETE FROM node WHERE id = 1") }
            #expect(error.message.hasPrefix("too many levels of trigger recursion: \"stamp\". Nothing was written. "))
            #expect(try file.sqlite("SELECT * FROM node; SELECT * FROM log") == before)
        }
    }

    @Test func `the error for a chain too long for SQLite names the delete rule`() throws {
        try withFile(Self.tree) { connection, _ throws in
            try connection.run(
                """
                INSERT INTO node (id, parent_id) WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n LIMIT 2000)
                SELECT i, i - 1 FROM n
                """)
            let error = try #require(throws: StoreError.self) { try connection.run("DELETE FROM node WHERE id = 10") }
            #expect(error.message.contains("\"node.parent_id.cascade\"") && error.message.contains("no such limit"))
        }
    }

    @Test func `a write that reads another program's view is not affected by trigger protection`() throws {
        try withFile(Self.film + "CREATE VIEW v AS SELECT id + 10 AS id, title || '!' AS title FROM film") {
            connection, file throws in
            for _ in 0..<2 {
                try connection.run("INSERT OR REPLACE INTO film (id, title) SELECT id, title FROM v WHERE id < 13")
            }
            #expect(
                try file.sqlite("SELECT group_concat(title) FROM (SELECT title FROM film ORDER BY id)") == "a,b,a!,b!")
        }
    }

    @Test func `INSTEAD OF triggers of views run`() throws {
        let sql = """
            CREATE VIEW v AS SELECT * FROM film;
            CREATE TRIGGER through INSTEAD OF UPDATE ON v BEGIN UPDATE film SET title = NEW.title WHERE id = NEW.id; END;
            """
        try withFile(Self.film + sql + Self.stamp) { connection, file throws in
            try connection.run("UPDATE v SET title = 'z' WHERE id = 2")
            #expect(try file.sqlite("SELECT title, stamp FROM film WHERE id = 2") == "z|1")
        }
    }
}
