import Foundation
import TestSupport
import Testing

@testable import StoreEngine

/// Splits SQL text into tokens as SQLite does.
struct SQLTokensTests {
    private func tokens(_ text: String) -> [(SQLTokens.Kind, String)] {
        var tokens = SQLTokens(Array(text.utf8))
        var all: [(SQLTokens.Kind, String)] = []
        while let token = tokens.next() { all.append((token.kind, tokens.text(token.range))) }
        return all
    }

    private static let singles: [(String, SQLTokens.Kind)] = [
        ("name", .word), ("_n$1é", .word), ("'a''b;--'", .text), ("x'00'", .text), ("\"a\"\"b\"", .quotedName),
        ("`a``b`", .quotedName), ("[a\"b]", .quotedName), ("12.5e-3", .number), (".5", .number), ("0x1F", .number),
        ("?12", .placeholder), (":a", .placeholder), ("@a", .placeholder), ("$a", .placeholder), ("-- x 'y", .comment),
        ("/* ; ' */", .comment), ("/* open", .comment), (" \t\n\u{0C}\r", .space), ("\u{FEFF}", .space),
        ("'open", .other), ("[open", .other), (";", .semicolon), (".", .dot), (",", .comma), ("(", .open),
        (")", .close),
        ("\0", .other),
    ]

    @Test(arguments: singles)
    func `each kind of token is recognized`(text: String, kind: SQLTokens.Kind) {
        let all = tokens(text)
        #expect(all.count == 1 && all[0].0 == kind && all[0].1 == text)
    }

    @Test func `names are read without their quotes`() {
        for (text, name) in [
            ("a", "a"), ("\"a\"\"\"\"b\"", "a\"\"b"), ("`a``b`", "a`b"), ("[a]", "a"), ("[[a]", "[a"), ("\"\"", ""),
        ] {
            var tokens = SQLTokens(Array(text.utf8))
            let token = tokens.next()
            expect(token.flatMap { tokens.name($0) }, name)
        }
    }

    @Test func `the tokens of any text add up to the text`() {
        var random = SeededGenerator(seed: 1)
        let parts = [
            "'", "\"", "`", "[", "]", "-", "--", "/", "*", "/*", "é", "\0", "\n", ".", "1e", "x'", "?", "a", "\u{FEFF}",
        ]
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }
            .joined()
            #expect(tokens(text).map(\.1).joined().utf8.elementsEqual(text.utf8))
        }
    }
}
