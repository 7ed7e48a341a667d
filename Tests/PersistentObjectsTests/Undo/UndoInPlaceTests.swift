import PersistentObjectsTesting
import TestSupport
import Testing

@testable import PersistentObjects

/// Undone updates of rows, which stay where they are unless a unique value changes.
@Suite(.onSQLite("a server records the tables of classes only")) struct UndoInPlaceTests {
    /// Runs changes of four rows of a table in raw SQL, then undo and redo, and returns the row ids after each.
    private func rowIDs(_ table: String, _ changes: [String]) throws -> [[Int]] {
        try withTemporarySession { session, file in
            try session.execute(
                "CREATE TABLE part (code TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', size INTEGER)")
            if !table.isEmpty { try session.execute(table) }
            for number in 1...4 {
                try session.execute("INSERT INTO part VALUES (?, ?, ?)", "c\(number)", "n\(number)", number)
            }
            func rows() throws -> [String] {
                try session.rows("SELECT * FROM part ORDER BY code").map { "\($0)" }
            }
            func ids() throws -> [Int] {
                try session.rows("SELECT rowid AS number FROM part ORDER BY code").map { try $0.value("number") }
            }
            let before = try rows()
            session.recordsUndo = true
            try session.transaction { () throws in for change in changes { try session.execute(change) } }
            let after = try rows()
            try session.undo()
            var found = [try ids()]
            try expect(rows(), before)
            try session.redo()
            try expect(rows(), after)
            found.append(try ids())
            try expect(file.sqlite("PRAGMA integrity_check"), "ok")
            return found
        }
    }

    @Test func `rows whose unique values stay keep their places`() throws {
        let kept = [[1, 2, 3, 4], [1, 2, 3, 4]]
        try expect(rowIDs("", ["UPDATE part SET name = 'x', size = NULL WHERE code = 'c2'"]), kept)
        try expect(
            rowIDs("CREATE INDEX part_size ON part (size)", ["UPDATE part SET size = 7 WHERE code < 'c3'"]), kept)
        try expect(
            rowIDs("CREATE UNIQUE INDEX part_size ON part (size)", ["UPDATE part SET name = '' WHERE code = 'c2'"]),
            kept)
    }

    @Test func `rows may exchange values of any unique index`() throws {
        let exchange = [
            "UPDATE part SET size = -1 WHERE code = 'c2'", "UPDATE part SET size = 2 WHERE code = 'c3'",
            "UPDATE part SET size = 3 WHERE code = 'c2'",
        ]
        for index in ["part (size)", "part (size * 2)", "part (name, size)", "part (size) WHERE name <> ''"] {
            let ids = try rowIDs("CREATE UNIQUE INDEX part_size ON \(index)", exchange)
            expect(ids.map { $0.count }, [4, 4], "\(index)")
        }
    }
}
