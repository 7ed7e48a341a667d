import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// `search` finds the objects that contain the words, the best matches first.
struct SearchTests {
    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        @Searchable var title = ""
        @Searchable var text: String?
        @Indexed var isPublic = false
        var place = 0
        var tags: [String] = []
    }

    private static let texts: [(String, String?)] = [
        ("Red house", "A small house at the lake"), ("Smith", nil),
        ("Fox", "The quick brown fox jumps over the lazy dog"), ("", "smithereens"),
        ("Blue house", "Crème brûlée in a house, the house of Smith"), ("東京タワー", "Straße nach Kraków"),
    ]

    /// Notes with the ids 1 to 6.
    private func withNotes(_ body: (Session, TemporaryStore) throws -> Void) throws {
        try withTemporarySession { session, file in
            let notes = Self.texts.enumerated().map { place, text in
                let note = Note()
                (note.title, note.text, note.isPublic, note.place) = (text.0, text.1, place % 2 == 0, -place)
                return note
            }
            try session.save(notes)
            try body(session, file)
            try expect(session.store.checkIntegrity().problems.map(\.message), [])
            guard !TestEngine.isPostgres else { return }
            try session.execute("INSERT INTO note_search (note_search, rank) VALUES ('integrity-check', 1)")
        }
    }

    private func found(_ text: String) throws -> [Int64] { try Note.search(text).ids().sorted() }

    @Test(
        arguments: [
            ("house", [1, 5]), ("HOUSE", [1, 5]), ("house red", [1]), ("house AND red", [1]), ("smith", [2, 5]),
            ("smith*", [2, 4, 5]), ("smi*", [2, 4, 5]), ("s*", [1, 2, 4, 5, 6]), ("\"brown fox\"", [3]),
            ("\"fox brown\"", []), ("“brown fox”", [3]), ("\"quick bro\"*", [3]), ("brown-fox", [3]),
            ("house -red", [5]), ("house NOT red", [5]), ("house -\"at the lake\"", [5]), ("house -smi*", [1]),
            ("red OR fox", [1, 3]), ("red OR fox OR smith", [1, 2, 3, 5]), ("house lake OR fox", [1, 3]),
            ("house -red OR fox", [3, 5]), ("creme brulee", [5]), ("CRÈME", [5]), ("krakow", [6]), ("lake red", [1]),
            ("mith", []), ("ho*se", []), ("fox & dog!", [3]), ("fox or dog", []), ("the lazy (dog)", [3]),
        ] as [(String, [Int64])])
    func `search supports words, prefixes, phrases, exclusions and alternatives`(_ text: String, _ ids: [Int64]) throws
    {
        try withNotes { _, _ throws in try expect(found(text), ids) }
    }

    @Test(arguments: ["", " ", "*", "\"", "\"\"", "-", "--", "-red", "NOT red", "OR", "NOT", "AND", "!!!", "🎉", "\0"])
    func `a search text without words finds nothing`(_ text: String) throws {
        try withNotes { _, _ throws in
            try expect(found(text), [])
            try expect(Note.search(text).count(), 0)
        }
    }

    /// FTS5 treats characters without spaces between them as one word.
    @Test func `in scripts without spaces, search finds whole runs and their prefixes`() throws {
        try withNotes { _, _ throws in
            try expect(found("東京タワー"), [6])
            try expect(found("東京*"), [6])
            try expect(found("タワー"), [])
        }
    }

    @Test func `the best matches come first unless another order is given`() throws {
        try withNotes { _, _ throws in
            try expect(Note.search("house").ids(), [5, 1])
            try expect(Note.search("house").all().map(\.id), [5, 1])
            try expect(Note.search("house").first()?.id, 5)
            try expect(Note.search("house").limit(1).offset(1).ids(), [1])
            try expect(Note.search("house").order(by: \.id).ids(), [1, 5])
            try expect(Note.search("smi*").order(by: \.place).ids(), [5, 4, 2])
            try expect(Note.search("house").values(of: \.title), ["Blue house", "Red house"])
            try expect(Note.search("house").distinct(\.title), ["Blue house", "Red house"])
            try expect(Note.search("house").page(2, of: 1).items.map(\.id), [1])
        }
    }

    @Test func `search combines with conditions, limits, counts and further searches`() throws {
        try withNotes { _, _ throws in
            try expect(Note.search("smi*").where { $0.isPublic }.ids(), [5])
            try expect(Note.where { !$0.isPublic }.search("smi*").order(by: \.id).ids(), [2, 4])
            try expect(Note.search("smi*").where { $0.id == 4 || $0.title == "Smith" }.count(), 2)
            try expect(Note.search("smi*").limit(2).count(), 2)
            #expect(try Note.search("fox").exists())
            try expect(Note.search("fox").single().title, "Fox")
            try expect(Note.search("house").search("lake OR smith").search("-red OR small").ids(), [1])
            try expect(Note.search("house").sum(\.place), -4)
        }
    }

    @Test func `after(_:limit:) in a search requires an order by properties`() throws {
        try withNotes { _, _ throws in
            let note = try Note.search("fox").single()
            #expect(throws: QueryError.self) { try Note.search("the").after(note, limit: 2) }
            try expect(Note.search("the").order(by: \.id).after(note, limit: 2).map(\.id), [5])
        }
    }

    @Test func `saves, deletions and SQL of other programs update the search index`() throws {
        try withNotes { session, file in
            let note = try #require(try Note.find(3))
            note.title = "Wolf"
            note.text = nil
            note.tags = ["a"]
            try note.save()
            #expect(try found("fox") == [] && found("wolf") == [3])
            try note.delete()
            try expect(found("wolf"), [])
            try session.execute("UPDATE note SET title = 'Otter' WHERE id = 2")
            #expect(try found("otter") == [2] && found("smith") == [5])
            _ = try file.sqlite(
                "INSERT INTO note (id, title, text) VALUES (70, 'Lynx', NULL); DELETE FROM note WHERE id = 1; "
                    + "UPDATE note SET id = 40 WHERE id = 4")
            #expect(try found("lynx") == [70] && found("lake") == [] && found("smithereens") == [40])
            let new = Note()
            new.title = "Lynx too"
            try new.save()
            if !TestEngine.isPostgres { expect(new.id, 71, "an id that SQL gave is used as well") }
            try expect(Set(found("lynx")), [70, new.id])
            try Note.deleteAll()
            try expect(found("lynx OR house OR smi*"), [])
        }
    }

    @Test func `search results can be updated, deleted, batched and read untracked`() throws {
        try withNotes { _, _ throws in
            try expect(Note.search("house").update { $0.title = "Garden" }, 2)
            #expect(try found("garden") == [1, 5] && found("blue OR red") == [])
            try expect(Note.search("garden").limit(1).update { $0.text = nil }, 1)
            try expect(found("house OR lake").count, 1)
            var titles: [String] = []
            try Note.search("smi* OR fox").order(by: \.id).forEachBatch(of: 1) { titles += $0.map(\.title) }
            expect(titles.prefix(3), ["Smith", "Fox", ""])
            try expect(Note.search("fox").untracked().snippets(of: \.title).map(\.snippet), ["[Fox]"])
            try expect(Note.search("fox").lazily()[0].title, "Fox")
            try expect(Note.search("fox OR garden").delete(), 3)
            try expect(found("fox OR garden"), [])
        }
    }

    @Test func `a failed save leaves the search index unchanged`() throws {
        try withNotes { session, _ throws in
            try session.execute("CREATE UNIQUE INDEX u ON note (title)")
            let (good, bad) = (Note(), Note())
            (good.title, bad.title) = ("Badger", "Smith")
            #expect(throws: StoreError.self) { try session.save([good, bad]) }
            try expect(found("badger"), [])
        }
    }

    @Test func `search works in an in-memory store`() throws {
        try Store.inMemory().withSession { session throws in
            let note = Note()
            note.title = "Otter"
            try note.save()
            try expect(Note.search("ott*").all().map(\.title), ["Otter"])
        }
    }

    @Test(.onSQLite("the SQL is SQLite's; ServerSearchTests has the server's"))
    func `a search is one SELECT with a join`() throws {
        try withNotes { _, _ throws in
            let sql = Note.search("house").where { $0.isPublic }.sql
            #expect(
                sql.hasSuffix(
                    #" FROM "note" JOIN "note_search" AS " 1" ON +" 1"."rowid" = "note"."id" "#
                        + #"WHERE (" 1"."note_search" MATCH ?1) AND ("note"."is_public" = 1) "#
                        + #"ORDER BY " 1"."rank", "note"."id""#), "\(sql)")
            // The words are looked up first, although there is another index.
            let plan = try Note.search("house").where { $0.isPublic }.explain()
            let places = ["SCAN  1 VIRTUAL TABLE", "SEARCH note USING INTEGER PRIMARY KEY"].map {
                plan.range(of: $0)?.lowerBound
            }
            #expect(try #require(places[0]) < #require(places[1]), "\(plan)")
        }
    }
}
