import TestSupport
import Testing

@testable import PersistentObjects

/// The search index follows the class.
struct SearchPlanTests {
    enum V1 {
        final class Note: PersistentObject {
            override class var tableName: String { "note" }
            var title = ""
            var text: String?
        }
    }
    enum V2 {
        final class Note: PersistentObject {
            override class var tableName: String { "note" }
            override class var searchable: [AnyKeyPath] { [\Note.title] }
            var title = ""
            var text: String?
        }
    }
    enum V3 {
        final class Note: PersistentObject {
            override class var tableName: String { "note" }
            override class var searchable: [AnyKeyPath] { [\Note.title] }
            var title = ""
            @Searchable var text: String?
            @Searchable var more = "initially there"
        }
    }
    enum V4 {
        final class Note: PersistentObject {
            override class var tableName: String { "memo" }
            override class var formerTableNames: [String] { ["note"] }
            @Searchable @Column("heading", renamedFrom: "title") var title = ""
            @Searchable var text: String?
        }
    }
    final class NewNote: PersistentObject {
        override class var tableName: String { "note" }
        @Searchable var title = ""
    }

    private static let names = "SELECT name FROM sqlite_schema WHERE name LIKE '%search%' ORDER BY name"
    private static let check = "INSERT INTO note_search (note_search, rank) VALUES ('integrity-check', 1)"

    private func fill(_ file: TemporaryStore) throws {
        try file.open().prepare(V1.Note.self)
        _ = try file.sqlite("INSERT INTO note (title, text) VALUES ('red', 'house'), ('blue', NULL)")
    }

    /// Verifies that preparing the class again changes nothing.
    private func expectDone(_ type: PersistentObject.Type, _ file: TemporaryStore) throws {
        let version = try file.sqlite("PRAGMA schema_version")
        try file.open().prepare(type)
        try expect(file.sqlite("PRAGMA schema_version"), version)
    }

    @Test func `existing rows are indexed when a class or a property becomes searchable`() throws {
        let file = try TemporaryStore()
        try fill(file)
        try file.open().withSession { _ throws in
            try expect(V2.Note.search("red").ids(), [1])
            try expect(V2.Note.search("house").ids(), [])
        }
        try expectDone(V2.Note.self, file)
        try file.open().withSession { _ throws in
            try expect(V3.Note.search("house initially").ids(), [1])
            try expect(V3.Note.search("there").order(by: \.id).ids(), [1, 2])
        }
        try expectDone(V3.Note.self, file)
        _ = try file.sqlite(Self.check)
        try file.open().takeBack(V2.Note.self)
        try file.open().withSession { _ throws in try expect(V2.Note.search("house").ids(), []) }
        _ = try file.sqlite(Self.check)
    }

    @Test func `removing search from a class removes the index and its triggers`() throws {
        let file = try TemporaryStore()
        try fill(file)
        try file.open().prepare(V3.Note.self)
        try expect(
            file.sqlite(Self.names).split(separator: "\n"),
            [
                "note.search.delete", "note.search.insert", "note.search.update", "note_search", "note_search_config",
                "note_search_data", "note_search_docsize", "note_search_idx",
            ])
        try file.open().takeBack(V1.Note.self)
        try file.open().withSession { _ throws in
            let error = #expect(throws: QueryError.self) { try V1.Note.search("red").all() }
            expect(error?.description.contains("Note has no searchable properties"), true)
        }
        try expect(file.sqlite(Self.names), "")
        _ = try file.sqlite("UPDATE note SET title = 'x'; DELETE FROM note")
    }

    @Test func `renamed tables and columns remain searchable`() throws {
        let file = try TemporaryStore()
        try fill(file)
        try file.open().prepare(V2.Note.self)
        try file.open().withSession { _ throws in
            try expect(V4.Note.search("red house").ids(), [1])
            let note = V4.Note()
            note.title = "green"
            try note.save()
            try expect(V4.Note.search("gre*").count(), 1)
            try expect(V4.Note.search("green").snippets(of: \.title).map(\.snippet), ["[green]"])
        }
        #expect(!(try file.sqlite(Self.names).contains("note")))
        try expectDone(V4.Note.self, file)
        _ = try file.sqlite("INSERT INTO memo_search (memo_search, rank) VALUES ('integrity-check', 1)")
    }

    @Test(arguments: [true, false])
    func `another class can use the former name of a searched table`(isNewFirst: Bool) throws {
        let file = try TemporaryStore()
        try fill(file)
        try file.open().prepare(V2.Note.self)
        try file.open().prepare(V4.Note.self)
        let store = try file.open()
        if isNewFirst {
            try store.prepare(NewNote.self, V4.Note.self)
        } else {
            try store.prepare(V4.Note.self, NewNote.self)
        }
        try store.withSession { _ throws in
            let note = NewNote()
            note.title = "red"
            try note.save()
            try expect(NewNote.search("red").count(), 1)
            try expect(V4.Note.search("red").count(), 1)
        }
        try expectDone(NewNote.self, file)
        try expectDone(V4.Note.self, file)
    }

    @Test func `missing triggers or a missing index are recreated, and the index is rebuilt`() throws {
        let file = try TemporaryStore()
        try fill(file)
        try file.open().prepare(V2.Note.self)
        for sql in [
            "DROP TRIGGER \"note.search.insert\"; INSERT INTO note (title) VALUES ('grey')",
            "DROP TABLE note_search",
        ] {
            _ = try file.sqlite(sql)
            try file.open().prepare(V2.Note.self)
            _ = try file.sqlite(Self.check)
        }
        try file.open().withSession { _ throws in try expect(V2.Note.search("grey").count(), 1) }
    }

    @Test func `another program's table with the name of the index is not changed`() throws {
        for sql in ["CREATE TABLE note_search (x)", "CREATE VIRTUAL TABLE note_search USING fts5(x)"] {
            let file = try TemporaryStore()
            try fill(file)
            _ = try file.sqlite(sql)
            try file.open().prepare(V1.Note.self)
            let error = #expect(throws: SchemaError.self) { try file.open().prepare(V2.Note.self) }
            expect(error?.description.contains("Table \"note_search\" in the file is not a search index"), true)
            try expect(file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name = 'note_search'"), "1")
        }
    }

    @Test func `a session opened before search was added can continue to write`() throws {
        let file = try TemporaryStore()
        try fill(file)
        try file.open().withSession { session throws in
            let old = try #require(try V1.Note.find(1))
            old.title = "first"
            try old.save()
            try file.open().prepare(V2.Note.self)
            old.title = "second"
            try old.save()
            try session.execute("UPDATE note SET title = 'third' WHERE id = 2")
        }
        try file.open().withSession { _ throws in try expect(V2.Note.search("second OR third").count(), 2) }
        _ = try file.sqlite(Self.check)
    }
}
