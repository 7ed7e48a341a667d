import TestSupport
import Testing

@testable import StoreEngine

/// The log of the rows that a transaction writes.
struct RowLogTests {
    private func withLog(_ body: (SQLiteConnection, RowLog) throws -> Void) throws {
        try withConnection { connection in
            try connection.execute(SQL(raw: "CREATE TABLE A (id INTEGER PRIMARY KEY, b INTEGER UNIQUE)"))
            try connection.execute(SQL(raw: "CREATE TABLE other (b INTEGER PRIMARY KEY) WITHOUT ROWID"))
            connection.watchRows(true)
            try body(connection, try #require(connection.rowLog))
        }
    }

    private func told(_ log: RowLog) -> [String] {
        log.changes.map { "\($0.kind) \(log.tables[$0.table]) \($0.id)" + ($0.detail.map { " \($0)" } ?? "") }
    }

    @Test func `changed rows are logged in order`() throws {
        try withLog { connection, log throws in
            try connection.begin()
            try connection.execute(SQL(raw: "INSERT INTO a VALUES (1, 1), (2, 2)"))
            try connection.execute(SQL(raw: "UPDATE a SET b = b + 10"))
            try connection.execute(SQL(raw: "DELETE FROM a"))
            expect(
                told(log), ["inserted a 1", "inserted a 2", "updated a 1", "updated a 2", "deleted a 1", "deleted a 2"])
            expect(connection.unreportedRowCount, 0)
            try connection.commit()
        }
    }

    @Test func `a rollback removes its entries from the log, level by level`() throws {
        try withLog { connection, log throws in
            try connection.begin()
            try connection.execute(SQL(raw: "INSERT INTO a VALUES (1, 1)"))
            try connection.setSavepoint()
            try connection.execute(SQL(raw: "INSERT INTO a VALUES (2, 2)"))
            try connection.setSavepoint()
            try connection.execute(SQL(raw: "INSERT INTO a VALUES (3, 3)"))
            try connection.releaseSavepoint()
            connection.rollBackToSavepoint()
            try connection.execute(SQL(raw: "INSERT INTO a VALUES (4, 4)"))
            expect(told(log), ["inserted a 1", "inserted a 4"])
            connection.rollback()
            #expect(log.changes.isEmpty)
        }
    }

    @Test func `changes of rows that SQLite does not report are counted per transaction`() throws {
        try withLog { connection, log throws in
            try connection.begin()
            try connection.execute(SQL(raw: "INSERT INTO other VALUES (1), (2)"))
            #expect(log.changes.isEmpty && connection.unreportedRowCount == 2)
            try connection.commit()
            connection.clearRowLog()
            expect(connection.unreportedRowCount, 0)
        }
    }

    @Test func `an announced change carries its note once, and a paused log records nothing`() throws {
        try withLog { connection, log throws in
            try connection.execute(
                SQL(raw: "CREATE TRIGGER t AFTER UPDATE OF b ON a WHEN new.b < 5 BEGIN UPDATE a SET b = 9; END"))
            try connection.begin()
            try connection.execute(SQL(raw: "INSERT INTO a VALUES (1, 1)"))
            log.announce(7, log.place(of: "A"), 1)
            try connection.execute(SQL(raw: "UPDATE a SET b = 2"))
            expect(told(log), ["inserted a 1", "updated a 1 7", "updated a 1"])
            log.isPaused = true
            try connection.execute(SQL(raw: "UPDATE a SET b = 3"))
            expect(log.changes.count, 3)
            try connection.commit()
        }
    }

    @Test func `the columns that a statement reads are reported`() throws {
        try withLog { connection, _ throws in
            try expect(
                connection.columnsRead(by: "SELECT 1 FROM a WHERE EXISTS (SELECT b FROM other)"),
                ["a": [], "other": ["b"]])
            try expect(connection.columnsRead(by: "SELECT count(*) FROM A WHERE b > 3"), ["A": ["b"]])
            connection.watchRows(false)
            #expect(connection.rowLog == nil)
            try expect(connection.columnsRead(by: "SELECT b FROM other"), ["other": ["b"]])
        }
    }
}
