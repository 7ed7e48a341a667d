import TestSupport
import Testing

@testable import PersistentObjects

/// Tables whose triggers stamp the updated row, as in most schemas with such a column: each kind of write works, and
/// runs the trigger once.
@Suite(.enabled(if: !TestEngine.isPostgres)) struct StampTriggerTests {
    final class Film: PersistentObject {
        override class var tableName: String { "film" }
        override class var origin: TableOrigin { .existing }
        @Unique var title = ""
        @Column("rating") var rating = 0
        @ReadOnly @Column("stamp") var stamp = 0
    }
    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        override class var keepsHistory: Bool { true }
        @Searchable var text = ""
        @OnDelete(.cascade) var next: Note?
        var stamp = 0
    }

    private static let film = """
        CREATE TABLE film (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, rating INTEGER NOT NULL DEFAULT 0,
            stamp INTEGER NOT NULL DEFAULT 0);
        INSERT INTO film (title) VALUES ('a'), ('b'), ('c');
        CREATE TRIGGER stamp AFTER UPDATE ON film BEGIN UPDATE film SET stamp = stamp + 1 WHERE id = NEW.id; END;
        CREATE TRIGGER made AFTER INSERT ON film BEGIN UPDATE film SET stamp = 100 WHERE id = NEW.id; END;
        """

    @Test func `each kind of write of an existing table works and runs the trigger once`() throws {
        try SampleFile.with(Self.film) { session, file throws in
            session.recordsUndo = true
            func stamps() throws -> String { try file.sqlite("SELECT group_concat(stamp) FROM film") }
            let film = try #require(try Film.find(1))
            film.title = "A"
            try film.save()
            #expect(try stamps() == "1,0,0")
            #expect(try Film.find(1)?.stamp == 1)
            try Film.query.update { $0.rating += 1 }
            #expect(try stamps() == "2,1,1")
            let other = try Film(["title": "b", "rating": 7])
            try session.upsert(other, on: \.title)
            #expect(try stamps() == "2,2,1")
            try session.execute("UPDATE film SET rating = 0")
            #expect(try stamps() == "3,3,2")
            try session.save(try (0..<3).map { try Film(["title": "n\($0)"]) })
            #expect(try stamps() == "3,3,2,101,101,101")
            try Film.where { $0.title == "n1" }.delete()
            #expect(try session.undo())
            #expect(try Film.count() == 6)
        }
    }

    @Test func `a library table with a stamp trigger keeps history, search and delete rules`() throws {
        try withTemporarySession { session, file in
            let notes = (0..<4).map { _ in Note() }
            for (index, note) in notes.enumerated() {
                note.text = "word\(index)"
                note.next = index > 0 ? notes[index - 1] : nil
            }
            try session.save(notes)
            _ = try file.sqlite(
                "CREATE TRIGGER stamp AFTER UPDATE ON note BEGIN UPDATE note SET stamp = stamp + 1 WHERE id = NEW.id; END"
            )
            notes[0].text = "other"
            try notes[0].save()
            #expect(try file.sqlite("SELECT stamp FROM note WHERE text = 'other'") == "1")
            #expect(try Note.search("other").count() == 1 && Note.search("word0").count() == 0)
            #expect(try notes[0].history.where { $0.change == .changed }.count() == 2)
            try session.execute("DELETE FROM note WHERE text = 'word3'")
            #expect(try Note.count() == 0)
            #expect(try Note.history.where { $0.change == .deleted }.count() == 4)
        }
    }
}
