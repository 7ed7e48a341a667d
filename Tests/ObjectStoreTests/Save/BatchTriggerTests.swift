import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Statements of several rows and triggers: those of other programs keep their own `OR` clauses, and see each row.
@Suite(.enabled(if: !TestEngine.isPostgres)) struct BatchTriggerTests {
    final class Part: PersistentObject {
        override class var tableName: String { "part" }
        @Indexed var key = 0
        var number = 0
        var tags: [String] = []
    }

    final class Kept: PersistentObject {
        override class var tableName: String { "kept" }
        override class var keepsHistory: Bool { true }
        @Searchable var text = ""
        @Indexed var key = 0
        var tags: Set<String> = []
    }

    private static func parts(_ count: Int) -> [Part] {
        (0..<count).map { number in
            let part = Part()
            (part.key, part.number, part.tags) = (number * 31 % 97, number, ["x\(number % 3)"])
            return part
        }
    }

    /// Triggers that write one row for many, which only their own clauses allow.
    private static let triggers = """
        CREATE TABLE seen (n INTEGER PRIMARY KEY, times INTEGER NOT NULL DEFAULT 1);
        CREATE TRIGGER made AFTER INSERT ON part BEGIN INSERT OR IGNORE INTO seen (n) VALUES (NEW.number % 5); END;
        CREATE TRIGGER changed AFTER UPDATE OF key ON part BEGIN INSERT OR REPLACE INTO seen VALUES (NEW.number % 7, 2); END;
        CREATE TRIGGER tagged AFTER INSERT ON part_tags BEGIN INSERT OR REPLACE INTO seen VALUES (length(NEW.value), 3); END;
        """

    private static let seen = "SELECT group_concat(n || '/' || times, ' ') FROM (SELECT * FROM seen ORDER BY n)"

    private func expectSeen(_ session: Session, _ file: TemporaryStore, _ parts: [Part]) throws {
        try session.save(parts)
        try expect(file.sqlite("SELECT count(*) FROM part_tags"), "\(parts.count)")
        try expect(file.sqlite(Self.seen), "0/1 1/1 2/3 3/1 4/1")
        for part in parts { part.key += 1 }
        try session.saveChanges()
        try expect(file.sqlite(Self.seen), "0/2 1/2 2/2 3/2 4/2 5/2 6/2")
    }

    @Test(arguments: [30, 100, 700]) func `clauses in triggers of other programs stay theirs`(count: Int) throws {
        try withTemporarySession { session, file in
            try session.store.prepare(Part.self)
            _ = try file.sqlite(Self.triggers)
            try expectSeen(session, file, Self.parts(max(count, 70)))
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `also if the triggers appear while the store is open`(inTransaction: Bool, byRawSQL: Bool) throws {
        try withTemporarySession { session, file in
            let first = Self.parts(700)
            try session.save(first)
            for part in first { part.key += 1 }
            try session.saveChanges()
            _ = try file.sqlite("DELETE FROM part")
            // All statements are prepared, and now fire something else.
            let parts = Self.parts(700)
            func work() throws {
                if byRawSQL {
                    for line in Self.triggers.split(separator: "\n") { try session.execute(String(line)) }
                }
                try session.save(parts)
                for part in parts { part.key += 1 }
                try session.saveChanges()
            }
            if !byRawSQL { _ = try file.sqlite(Self.triggers) }
            if inTransaction { try session.transaction { try work() } } else { try work() }
            try expect(file.sqlite("SELECT count(*) FROM part"), "700")
            try expect(file.sqlite(Self.seen), "0/2 1/2 2/2 3/2 4/2 5/2 6/2")
            #expect(parts.allSatisfy { !$0.hasChanges })
            // Without them everything is as before.
            _ = try file.sqlite("DROP TRIGGER made; DROP TRIGGER changed; DROP TRIGGER tagged; DELETE FROM seen")
            try session.save(Self.parts(700))
            for part in parts { part.key += 1 }
            try session.saveChanges()
            try expect(file.sqlite("SELECT count(*) FROM seen"), "0")
            #expect(try session.space(of: Part.self).identity.brokenInvariant() == nil)
        }
    }

    @Test func `a trigger on what the library's own triggers write counts as well`() throws {
        try withTemporarySession { session, file in
            try session.store.prepare(Kept.self)
            _ = try file.sqlite(
                """
                CREATE TABLE latest (object PRIMARY KEY, entry);
                CREATE TRIGGER latest AFTER INSERT ON \(HistoryNames.entries) BEGIN
                INSERT OR REPLACE INTO latest VALUES (NEW.object % 10, NEW.id); END
                """)
            let all = (0..<100).map { _ in Kept() }
            try session.save(all)
            try expect(file.sqlite("SELECT count(*), max(entry) FROM latest"), "10|100")
        }
    }

    @Test func `statements of several rows are OR FAIL, but not with such triggers`() throws {
        try withTemporarySession { session, file in
            func written(_ parts: [Part]) throws -> (batches: Int, rows: Int) {
                var log = try statements(of: session) { try session.save(parts) }
                for part in parts { part.key += 1 }
                log += try statements(of: session) { try session.save(parts) }
                let writes = log.filter { $0.hasPrefix("INSERT") || $0.hasPrefix("UPDATE") }
                return (writes.count { $0.contains(" OR FAIL ") }, writes.count { !$0.contains(" OR ") })
            }
            try session.store.prepare(Part.self)
            #expect(try written(Self.parts(640)) == (60, 0))
            _ = try file.sqlite(Self.triggers)
            // The first such save finds the triggers.
            _ = try written(Self.parts(640))
            #expect(try written(Self.parts(640)) == (0, 1920))
        }
    }

    @Test(arguments: [false, true]) func `history, search and undo of a class see each row`(isRefused: Bool) throws {
        try withTemporarySession { session, file in
            try session.store.prepare(Kept.self)
            session.recordsUndo = true
            func state() throws -> String {
                try file.sqlite(
                    """
                    SELECT (SELECT count(*) FROM kept), (SELECT count(*) FROM kept_tags), (SELECT count(*) FROM \(HistoryNames.entries)),
                    (SELECT count(*) FROM kept_search WHERE kept_search MATCH 'common')
                    """)
            }
            let all = (0..<200).map { number in
                let kept = Kept()
                (kept.text, kept.key, kept.tags) = ("common word\(number)", number * 31 % 97, ["a", "b"])
                return kept
            }
            if isRefused {
                _ = try file.sqlite("CREATE UNIQUE INDEX refusal ON kept (text)")
                let bad = Kept()
                (bad.text, bad.key) = ("common word0", 5)
                let before = try state()
                #expect(throws: StoreError.self) { try session.save(all[..<150] + [bad] + all[150...]) }
                #expect(try state() == before && !session.canUndo)
            }
            try session.save(all)
            #expect(try Kept.search("common").count() == 200)
            #expect(try Kept.history.where { $0.change == .created }.count() == 200)
            for kept in all { (kept.text, kept.key) = ("other \(kept.key) \(kept.id ?? 0)", kept.key + 1) }
            if isRefused {
                let saved = try state()
                let text = all[120].text
                all[120].text = all[0].text
                #expect(throws: StoreError.self) { try session.saveChanges() }
                #expect(try state() == saved)
                all[120].text = text
            }
            try session.saveChanges()
            #expect(try Kept.search("other").count() == 200 && Kept.search("common").count() == 0)
            #expect(try Kept.history.where { $0.change == .changed }.count() == 200)
            #expect(try session.undo())
            #expect(try Kept.search("common").count() == 200 && all[7].text == "common word7")
            #expect(try session.undo())
            try expect(Kept.count(), 0)
            #expect(try session.redo() && session.redo())
            #expect(try Kept.search("other").count() == 200)
            try session.execute("INSERT INTO kept_search (kept_search, rank) VALUES ('integrity-check', 1)")
        }
    }
}

/// No trigger of the library depends on an `OR` clause of its own, which that of a statement would replace.
@Suite(.enabled(if: !TestEngine.isPostgres)) struct OwnTriggerClauseTests {
    @Test func `the library's triggers have no OR clauses`() throws {
        try withTemporarySession { session, file in
            try session.store.prepare(BatchTriggerTests.Kept.self, UndoLikeOwner.self)
            let texts = try file.sqlite("SELECT sql FROM sqlite_schema WHERE type = 'trigger'")
            #expect(texts.contains("kept.search.update") && texts.contains("kept_tags.history.insert"))
            for clause in ["OR IGNORE", "OR REPLACE", "OR FAIL", "OR ABORT", "OR ROLLBACK"] {
                #expect(!texts.contains(clause))
            }
        }
    }

    final class UndoLikeOwner: PersistentObject {
        override class var tableName: String { "undo_owner" }
        @OnDelete(.cascade) var kept: BatchTriggerTests.Kept?
        @OnDelete(.deny) var other: BatchTriggerTests.Kept?
    }
}
