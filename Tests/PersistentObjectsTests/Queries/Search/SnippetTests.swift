import TestSupport
import Testing

@testable import PersistentObjects

/// Snippets show the part of a string around the words found.
struct SnippetTests {
    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        @Column("rec\"ord's") @Searchable var title = ""
        @Searchable var text: String?
        var other = ""
    }

    private func withNotes(_ body: (Session) throws -> Void) throws {
        try withTemporarySession { session, _ in
            let texts: [(String, String?)] = [
                ("Fox", "The quick brown fox jumps over the lazy dog, and the fox is gone"), ("A fox in a title", nil),
                ("None", "nothing"), ("Other", "fox fox fox"),
            ]
            try session.save(
                texts.map { title, text in
                    let note = Note()
                    (note.title, note.text) = (title, text)
                    return note
                })
            try body(session)
        }
    }

    @Test func `each object is returned with its snippet, in the order of the query`() throws {
        try withNotes { _ throws in
            let found = try Note.search("fox").order(by: \.id).snippets(of: \.text, around: 4, marking: ("<b>", "</b>"))
            expect(found.map(\.object.id), [1, 2, 4])
            expect(found.map(\.snippet), ["The quick brown <b>fox</b>…", "", "<b>fox</b> <b>fox</b> <b>fox</b>"])
            let titles = try Note.search("fox").order(by: \.id).snippets(of: \.title)
            expect(titles.map(\.snippet), ["[Fox]", "A [fox] in a title", "Other"])
            let best = try Note.search("fox").snippets(of: \.title)
            #expect(best.map(\.object.id) == (try Note.search("fox").ids()))
        }
    }

    @Test func `snippets work with conditions, limits and any marks`() throws {
        try withNotes { _ throws in
            // A server stores no NUL.
            let end = TestEngine.isPostgres ? "\u{1}" : "\0"
            let query = Note.search("fo*").where { $0.text != nil }.order(by: \.id)
            let found = try query.limit(1).offset(1).snippets(of: \.text, around: 99, marking: ("'\"; --", end))
            expect(found.map(\.object.id), [4])
            expect(found.first?.snippet.hasPrefix("'\"; --fox"), true)
            try expect(query.snippets(of: \.text, around: -3).count, 2)
            #expect(try Note.search("nowhere").snippets(of: \.text).isEmpty)
        }
    }

    @Test func `snippets need a search and a searchable property`() throws {
        try withNotes { _ throws in
            #expect(throws: QueryError.self) { try Note.query.snippets(of: \.text) }
            #expect(throws: QueryError.self) { try Note.search("fox").snippets(of: \.other) }
            #expect(throws: QueryError.self) { try Note.search("fox").snippets(of: \.id) }
        }
    }
}
