import Foundation
import StoreEngine
import TestSupport
import Testing

/// What `REGEXP` and `contains` skip is exactly what the slow way does not find.
@Suite struct PatternLiteralsTests {
    @Test(
        arguments: [
            ("^abc", "abc"), ("^S.*burg$", "S"), ("^ab*c", "a"), ("^ab+", "a"), ("^ab?c", "a"), ("^ab{2}", "a"),
            ("^ab(c)", "a"), ("^ab[c]", "a"), ("^ab\\d", "a"), ("^a$", "a"), ("^Ä é", "Ä é"), ("abc", ""), ("^", ""),
            ("", ""), ("^a|b", ""), ("^(a)", ""), ("^*a", ""), ("^?a", ""), ("^.a", ""), ("(?i)^abc", ""),
            ("^(?i)abc", ""), ("^ab(?i)c", "a"), ("^\\Qa*\\E", ""), ("^^a", ""), ("^a.b", "a"), ("^a\0b", ""),
            ("^👍🏽+", "👍"), ("^é\u{301}*", "é"), ("^a\nb", "a\nb"), ("^a}", ""), ("^ab]", "a"),
        ] as [(String, String)])
    func `the prefix of a pattern`(pattern: String, prefix: String) {
        expect(Array(PatternLiterals(pattern).prefix.unicodeScalars), Array(prefix.unicodeScalars))
    }

    @Test(arguments: [("^ab(", false), ("^ab**c", false), ("^ab", true), ("ab", false), ("^a)|(b", false)])
    func `only a valid pattern has a prefix for an index`(pattern: String, isUseful: Bool) {
        let isValid = (try? NSRegularExpression(pattern: pattern)) != nil
        expect(PatternLiterals.havePrefix(pattern), isUseful && isValid)
    }

    private static let words = [
        "^", "a", "b", "B", "ab", "é", "e\u{301}", "k", "\u{212A}", "\u{10FFFF}", "\u{D7FF}", " ", "\n", ".", ".*",
        ".+?", "*", "+", "?", "$", "(a|b)", "|", "[ab]", "\\d", "\\Qa*\\E", "(?i)", "(?m)", "(?x) ", "(?s)", "{2}",
        "(?#x)", "(?:ab)*", "(?=b)", "\\b", "#", "-", "]", "}",
    ]
    private static let letters = ["a", "b", "B", "A", "é", "e", "\u{301}", "k", "K", "\u{212A}", " ", "\n", "1", "*"]

    @Test(arguments: SeededGenerator.seeds(8))
    func `random patterns are found as ICU finds them, with and without their range`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func random(_ parts: [String], _ count: Int) -> String {
            (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
        }
        try withConnection { connection throws in
            for _ in 0..<400 {
                let isAnchored = Bool.random(using: &generator)
                let words = Bool.random(using: &generator) ? Self.words : ["a", "b", "B", "1", ".*", ".*", "k"]
                let end = Int.random(in: 0..<4, using: &generator) == 0 ? "$" : ""
                let pattern =
                    (isAnchored ? "^" : "") + random(words, Int.random(in: 0...5, using: &generator)) + end
                guard let expression = try? NSRegularExpression(pattern: pattern.isEmpty ? "(?:)" : pattern) else {
                    continue
                }
                for _ in 0..<12 {
                    let text = random(Self.letters, Int.random(in: 0...6, using: &generator))
                    let range = NSRange(location: 0, length: text.utf16.count)
                    let isFound = expression.firstMatch(in: text, range: range) != nil
                    let expected = DatabaseValue.integer(isFound ? 1 : 0)
                    let values: [DatabaseValue] = [.text(text), .text(pattern)]
                    let found = try connection.value(of: "SELECT ?1 REGEXP ?2", values[0], values[1])
                    #expect(found == expected, "\(pattern.debugDescription) in \(text.debugDescription)")
                    let ranged = try connection.value(
                        of: """
                            SELECT ?1 >= po_pattern_bound(?2, 0) AND ?1 < po_pattern_bound(?2, 1) AND ?1 REGEXP ?2
                            """, values[0], values[1])
                    #expect(ranged == expected, "\(pattern.debugDescription) in \(text.debugDescription)")
                }
            }
        }
    }

    @Test func `a damaged text is an error whether or not it has the literal part`() throws {
        try withConnection { connection throws in
            for text in ["CAST(x'FF' AS TEXT)", "CAST(x'62FF' AS TEXT)"] {
                #expect(throws: StoreError.self) { try connection.scalar("SELECT \(text) REGEXP 'b'") }
                #expect(throws: StoreError.self) { try connection.scalar("SELECT po_contains(\(text), 'b')") }
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds(8))
    func `po_contains is instr of the folded text`(seed: UInt64) throws {
        let letters =
            Self.letters + [
                "S", "s", "ß", "İ", "i", "I", "ı", "Σ", "ς", "σ", "Å", "\u{212B}", "\u{37E}", ";", "ﬁ", "한", "\0",
            ]
        var generator = SeededGenerator(seed: seed)
        func random(_ count: Int) -> String {
            (0..<count).map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
        }
        try withConnection { connection throws in
            for _ in 0..<1500 {
                let text = random(Int.random(in: 0...9, using: &generator))
                var needle = random(Int.random(in: 0...3, using: &generator))
                // Needles of queries are folded; po_contains takes others, too.
                if Int.random(in: 0..<4, using: &generator) > 0 { needle = CaseFolding.folded(needle) }
                let (one, other) = (DatabaseValue.text(text), DatabaseValue.text(needle))
                try expect(
                    connection.value(of: "SELECT po_contains(?1, ?2)", one, other),
                    connection.value(of: "SELECT instr(po_fold(?1), ?2) > 0", one, other),
                    "\(needle.debugDescription) in \(text.debugDescription)")
            }
            for (text, needle) in [(DatabaseValue.null, DatabaseValue.text("a")), (.text("a"), .null), (.null, .null)] {
                try expect(connection.value(of: "SELECT po_contains(?, ?)", text, needle), .null)
            }
            #expect(throws: StoreError.self) { try connection.scalar("SELECT po_contains(7, 'a')") }
            #expect(throws: StoreError.self) { try connection.scalar("SELECT po_contains('a', x'00')") }
        }
    }
}
