import TestSupport
import Testing

@testable import PersistentObjects

/// Keys of rows without an integer primary key that the session's own writes change.
@Suite(.onSQLite("the row numbers are SQLite's"))
struct GeneratedKeyTests {
    final class Word: PersistentObject {
        override class var tableName: String { "words" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Word.key] }
        var text = ""
        @ReadOnly var key = ""
    }

    /// Another class over the table, whose key is the written column.
    final class Text: PersistentObject {
        override class var tableName: String { "words" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Text.text] }
        var text = ""
    }

    @Test(arguments: ["VIRTUAL", "STORED"])
    func `an object has the generated key of its row after each write`(storage: String) throws {
        let sql = "CREATE TABLE words (text TEXT NOT NULL UNIQUE, key TEXT AS (lower(text)) \(storage) UNIQUE)"
        try SampleFile.with(sql) { session, file throws in
            let words = ["One", "Two", "Three"].map { text in
                let word = Word()
                word.text = text
                return word
            }
            try words[0].save()
            #expect(words[0].key == "one")
            try session.save(words)
            #expect(words.map(\.key) == ["one", "two", "three"])
            try expect(Word.find(key: "two"), words[1])

            words[1].text = "ZWEI"
            try words[1].save()
            #expect(!words[1].isDeleted && words[1].key == "zwei")
            try expect(Word.find(key: "zwei"), words[1])
            let text = try #require(try Text.find(key: "ZWEI"))
            words[1].text = "Deux"
            try words[1].save()
            #expect(text.text == "Deux" && !text.isDeleted && words[1].key == "deux")
            try expect(Text.find(key: "Deux"), text)
            text.text = "DUE"
            try text.save()
            try expect(Word.find(key: "due"), words[1])
            #expect(words[1].text == "DUE" && !words[1].isDeleted)

            try expect(Word.where { $0.key == "due" }.update { $0.text = "Dos" }, 1)
            #expect(!words[1].isDeleted && words[1].key == "dos" && text.text == "Dos" && !text.isDeleted)
            try expect(Word.find(key: "dos"), words[1])
            try expect(Text.find(key: "Dos"), text)
            try expect(file.sqlite("SELECT key FROM words ORDER BY rowid"), "one\ndos\nthree")
        }
    }
}
