import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Hostile strings as values are stored and found unchanged, and none becomes SQL.
struct InjectionTests {
    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        var text = ""
        var maybe: String?
        var number = 0
    }

    /// Two hundred strings: well-known attacks, pieces of SQL in random order, and special Unicode characters.
    static let corpus: [String] = {
        let classics = [
            "", "'", "''", "\"", "`", "\\", "\\'", "--", "/*", "*/", ";", "?", "?1", ":a", "@a", "$a", "%", "_", "%_%",
            "\0",
            "\0\0", "a\0b", "\0'; DROP TABLE note; --", "NULL", "null", "0", "1", "-1", "1e5", "0x10", "TRUE", "x'41'",
            "' OR '1'='1", "' OR 1=1 --", "\" OR \"\"=\"", "'; DROP TABLE note; --", "'); DELETE FROM note; --",
            "1; UPDATE note SET text = 'gone'", "' UNION SELECT * FROM sqlite_schema --", "admin'--", "') OR ('a'='a",
            "'||(SELECT text FROM note)||'", "a' AND 1=randomblob(1000000000) --", "\u{FEFF}text", "\u{202E}txet",
            "é", "e\u{301}", "ﬁ", "ß", "İ", "ı", "\u{0}", "\u{7F}", "\u{85}", "\u{2028}", "\u{FFFD}", "\u{10FFFF}", "👩‍👩‍👧‍👦",
            "日本語", "שלום", "\r\n", "\n", "\t", " ", "  ", "a ", " a", String(repeating: "'", count: 1000),
            String(repeating: "x", count: 200_000), String(repeating: "\"", count: 333), "ʼ", "＇", "Ω", "Ω", "{}", "[]",
        ]
        let pieces = [
            "'", "\"", ";", "--", "DROP TABLE note", "OR 1=1", "/*", "*/", "\0", "é", "(", ")", "?", "\n", "\\", "%",
        ]
        var random = SeededGenerator(seed: 2008)
        var corpus = classics
        while corpus.count < 200 {
            corpus.append(
                (0..<Int.random(in: 2...7, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined(separator: " "))
        }
        // PostgreSQL strings cannot contain a NUL.
        return TestEngine.isPostgres ? corpus.map { $0.replacing("\0", with: "\u{1}") } : corpus
    }()

    @Test func `every hostile string is stored, found by finders of all kinds, and deleted`() throws {
        try withTemporarySession { session, file in
            let notes = Self.corpus.enumerated().map { number, text in
                let note = Note()
                note.text = text
                note.maybe = text
                note.number = number
                return note
            }
            try session.save(notes)
            for (text, note) in zip(Self.corpus, notes) {
                let same = notes.filter { $0.text.utf8.elementsEqual(text.utf8) }
                #expect(try Note.findByText(text) == same)
                #expect(try Note.findBy.maybe(text) == same)
                #expect(try Note.findByCriteria("WHERE text = ? AND number = ?", text, note.number) == [note])
                let count: Int = try Note.countByTextAndMaybe(text, text)
                #expect(count == same.count)
            }
            let read = try session.store.withSession { _ in try Note.all().map(\.text) }
            #expect(
                zip(read, Self.corpus).allSatisfy { $0.utf8.elementsEqual($1.utf8) } && read.count == Self.corpus.count)
            #expect(
                try file.sqlite(
                    "SELECT count(*), count(CASE WHEN text = maybe THEN 1 END), min(number), max(number) FROM note")
                    == "200|200|0|199")
            for text in Self.corpus { try Note.deleteBy.text(text) }
            #expect(try Note.count() == 0)
            #expect(try file.sqlite("SELECT count(*) FROM note") == "0")
            #expect(throws: (any Error).self) { try file.sqlite("SELECT count(*) FROM gone") }
        }
    }

    @Test func `every hostile string survives an update unchanged`() throws {
        try withTemporarySession { session, file in
            let note = Note()
            try note.save()
            for text in Self.corpus {
                note.text = text
                note.maybe = text
                try note.save()
                let read = try session.store.withSession { _ in try #require(try Note.find(1)).text }
                #expect(read.utf8.elementsEqual(text.utf8))
            }
            try expect(file.sqlite("SELECT count(*) FROM note"), "1")
        }
    }

    @Test func `a hostile finder name never becomes SQL`() throws {
        try withTemporarySession { session, file in
            try Note().save()
            let log = statements(of: session) {
                for text in Self.corpus {
                    for name in [
                        text, "findBy\(text)", "findByText\(text)", "findByTextAnd\(text)", "findFirst\(text)ByText",
                    ]
                    // Letters before `By` are a free description and therefore allowed.
                    where !["findByText", "findFirst1ByText"].contains(name)
                        && !(name == "findFirst\(text)ByText" && text.allSatisfy(\.isLetter))
                    {
                        #expect(throws: FinderError.self) { try FinderCall(Note.self, name, [text]).objects() }
                    }
                }
            }
            #expect(log.isEmpty)
            #expect(try file.sqlite("SELECT count(*) FROM note") == "1")
        }
    }
}
