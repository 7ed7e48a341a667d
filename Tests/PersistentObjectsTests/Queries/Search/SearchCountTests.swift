import Foundation
import PersistentObjects
import TestSupport
import Testing

/// A count of a search reads the index alone, where nothing else is asked.
struct SearchCountTests {
    class Note: PersistentObject {
        override class var tableName: String { "counted_note" }
        @Searchable var text = ""
        var stars = 0
    }
    final class Letter: Note { var sender = "" }

    final class Draft: PersistentObject {
        override class var tableName: String { "counted_draft" }
        override class var softDeletes: Bool { true }
        @Searchable var text = ""
        var deletedAt: Date?
    }

    private func save(_ session: Session) throws {
        let notes = (0..<10).map { number in
            let note = number % 3 == 0 ? Letter() : Note()
            (note.text, note.stars) = (number % 2 == 0 ? "sand and sea" : "salt", number)
            return note
        }
        try session.save(notes)
    }

    @Test func `it counts what the search finds`() throws {
        try withTemporarySession { session, _ in
            try save(session)
            for text in ["sand", "sa*", "salt", "nothing", "", "sand -sea", "sea OR salt"] {
                try expect(Note.search(text).count(), Note.search(text).all().count, "\(text)")
                try expect(Letter.search(text).count(), Letter.search(text).all().count, "\(text)")
                let few = Note.search(text).where { $0.stars > 4 }
                try expect(few.count(), few.all().count)
                try expect(Note.search(text).limit(2).count(), Note.search(text).limit(2).all().count)
                try expect(Note.search(text).search("sand").count(), Note.search(text).search("sand").all().count)
            }
            try Note.where { $0.stars == 0 }.delete()
            try Note.where { $0.stars == 2 }.update { $0.text = "gone" }
            try expect(Note.search("sand").count(), 3)
            try session.transaction {
                try Note.search("sand").delete()
                try expect(Note.search("sand").count(), 0)
            }
        }
    }

    @Test func `objects that are softly deleted do not count`() throws {
        try withTemporarySession { session, _ in
            let drafts = (0..<4).map { _ in Draft() }
            for draft in drafts { draft.text = "words" }
            try session.save(drafts)
            try drafts[0].delete()
            try expect(Draft.search("words").count(), 3)
        }
    }

    @Test func `the table is not read`() throws {
        try withTemporarySession { session, _ in
            try save(session)
            let sql = try statements(of: session) { _ = try Note.search("sa*").count() }
            #expect(sql.last?.contains("JOIN") == false, "\(sql)")
            let other = try statements(of: session) { _ = try Letter.search("sa*").count() }
            #expect(other.last?.contains("JOIN") == true, "\(other)")
        }
    }

    @Test @MainActor func `a followed count changes with the texts`() async throws {
        try await withSession { session, _ in
            try save(session)
            var counts = session.updates { try Note.search("sand").count() }.makeAsyncIterator()
            try await expect(counts.next(), 5)
            let note = try #require(try Note.where { $0.stars == 0 }.first())
            note.text = "other"
            try note.save()
            try await expect(counts.next(), 4)
            let further = Note()
            further.text = "more sand"
            try further.save()
            try await expect(counts.next(), 5)
            try session.execute("UPDATE counted_note SET text = 'sand' WHERE text = 'salt'")
            try await expect(counts.next(), 10)
        }
    }
}
