import Foundation
import StoreEngine
import TestSupport
import Testing

/// Recording the changes of a transaction, and applying their inverse.
@Suite struct ChangeSetTests {
    /// Records the changes of the statements, run in one transaction.
    private func record(_ connection: SQLiteConnection, _ statements: String...) throws -> (any RowChanges)? {
        let recorder = try connection.makeRecorder()
        try connection.begin()
        try recorder.begin()
        defer {
            recorder.end()
            connection.rollback()
        }
        for statement in statements { try connection.run(statement) }
        let changes = try recorder.changes().map { try recorder.read($0) }
        try connection.commit()
        return changes
    }

    /// Applies the inverse of the changes, in one transaction.
    private func undo(_ connection: SQLiteConnection, _ changes: (any RowChanges)?) throws {
        let changes = try #require(changes)
        try connection.withoutRules {
            try connection.begin()
            defer { connection.rollback() }
            try connection.apply([try changes.inverted()])
            try connection.commit()
        }
    }

    private func conflict(_ connection: SQLiteConnection, _ changes: (any RowChanges)?) -> ChangeConflict? {
        do { try undo(connection, changes) } catch { return error as? ChangeConflict }
        return nil
    }

    private func dump(_ connection: SQLiteConnection, _ sql: String) throws -> String {
        guard case .text(let text)? = try connection.scalar("SELECT group_concat(x, ' ') FROM (\(sql))") else {
            return ""
        }
        return text
    }

    @Test func `undoing a change restores each kind of value bit for bit`() throws {
        try withConnection { connection in
            try connection.run("CREATE TABLE t (id INTEGER PRIMARY KEY, a ANY, b REAL, c TEXT, d BLOB) STRICT")
            try connection.run(
                "INSERT INTO t VALUES (1, '1', 1.0, 'a' || char(0) || 'b', x'00ff'), (2, NULL, 1e300, '', x''), "
                    + "(3, 9223372036854775807, -0.0, 'é', NULL), (4, x'', 0.1, CAST(x'ff41' AS TEXT), NULL)")
            let query = "SELECT quote(a) || quote(b) || hex(c) || quote(c IS NULL) || quote(d) || typeof(a) AS x FROM t"
            let before = try dump(connection, query)
            for work in ["DELETE FROM t", "UPDATE t SET a = 1, b = NULL, c = NULL, d = zeroblob(10)"] {
                let changes = try record(connection, work)
                #expect(try dump(connection, query) != before)
                try undo(connection, changes)
                try expect(dump(connection, query), before)
            }
        }
    }

    @Test func `changed rows are reported with their keys, as the net effect of the transaction`() throws {
        try withConnection { connection in
            try connection.run("CREATE TABLE t (id INTEGER PRIMARY KEY, x) STRICT".replacing("x)", with: "x INT)"))
            try connection.run(
                "CREATE TABLE w (owner INTEGER, k TEXT, x INTEGER, PRIMARY KEY (owner, k)) STRICT, WITHOUT ROWID")
            try connection.run("INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)")
            let changes = try record(
                connection, "UPDATE t SET x = 5 WHERE id = 1", "DELETE FROM t WHERE id = 2",
                "INSERT INTO t VALUES (4, 4)",
                "INSERT INTO t VALUES (5, 5)", "DELETE FROM t WHERE id = 5", "UPDATE t SET x = 9 WHERE id = 3",
                "UPDATE t SET x = 3 WHERE id = 3", "INSERT INTO w VALUES (7, 'a', 1)")
            let rows = try #require(try changes?.rows())
            let texts = rows.map { "\($0.table) \($0.operation) \($0.key ?? 0)" }.sorted()
            expect(texts, ["t delete 2", "t insert 4", "t update 1", "w insert 7"])
            try undo(connection, changes)
            try expect(dump(connection, "SELECT id || ':' || x AS x FROM t"), "1:1 2:2 3:3")
            try expect(connection.scalar("SELECT count(*) FROM w"), .integer(0))
            #expect(try record(connection, "UPDATE t SET x = x") == nil, "nothing has changed")
        }
    }

    @Test func `changes that were rolled back are not in the next change set`() throws {
        try withConnection { connection in
            try connection.run("CREATE TABLE t (id INTEGER PRIMARY KEY, x)")
            let recorder = try connection.makeRecorder()
            try connection.begin()
            try recorder.begin()
            try connection.run("INSERT INTO t VALUES (1, 1)")
            connection.rollback()
            try connection.begin()
            try recorder.begin()
            try connection.run("INSERT INTO t VALUES (2, 2)")
            try connection.run("SAVEPOINT inner")
            try connection.run("INSERT INTO t VALUES (3, 3)")
            try connection.run("ROLLBACK TO inner")
            let changes = try recorder.changes().map { try recorder.read($0) }
            recorder.end()
            try connection.commit()
            try expect(changes?.rows().map(\.key), [2])
            #expect(changes?.byteCount ?? 0 > 0)
        }
    }

    @Test func `changes by triggers and foreign keys are recorded, and undo does not run them again`() throws {
        try withConnection { connection in
            try connection.run("CREATE TABLE p (id INTEGER PRIMARY KEY, x)")
            try connection.run("CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE, x)")
            try connection.run("CREATE TABLE log (id INTEGER PRIMARY KEY, x)")
            try connection.run("CREATE TRIGGER g AFTER DELETE ON p BEGIN INSERT INTO log (x) VALUES (OLD.x); END")
            try connection.run("INSERT INTO p VALUES (1, 'a'), (2, 'b')")
            try connection.run("INSERT INTO c VALUES (1, 1, 'c'), (2, 1, 'd'), (3, 2, 'e')")
            let changes = try record(connection, "DELETE FROM p WHERE id = 1")
            try expect(changes?.rows().count, 4)
            try undo(connection, changes)
            try expect(
                dump(connection, "SELECT x FROM p UNION ALL SELECT x FROM c UNION ALL SELECT x FROM log"), "a b c d e")
            // An undo of both insertions does not fail because the cascade already deleted the rows.
            let both = try record(connection, "INSERT INTO p VALUES (9, 'p')", "INSERT INTO c VALUES (9, 9, 'c')")
            try undo(connection, both)
            try expect(dump(connection, "SELECT x FROM p UNION ALL SELECT x FROM c"), "a b c d e")
            #expect(throws: StoreError.self, "foreign keys are on again") {
                try connection.run("INSERT INTO c VALUES (10, 99, 'x')")
            }
        }
    }

    @Test func `a conflict names the row and the reason`() throws {
        try withConnection { connection in
            try connection.run("CREATE TABLE p (id INTEGER PRIMARY KEY, x UNIQUE, y)")
            try connection.run("CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES P)")
            func check(
                _ work: String, _ others: String, _ kind: ChangeConflict.Kind, _ key: Int64 = 1, _ table: String = "p"
            ) throws {
                try connection.run("DELETE FROM c")
                try connection.run("DELETE FROM p")
                try connection.run("INSERT INTO p VALUES (1, 1, 1), (2, 2, 2)")
                try connection.run("INSERT INTO c VALUES (5, 2)")
                let changes = try record(connection, work)
                try connection.run(others)
                let found = conflict(connection, changes)
                #expect(found?.kind == kind && found?.table == table && found?.key == key, "\(work)")
            }
            try check("UPDATE p SET y = 5 WHERE id = 1", "DELETE FROM p WHERE id = 1", .rowDeleted)
            try check("UPDATE p SET y = 5 WHERE id = 1", "UPDATE p SET y = 6 WHERE id = 1", .changed)
            try check("UPDATE p SET y = 5 WHERE id = 1", "UPDATE p SET y = 5.0 WHERE id = 1", .changed)
            try check("DELETE FROM p WHERE id = 1", "INSERT INTO p VALUES (1, 9, 9)", .exists)
            try check("INSERT INTO p VALUES (3, 3, 3)", "UPDATE p SET y = 4 WHERE id = 3", .changed, 3)
            try check("UPDATE p SET x = 5 WHERE id = 1", "INSERT INTO p VALUES (7, 1, 7)", .taken)
            try check("INSERT INTO p VALUES (3, 3, 3)", "INSERT INTO c VALUES (6, 3)", .referredTo(by: "c"), 3)
            try check("DELETE FROM c", "DELETE FROM p WHERE id = 2", .targetDeleted, 5, "c")
        }
    }

    @Test(arguments: [
        ("x = 5", "x = 5.0"), ("x = 0.0", "x = -0.0"), ("x = -0.0", "x = 0.0"), ("x = NULL", "x = 0"),
        ("x = '5'", "x = x'35'"), ("y = 'b'", "y = 'B'"), ("y = 'b'", "y = 'b' || char(0)"), ("x = 5", "x = '5'"),
    ])
    func `a value that SQL may call equal, but that has other bits, is a conflict`(
        recorded: String, later: String
    ) throws {
        try withConnection { connection in
            try connection.run("CREATE TABLE t (id INTEGER PRIMARY KEY, x, y TEXT COLLATE NOCASE)")
            try connection.run("INSERT INTO t VALUES (1, 1, 'a')")
            let query = "SELECT quote(x) || typeof(x) || hex(y) || typeof(y) AS x FROM t"
            let before = try dump(connection, query)
            let changes = try record(connection, "UPDATE t SET \(recorded)")
            try connection.run("UPDATE t SET \(later)")
            let found = try dump(connection, query)
            expect(conflict(connection, changes)?.kind, .changed)
            try expect(dump(connection, query), found)
            try connection.run("UPDATE t SET \(recorded)")
            try undo(connection, changes)
            try expect(dump(connection, query), before)
        }
    }

    @Test func `undo works after columns were added, and reports a conflict after a column was renamed`() throws {
        try withConnection { connection in
            try connection.run("CREATE TABLE t (id INTEGER PRIMARY KEY, x)")
            try connection.run("INSERT INTO t VALUES (1, 'a'), (2, 'b')")
            let update = try record(connection, "UPDATE t SET x = 'c' WHERE id = 1")
            let deletion = try record(connection, "DELETE FROM t WHERE id = 2")
            try connection.run("ALTER TABLE t ADD COLUMN y DEFAULT 'y'")
            try connection.run("UPDATE t SET y = 'kept'")
            try undo(connection, deletion)
            try undo(connection, update)
            try expect(dump(connection, "SELECT x || y AS x FROM t"), "akept by")
            try connection.run("ALTER TABLE t RENAME COLUMN x TO z")
            let conflict = conflict(connection, update)
            #expect(conflict?.kind == .altered && conflict?.table == "t" && conflict?.key == nil)
        }
    }

    @Test(arguments: [
        ("CREATE TABLE t (x)", "t"), ("CREATE TABLE t (id INTEGER PRIMARY KEY, x, y AS (x))", "t"),
    ]) func `a table that cannot be recorded throws an error that names it`(table: String, name: String) throws {
        try withConnection { connection in
            try connection.run(table)
            let error = try #require(throws: StoreError.self) {
                try record(connection, "INSERT INTO t (x) VALUES (1)")
            }
            #expect(error.code == .misuse && error.message.hasPrefix("The table \(name) "))
            let made = try #require(throws: StoreError.self) {
                try record(connection, "CREATE TABLE n (id INTEGER PRIMARY KEY)", "INSERT INTO n VALUES (1)")
            }
            #expect(made.message.hasPrefix("The table n "))
        }
    }

    @Test func `a cached statement that deletes all rows of a table is recorded`() throws {
        try withConnection { connection in
            try connection.run("CREATE TABLE t (id INTEGER PRIMARY KEY, x)")
            let statement = try connection.statement("DELETE FROM t")
            try statement.run()
            statement.finish()
            try connection.run("INSERT INTO t VALUES (1, 1), (2, 2)")
            let recorder = try connection.makeRecorder()
            try connection.begin()
            try recorder.begin()
            let kept = try connection.statement("DELETE FROM t")
            try kept.run()
            kept.finish()
            try expect(recorder.changes().map { try recorder.read($0).rows().count }, 2)
            recorder.end()
            connection.rollback()
        }
    }
}
