import TestSupport
import Testing

@testable import PersistentObjects

/// Undo of changes to existing tables.
struct ForeignUndoTests {
    final class Detail: PersistentObject {
        override class var tableName: String { "detail" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Detail.order, \Detail.line] }
        var order = 0
        var line = 0
    }

    final class Code: PersistentObject {
        override class var tableName: String { "codes" }
        override class var origin: TableOrigin { .existing }
        var code = ""
    }

    static let sql = """
        CREATE TABLE detail ("order" INT NOT NULL, line INT NOT NULL, PRIMARY KEY (line, "order"));
        CREATE TABLE codes (id INTEGER PRIMARY KEY, code TEXT UNIQUE COLLATE NOCASE);
        CREATE TABLE users (id INTEGER PRIMARY KEY, "order" INT, line INT, code TEXT REFERENCES codes (code),
            FOREIGN KEY (line, "order") REFERENCES detail);
        """

    private func refuse(_ session: Session, _ file: TemporaryStore) throws {
        let error = #expect(throws: StoreError.self) { try session.undo() }
        #expect(error?.code == .staleObject && error?.message.contains("users now refers to the row") == true)
        try expect(file.sqlite("PRAGMA foreign_key_check"), "")
    }

    @Test func `an undo leaves no dangling composite reference`() throws {
        try SampleFile.with(Self.sql) { session, file throws in
            session.recordsUndo = true
            let detail = Detail()
            (detail.order, detail.line) = (1, 2)
            try detail.save()
            _ = try file.sqlite(#"INSERT INTO users ("order", line) VALUES (1, 2)"#)
            try refuse(session, file)
            _ = try file.sqlite("DELETE FROM users")
            try expect(session.undo(), true)
            try expect(file.sqlite("SELECT count(*) FROM detail"), "0")
        }
    }

    @Test func `an undo leaves no dangling reference to a unique value`() throws {
        try SampleFile.with(Self.sql) { session, file throws in
            let code = Code()
            code.code = "a"
            try code.save()
            session.recordsUndo = true
            code.code = "b"
            try code.save()
            _ = try file.sqlite("INSERT INTO users (code) VALUES ('B')")
            try refuse(session, file)
            _ = try file.sqlite("DELETE FROM users")
            try expect(session.undo(), true)
            expect(code.code, "a")
        }
    }

    final class Note: PersistentObject {
        override class var tableName: String { "notes" }
        override class var origin: TableOrigin { .existing }
        var body = ""
    }

    @Test func `a commit that writes another program's search index cannot be undone`() throws {
        let sql = """
            CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
            CREATE VIRTUAL TABLE words USING fts5(body, content='notes', content_rowid='id');
            CREATE TRIGGER u AFTER UPDATE ON notes BEGIN
                INSERT INTO words(words, rowid, body) VALUES('delete', OLD.id, OLD.body);
                INSERT INTO words(rowid, body) VALUES (NEW.id, NEW.body);
            END;
            INSERT INTO notes VALUES (1, 'apple');
            INSERT INTO words(words) VALUES ('rebuild');
            """
        try SampleFile.with(sql) { session, file throws in
            session.recordsUndo = true
            let note = try #require(try Note.find(1))
            note.body = "pear"
            try note.save()
            // Otherwise the index would still contain "pear".
            #expect(!session.canUndo)
            try expect(file.sqlite("SELECT rowid FROM words WHERE words MATCH 'pear'"), "1")
        }
    }
}
