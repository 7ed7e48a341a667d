import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Files with a row for each value of their history, as earlier versions wrote them, and what becomes of them.
@Suite(.hangLimit, .onSQLite("the file is SQLite's"))
struct HistoryConversionTests {
    private typealias Person = KeptFormat.Person

    /// What an earlier version and other programs have written: changes of rows and collections, deletions, authors, and
    /// values of every kind. Tom is deleted a second after his insertion; otherwise both could have the same date.
    private static let work = """
        PRAGMA foreign_keys = ON;
        UPDATE kept_person SET note = 'rivers', holiday_exists = NULL WHERE id = 1;
        UPDATE po_history_entry SET author = 'ann', "transaction" = 6 WHERE id > 5;
        INSERT INTO kept_person_tags VALUES (1, 3072, 'c');
        UPDATE po_history_entry SET author = 'bob', "transaction" = 7 WHERE id > 6;
        DELETE FROM kept_person_marks WHERE owner_id = 1;
        INSERT INTO kept_person (name) VALUES ('Tom');
        UPDATE po_history_entry SET author = 'cid', "transaction" = 8, date = date - 1 WHERE id > 7;
        DELETE FROM kept_person WHERE name = 'Tom';
        INSERT INTO po_history_entry ("table", object, change, date) VALUES ('kept_person', 1, 'changed', 900000000.25);
        INSERT INTO po_history_value (entry_id, "column", old, new) SELECT max(id), 'x1', 9e999, -9e999 FROM po_history_entry;
        INSERT INTO po_history_value (entry_id, "column", old, new) SELECT max(id), 'x2', 9223372036854775807, -9223372036854775808 FROM po_history_entry;
        INSERT INTO po_history_value (entry_id, "column", old, new) SELECT max(id), 'x3', x'00ff', CAST(x'610062' AS TEXT) FROM po_history_entry;
        INSERT INTO po_history_value (entry_id, "column", old, new) SELECT max(id), 'x4', 0.1, 1.0 FROM po_history_entry;
        INSERT INTO po_history_value (entry_id, "column", old, new) SELECT max(id), 'x5', 1, 1.0 FROM po_history_entry;
        """

    /// Every entry with its values and elements, bit for bit.
    private static let content = """
        SELECT e.id, "table", object, change, printf('%!.17g', date), author, "transaction" FROM po_history_entry e ORDER BY 1;
        SELECT entry_id, "column", typeof(old), typeof(new), hex(old), hex(new), quote(old), quote(new) FROM po_history_value
        ORDER BY entry_id, id;
        SELECT * FROM po_history_element ORDER BY id
        """

    private func oldFile(_ work: String = HistoryConversionTests.work) throws -> TemporaryStore {
        let file = try TemporaryStore()
        let text = SwiftCompiler.packageFolder.appending(path: "Tests/ObjectStoreTests/Fixtures/format-2.sql")
        try expect(SQLiteTool.run(file.path, String(contentsOf: text, encoding: .utf8)), "")
        try expect(SQLiteTool.run(file.path, work), "")
        return file
    }

    @Test func `each value, author, deletion and element stays as it was`() throws {
        let file = try oldFile()
        let before = try file.sqlite(HistoryConversionTests.content)
        let store = try Store(file.path)
        defer { store.close() }
        try store.withSession { session in
            session.author = "eve"
            let joe = try #require(try Person.where { $0.name == "Joe" }.first())
            try expect(file.sqlite(HistoryConversionTests.content), before)
            try expect(joe.history.all().map(\.author), [nil, nil, "ann", "bob", "cid", nil])
            let last = try #require(try joe.history.all().last)
            expect(last.values.map(\.column), ["x1", "x2", "x3", "x4", "x5"])
            expect(
                last.values.map(\.old), [.real(.infinity), .integer(.max), .blob([0, 255]), .real(0.1), .integer(1)])
            expect(
                last.values.map(\.new),
                [.real(-.infinity), .integer(.min), .text("a\0b"), .real(1), .real(1)])
            let tom = try Person.history.where { $0.change == .deleted }.single()
            try expect(tom.old(\Person.name), "Tom")
            // New entries have their values themselves, and both are read together.
            (joe.note, joe.tags) = ("seas", ["z"])
            try joe.save()
            try expect(file.sqlite("SELECT count(*) FROM po_history_extra WHERE entry_id > \(last.id ?? 0)"), "0")
            try expect(joe.history.all().compactMap { try $0.new(\Person.note) }.suffix(2), ["rivers", "seas"])
            let entry = try #require(try joe.history.all().last)
            expect(entry.author, "eve")
            try expect(entry.old(\Person.tags), ["b", "a", "c"])
            let created = try #require(try Person.history.where { $0.object == tom.object }.first())
            try expect(Person.restored(tom.object, to: created.date).name, "Tom")
        }
    }

    /// An earlier version that is stopped at any time while its file is converted.
    @Test func `a conversion that stops in the middle leaves the file as it was, and is made later`() throws {
        let file = try oldFile()
        struct Stop: Error {}
        var calls = 0
        do {
            let store = try Store(file.path)
            defer { store.close() }
            try store.prepare([Person.self]) { _ in calls += 1 }
        }
        #expect(calls > 2)
        for stop in 1...calls {
            let file = try oldFile()
            let (before, schema) = (try file.sqlite(HistoryConversionTests.content), try file.sqlite(".schema"))
            let store = try Store(file.path)
            var count = 0
            #expect(throws: Stop.self) {
                try store.prepare([Person.self]) { _ in
                    count += 1
                    if count == stop { throw Stop() }
                }
            }
            try expect(file.sqlite(HistoryConversionTests.content), before)
            try expect(file.sqlite(".schema"), schema)
            try store.prepare(Person.self)
            try expect(file.sqlite(HistoryConversionTests.content), before)
            store.close()
        }
    }

    @Test func `a process that is killed while it converts loses nothing`() throws {
        let file = try oldFile()
        let before = try file.sqlite(HistoryConversionTests.content)
        var copies: [TemporaryStore] = []
        let store = try Store(file.path)
        try store.prepare([Person.self]) { _ in
            // What a kill at this moment leaves.
            let copy = try TemporaryStore()
            for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: file.path + ending) {
                try FileManager.default.copyItem(atPath: file.path + ending, toPath: copy.path + ending)
            }
            copies.append(copy)
        }
        store.close()
        #expect(copies.count > 2)
        for copy in copies {
            try expect(copy.sqlite(HistoryConversionTests.content), before)
            let store = try Store(copy.path)
            try store.prepare(Person.self)
            store.close()
            try expect(copy.sqlite(HistoryConversionTests.content), before)
        }
    }

    @Test func `an earlier version refuses the converted file, by a feature that it does not know`() throws {
        let file = try oldFile()
        try Store(file.path).prepare(KeptFormat.Town.self)
        try expect(file.sqlite("SELECT count(*) FROM po_feature"), "0")
        try Store(file.path).prepare(Person.self)
        try expect(
            file.sqlite("SELECT name, level, version FROM po_feature"),
            "\(HistoryNames.feature)|reading|\(LibraryVersion.current)")
    }

    /// A class that this process does not have keeps its triggers, which write rows for values.
    @Test func `classes of other programs go on with their history, and views of other programs show all of it`() throws
    {
        let file = try oldFile(
            """
            CREATE VIEW changes AS SELECT entry_id, "column", new FROM po_history_value;
            CREATE TABLE other (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT) STRICT;
            CREATE TRIGGER "other.history.insert" AFTER INSERT ON other BEGIN INSERT INTO "po_history_entry" ("table",
            "object", "change", "date") VALUES ('other', NEW."id", 'created', 1.5); INSERT INTO "po_history_value"
            ("entry_id", "column", "old", "new") SELECT (SELECT max("id") FROM "po_history_entry"), 'name', NULL, NEW.name; END;
            """)
        let store = try Store(file.path)
        defer { store.close() }
        try store.withSession { session in
            let joe = try #require(try Person.where { $0.name == "Joe" }.first())
            joe.note = "new"
            try joe.save()
            try session.execute("INSERT INTO other (name) VALUES ('o')")
            let values = try HistoryValue.where { $0.entry.table == "other" }.all()
            expect(values.map(\.new), [.text("o")])
            try expect(
                file.sqlite("SELECT \"column\", new FROM changes ORDER BY entry_id DESC LIMIT 2"), "name|o\nnote|new")
        }
    }
}
