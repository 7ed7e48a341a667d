import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// Passes strings that would be dangerous as SQL to each call that takes a string or a name. A value must stay a
/// value, a name must be known or rejected, and neither the schema nor other rows may change.
@Suite struct EntryPointTests {
    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        override class var identity: Identity { .string }
        @Searchable var text = ""
        var maybe: String?
        var tags: [String] = []
        var number = 0
        var parent: Note?
    }

    static let corpus: [String] = [
        "'", "\"", "`", "]", "\\", ";", "--", "/*", "*/", "?", "?1", ":a", "%", "_", "*", "\u{2019}", "\u{FF07}",
        "a\0b", "\n",
        "' OR 1=1 --", "\" OR \"\"=\"", "'; DROP TABLE note; --", "\"; DROP TABLE note; --", "'); DELETE FROM note; --",
        "1; UPDATE note SET number = 9", "' UNION SELECT * FROM sqlite_schema --", "text\"; DROP TABLE note; --",
        "x' AND load_extension('/tmp/x') --", "number = 9; --", "(SELECT text FROM note)", "text COLLATE binary",
        "id DESC; DROP TABLE note", "note_search", "$.a", "\u{202E}", "'\u{301}", "\0'; DROP TABLE note; --",
        "number) VALUES (1); DROP TABLE note; --", "sqlite_schema", "rowid", "1 OR 1", "NULL", "{\"a\": 1}", "[1",
    ]

    /// A store with a note. `body` may add and remove other rows, but this note must stay unchanged.
    private func withNote(_ body: (Session, TemporaryStore) throws -> Void) throws {
        try withTemporarySession(.init(lostEdits: .ignore, onNote: { _ in })) { session, file throws in
            let first = Note()
            try first.setKey("first")
            (first.text, first.number, first.tags) = ("first", 7, ["a"])
            try first.save()
            let schema = try file.sqlite(".schema")
            try body(session, file)
            try expect(file.sqlite(".schema"), schema)
            try expect(
                file.sqlite("SELECT text, number FROM note WHERE id = 1; SELECT count(*) FROM note WHERE number = 9"),
                "first|7\n0")
            try expect(file.sqlite("SELECT count(*) FROM note_tags WHERE owner_id = 1"), "1")
        }
    }

    @Test func `a dangerous string is only a value in finders, conditions, updates and deletions`() throws {
        try withNote { _, file throws in
            for text in Self.corpus {
                let note = try Note(["text": text, "maybe": text, "tags": [text]])
                try note.save()
                #expect(try Note.find(note.key ?? "") === note)
                let same: [() throws -> [Note]] = [
                    { try Note.findByText(text) }, { try Note.findBy.maybe(text) },
                    { try Note.findBy.text(in: [text]) }, { try Note.findByTextStartsWith(text) },
                    { try Note.findByTextEndsWith(text) }, { try Note.findByTextContains(text) },
                    { try Note.findByTextIn([text]) }, { try Note.where { $0.text == text }.all() },
                    { try Note.where { $0.text.isIn([text]) }.all() },
                    { try Note.where { $0.text.hasPrefix(text) }.all() },
                    { try Note.where { $0.text.hasSuffix(text) }.all() },
                    { try Note.where { $0.text.contains(text) }.all() },
                    { try Note.where { $0.maybe >= text && $0.maybe <= text }.all() },
                    { try Note.where { $0.tags.contains(text) }.all() },
                    { try Note.findByCriteria("WHERE text = ?", text) },
                    { try Note.findByCriteria("WHERE text IN (?)", [text]) },
                ]
                for (place, find) in same.enumerated() {
                    try expect(find().map(\.id), [note.id], "way \(place), \(text.debugDescription)")
                }
                // Patterns have their own syntax, so a string may be an invalid pattern.
                _ = try Note.findByTextLike(text)
                _ = try Note.where { $0.text.like(text) }.count()
                do { _ = try Note.where { $0.text.matches(text) }.count() } catch {
                    #expect(error is StoreError, "\(error)")
                }
                _ = try Note.search(text).all()
                try expect(
                    Note.where { $0.text == text }.update { $0.maybe = text + "!" }, 1, "\(text.debugDescription)"
                )
                try expect(Note.where { $0.maybe == text + "!" }.delete(), 1)
            }
            try expect(file.sqlite("SELECT count(*) FROM note"), "1")
        }
    }

    @Test func `a dangerous string is only a value as an argument of raw SQL`() throws {
        try withNote { session, _ throws in
            for text in Self.corpus {
                #expect(try session.rows("SELECT ? AS x, length(?)", text, 1)[0]["x"] == .text(text))
                #expect(try session.rows("SELECT x.value FROM json_each(?) AS x", "[]").isEmpty)
                #expect(try session.execute("UPDATE note SET number = 5 WHERE text = ?", text) == 0)
                #expect(try session.rows("SELECT 1 AS one")[0][text] == nil)
                #expect(throws: StoreError.self) { try session.rows("SELECT 1; \(text)") + session.rows("; \(text) x") }
            }
        }
    }

    @Test func `a dangerous string is safe as a key and as the name of a property, a function or an undo group`() throws
    {
        try withNote { session, file throws in
            let note = try #require(try Note.find(key: "first"))
            for text in Self.corpus {
                #expect(try Note.find(text) == nil && Note.find(key: text) == nil && Note.find(keys: [text]).isEmpty)
                #expect(throws: StoreError.self) { try note.set(text, to: 9) }
                #expect(throws: (any Error).self) { _ = try Note([text: 9]) }
                #expect(throws: FinderError.self) { _ = try Note.findByNumber(7, .order(by: text)) }
                #expect(throws: (any Error).self) { try Note.checkFinders(["findBy\(text)", text]) }
                let function = SQLFunction.named(text)
                #expect(throws: (any Error).self) {
                    try Note.where { function($0.text, as: String.self) == "A" }.count()
                }
                session.undoGroup(text) {}
                try session.transaction {
                    let keyed = Note()
                    // A string that cannot be a key is rejected; any other string works as a key.
                    guard (try? keyed.setKey(text)) != nil else { return }
                    try keyed.save()
                    #expect(try Note.find(text) === keyed)
                    try keyed.delete()
                }
            }
            #expect(note[Self.corpus[3]] == nil && !note.hasChanges)
            #expect(try file.sqlite("SELECT count(*) FROM note") == "1")
        }
    }

    @Test func `a dangerous string is safe as the name of a migration, which runs once`() throws {
        let file = try TemporaryStore()
        try file.fill(1)
        for _ in 1...2 {
            let store = try file.open(configuration: .quiet)
            try store.migrate(Self.corpus.filter { !$0.contains("\0") }.map { name in Migration(name) { _ in } })
        }
        let count = Self.corpus.count { !$0.contains("\0") }
        try expect(file.sqlite("SELECT count(*) FROM po_migration; SELECT count(*) FROM person"), "\(count)\n1")
    }

    @Test(arguments: [TransferFormat.jsonLines, .json])
    func `a dangerous string is exported and imported unchanged`(_ format: TransferFormat) throws {
        try withNote { session, file throws in
            try session.save(
                Self.corpus.map { text in
                    let note = Note()
                    (note.text, note.maybe, note.tags) = (text, text, [text])
                    return note
                })
            let url = file.folder.appending(path: "notes")
            try session.store.export(Note.self, to: url, as: format)
            let other = try TemporaryStore()
            let copy = try other.open(configuration: .quiet)
            try copy.import(Note.self, from: url)
            try copy.withSession { _ throws in
                let texts = try Note.query.order(by: \.id).all().dropFirst().map(\.text)
                expect(texts.count, Self.corpus.count)
                for (found, text) in zip(texts, Self.corpus) { #expect(found.utf8.elementsEqual(text.utf8)) }
            }
            try expect(other.sqlite("SELECT count(*), sum(number) FROM note"), "\(Self.corpus.count + 1)|7")
            try Note.where { $0.number == 0 }.delete()
        }
    }

    @Test func `a dangerous string is safe as the file name of a backup or an export`() throws {
        try withNote { session, file throws in
            for text in Self.corpus where !text.contains("\0") && !text.contains("/") {
                let place = file.folder.appending(path: "x" + text)
                try session.store.backup(to: place.path(percentEncoded: false))
                try Store(place.path(percentEncoded: false), configuration: .quiet).withSession { _ throws in
                    try expect(Note.find(1)?.text, "first")
                }
                try session.store.export(Note.self, to: place.appendingPathExtension("json"))
            }
        }
    }
}
