import Foundation
import PersistentObjects
import TestSupport
import Testing

@testable import PersistentInspector

/// Differences between files, and between two states of one file.
struct FileDifferenceTests {
    private func withCopies(_ body: (TemporaryStore, TemporaryStore) throws -> Void) throws {
        let (first, second) = (try TemporaryStore(), try TemporaryStore())
        try makeStore(first, .init(journal: .rollback)).close()
        try FileManager.default.copyItem(atPath: first.path, toPath: second.path)
        try body(first, second)
    }

    private let changes = """
        PRAGMA foreign_keys = ON;
        UPDATE worker SET age = 99, born = 0.0 WHERE id = 3;
        INSERT INTO worker_tags VALUES (3, 5000, 'zz');
        DELETE FROM badge WHERE id = 2;
        INSERT INTO firm (name) VALUES ('New');
        INSERT INTO land (key, name) VALUES ('DE', 'Germany');
        UPDATE land SET name = 'Österreich' WHERE key = 'AT';
        UPDATE figure SET radius = 3 WHERE id = 2;
        """

    @Test func `objects are compared by id or key, with their collections`() throws {
        try withCopies { first, second in
            #expect(try Inspection("diff", first.path, second.path).lines == ["No differences"])
            _ = try SQLiteTool.run(second.path, changes)
            let diff = try Inspection("diff", first.path, second.path)
            #expect(diff.status == 1)
            expect(
                diff.lines,
                [
                    "- Badge #2", "~ Ball #2 radius: 2.5 → 3.0", "+ Firm #3",
                    "~ Land AT name: \"Austria\" → \"Österreich\"",
                    "+ Land DE",
                    "~ Worker #3 age: 21 → 99, born: 2001-01-02T00:00:00Z → 2001-01-01T00:00:00Z, "
                        + "tags: ['t0'] → ['t0', 'zz']",
                ])
            #expect(try Inspection("diff", first.path, second.path, "Firm").lines == ["+ Firm #3"])
            #expect(refusal("diff", first.path, second.path, "X") == "Neither file has a class X.")
        }
    }

    @Test func `properties and classes that only one file has are listed`() throws {
        try withCopies { first, second in
            _ = try SQLiteTool.run(
                second.path,
                """
                UPDATE po_property SET type = 'Int64' WHERE name = 'age';
                UPDATE po_property SET flags = flags | 1 WHERE name = 'height';
                DELETE FROM po_class WHERE name = 'Badge';
                """)
            let lines = try Inspection("diff", first.path, second.path).lines
            for line in [
                "- class Badge", "- property Worker.age: Int", "+ property Worker.age: Int64",
                "- property Worker.height: Double",
            ] {
                #expect(lines.contains(line))
            }
        }
    }

    @Test func `at most 50 differences of a class are listed`() throws {
        try withCopies { first, second in
            _ = try SQLiteTool.run(
                second.path,
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 80)
                INSERT INTO badge (code) SELECT 'c' || i FROM n;
                """)
            let lines = try Inspection("diff", first.path, second.path).lines
            #expect(lines.count == 51 && lines[50] == "… 30 more differences of Badge")
        }
    }

    @Test func `watching lists the objects that were added, changed and deleted`() throws {
        try withCopies { first, second in
            let before = try WatchedState(InspectedFile(second.path))
            let signature = FileSignature(second.path)
            _ = try SQLiteTool.run(second.path, changes)
            #expect(FileSignature(second.path) != signature)
            expect(
                try WatchedState(InspectedFile(second.path)).changes(since: before),
                [
                    "Badge: 1 deleted (#2)", "Figure: 1 changed (#2)", "Firm: 1 added (#3)",
                    "Land: 1 added (#2), 1 changed (#1)", "Worker: 1 changed (#3)",
                ])
            #expect(try Inspection(first.path, "watch", "--seconds", "1").lines.count == 1)
        }
    }
}
