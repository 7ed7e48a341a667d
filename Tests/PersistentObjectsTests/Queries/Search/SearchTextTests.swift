import TestSupport
import Testing

@testable import PersistentObjects

/// Any text that a user types becomes a valid FTS5 query.
struct SearchTextTests {
    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        @Searchable var title = ""
    }

    @Test(arguments: [
        ("red", #"("red")"#), ("red house", #"("red" AND "house")"#), ("red AND house", #"("red" AND "house")"#),
        ("smi*", #"("smi"*)"#.replacing("smi", with: "smi*")), (#""red house""#, #"("red house")"#),
        (#""red ho"*"#, #"("red ho"*)"#), (#""red house"#, #"("red house")"#), ("“red house„", #"("red house")"#),
        (#"a"b c"d"#, #"("a" AND "b c" AND "d")"#), ("a -b", #"(("a") NOT ("b"))"#),
        ("a NOT b -c", #"(("a") NOT ("b" OR "c"))"#), ("-b a", #"(("a") NOT ("b"))"#),
        ("a OR b c", #"("a") OR ("b" AND "c")"#), ("a OR -b", #"("a")"#), ("a - b", #"("a" AND "b")"#),
        ("a NOT OR b", #"("a") OR ("b")"#), ("a NOT", #"("a")"#), ("a -OR", #"(("a") NOT ("OR"))"#),
        ("or not and", #"("or" AND "not" AND "and")"#),
        ("title:a", #"("title:a")"#), ("a^2 + {b c}: NEAR(d)", #"("a^2" AND "{b" AND "c}:" AND "NEAR(d)")"#),
        ("C++ & D", #"("C++" AND "D")"#), ("a\0b", #"("a" AND "b")"#), ("\"a\0b\"", #"("a b")"#),
        ("it's; DROP TABLE note --", #"("it's;" AND "DROP" AND "TABLE" AND "note")"#), ("-", #""""#), ("", #""""#),
        ("\u{301}", #""""#), ("x\u{301}", "(\"x\u{301}\")"), ("²", "(\"²\")"),
    ])
    func `words are quoted, and only documented operators have a meaning`(_ text: String, _ query: String) {
        expect(SearchText(text).query, query)
    }

    @Test func `no search text causes an error of the database`() throws {
        try withTemporarySession { session, _ in
            let note = Note()
            note.title = "red house, it's 10% of C++ (or not) \"quoted\""
            try note.save()
            var random = SeededGenerator(seed: 7)
            let pieces = [
                "red", "house", "OR", "AND", "NOT", "NEAR", "-", "\"", "*", "(", ")", "^", ":", "{", "}", "+", " ", " ",
                "\0", "'", ";", "--", "“", "é", "東", "🎉", "\u{301}", "\u{FFFD}", "\n", "title", "rank", ",", "\\",
                "\u{10FFFF}", "\u{E000}", "1", "%", "\u{200D}", "\u{FEFF}",
            ]
            for _ in 0..<(TestEngine.isPostgres ? 600 : 3000) {
                let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                    pieces.randomElement(using: &random) ?? ""
                }.joined()
                #expect(throws: Never.self, "\(text.debugDescription)") { _ = try Note.search(text).count() }
            }
            for _ in 0..<(TestEngine.isPostgres ? 200 : 1000) {
                let scalars = (0..<Int.random(in: 0...20, using: &random)).compactMap { _ in
                    Unicode.Scalar(
                        UInt32.random(in: 0...(Bool.random(using: &random) ? 0x7F : 0x10FFFF), using: &random))
                }
                let text = String(String.UnicodeScalarView(scalars))
                #expect(throws: Never.self, "\(text.debugDescription)") { _ = try Note.search(text).ids() }
            }
            #expect(try Note.search("house").count() == 1)
        }
    }

    @Test func `a search can have up to 1000 words`() throws {
        try withTemporarySession { session, _ in
            try Note().save()
            for separator in [" ", " OR ", " -"] {
                let words = (1...1000).map { "w\($0)" }
                let text = words.joined(separator: separator)
                #expect(try Note.search(text).count() == 0)
                let error = #expect(throws: QueryError.self) { try Note.search("more " + text).count() }
                #expect(error?.description.contains("The search has 1001 words, but at most 1000 are allowed") == true)
            }
            #expect(try Note.search(String(repeating: "long", count: 100_000)).count() == 0)
            #expect(try Note.search("\"" + String(repeating: "a ", count: 20_000) + "\"").count() == 0)
        }
    }
}
