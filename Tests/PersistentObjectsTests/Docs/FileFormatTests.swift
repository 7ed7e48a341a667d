import Foundation
import PersistentObjects
import TestSupport
import Testing

/// The statements of Docs/FileFormat.md about access by other programs, tested with the `sqlite3` tool.
struct FileFormatTests {
    private let file: TemporaryStore

    init() throws {
        file = try TemporaryStore()
        let store = try Store(file.path)
        try store.withSession { _ throws in
            let album = Album()
            (album.title, album.label, album.tracks, album.years) = ("One", Label(), ["a", "b"], [1999])
            try album.save()
            try Single().save()
        }
        store.close()
    }

    /// The statement that other programs run first.
    private let foreignKeys = TestEngine.isPostgres ? "" : "PRAGMA foreign_keys = ON; "

    private func inSession<R>(_ body: () throws -> R) throws -> R {
        let store = try Store(file.path)
        defer { store.close() }
        // A private class cannot be found by its name.
        try store.prepare(Single.self)
        return try store.withSession { _ throws in try body() }
    }

    @Test(.onSQLite("the file itself is read"))
    func `the header identifies the store file, and closing the store leaves no other files`()
        throws
    {
        let bytes = try Data(contentsOf: URL(filePath: file.path))
        expect(String(decoding: bytes[68..<72], as: UTF8.self), "POBJ")
        expect(Array(bytes[60..<64]), [0, 0, 0, 2])
        let folder = try FileManager.default.contentsOfDirectory(atPath: file.folder.path)
        expect(folder, ["store.sqlite"])
        let settings = "PRAGMA application_id; PRAGMA user_version; PRAGMA encoding; PRAGMA journal_mode"
        try expect(SQLiteTool.run(file.path, settings), "1347371594\n2\nUTF-8\nwal")
    }

    @Test func `rows that another program inserted are objects`() throws {
        let albums = """
            INSERT INTO album (title) VALUES ('Two');
            INSERT INTO album (title, class) VALUES ('Three', 'Single');
            SELECT id FROM album WHERE title IN ('Two', 'Three') ORDER BY id
            """
        let ids = try file.sqlite(foreignKeys + albums).split(separator: "\n").compactMap { Int($0) }
        try #require(ids.count == 2 && (TestEngine.isPostgres || ids == [3, 4]))
        let inserts = """
            INSERT INTO album_tracks VALUES (\(ids[0]), 7, 'second'), (\(ids[0]), -7, 'first');
            UPDATE album SET years = 1 WHERE id = \(ids[0]);
            """
        try expect(file.sqlite(foreignKeys + inserts), "")
        try inSession { () throws in
            let two = try #require(try Album.find(ids[0]))
            #expect(two.title == "Two" && two.tracks == ["first", "second"] && two.years == [])
            #expect(try Album.find(ids[1]) is Single)
            try expect(Album.findBy.title("Three").map(\.years), [nil])
        }
    }

    @Test func `with foreign keys on, deletions of another program clear references and delete elements`() throws {
        let both = "SELECT (SELECT count(label_id) FROM album), (SELECT count(*) FROM album_tracks)"
        try expect(file.sqlite(both), "1|2")
        let deletions = "\(foreignKeys)DELETE FROM label; \(both); DELETE FROM album WHERE id = 1; \(both)"
        try expect(file.sqlite(deletions), "0|2\n0|0")
    }

    @Test func `with foreign keys off, deletions leave dangling references, which throw`() throws {
        _ = try file.sqliteWithoutForeignKeys("DELETE FROM label")
        try inSession { () throws in
            let error = #expect(throws: StoreError.self) { () throws in _ = try Album.all() }
            expect(error?.code, .brokenReference)
        }
    }

    @Test(.onSQLite("the trigger of the test is SQLite's"))
    func `tables, columns, indexes and triggers of other programs are kept`() throws {
        let additions = """
            CREATE TABLE mine (x);
            ALTER TABLE album ADD COLUMN note TEXT DEFAULT 'none';
            CREATE INDEX mine_title ON album (title);
            CREATE TRIGGER mine_insert AFTER INSERT ON album BEGIN INSERT INTO mine VALUES (NEW.title); END;
            """
        _ = try SQLiteTool.run(file.path, additions)
        try inSession { () throws in
            let album = Album()
            album.title = "Two"
            try album.save()
        }
        let seen =
            "SELECT x FROM mine; SELECT note FROM album WHERE title = 'Two'; SELECT count(*) FROM sqlite_schema WHERE name LIKE 'mine%'"
        try expect(SQLiteTool.run(file.path, seen), "Two\nnone\n3")
    }

    @Test(.onSQLite("the server keeps its files in order itself"))
    func `a vacuumed or copied file, or one with another journal mode, opens as the same store`() throws {
        let copy = file.folder.appending(path: "copy.sqlite").path
        let mode = try SQLiteTool.run(
            file.path, "DELETE FROM album WHERE id = 1; VACUUM; VACUUM INTO '\(copy)'; PRAGMA journal_mode = DELETE")
        expect(mode, "delete")
        for path in [file.path, copy] {
            let store = try Store(path)
            try store.withSession { _ throws in
                try expect(Album.query.ids(), [2])
                let album = Album()
                try album.save()
                expect(album.id, 3)
            }
            store.close()
            try expect(SQLiteTool.run(path, "PRAGMA journal_mode; PRAGMA application_id"), "wal\n1347371594")
        }
    }

    @Test(.onSQLite("the sqlite3 program makes the table"))
    func `a class can use a table that another program created`() throws {
        let path = file.folder.appending(path: "other.sqlite").path
        let table =
            "CREATE TABLE album (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT); INSERT INTO album VALUES (7, 'Old')"
        _ = try SQLiteTool.run(path, table)
        let store = try Store(path)
        try store.withSession { _ throws in try expect(Album.findBy.title("Old").map(\.id), [7]) }
        store.close()
        try expect(SQLiteTool.run(path, "PRAGMA application_id"), "0")
    }
}

private class Album: PersistentObject {
    override class var tableName: String { "album" }
    var title = ""
    var label: Label?
    var tracks: [String] = []
    var years: Set<Int>?
}

private final class Single: Album {}

private final class Label: PersistentObject {
    override class var tableName: String { "label" }
}
