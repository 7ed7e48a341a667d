import Foundation
import StoreEngine
import TestSupport
import Testing

/// `po_fold`, `po_lower`, `po_upper`, `po_count` and `COLLATE po_nocase` bring Swift's string functions to SQL.
@Suite struct TextFunctionTests {
    /// Edge cases of Unicode: sharp s, dotted İ, final sigma, é composed and decomposed, ligatures, Kelvin, Hangul.
    private static let words = [
        "", "a", "A", "Straße", "STRASSE", "strasse", "İstanbul", "istanbul", "i̇stanbul", "ISTANBUL", "ıstanbul",
        "ΟΔΟΣ", "οδος", "οδοσ", "É", "é", "E\u{301}", "e\u{301}", "e", "f", "ez", "EZ", "e\u{301}\u{323}",
        "e\u{323}\u{301}", "ﬁ", "FI", "fi", "\u{212A}", "k", "K", "ǅ", "ǆ", "Ǆ", "\u{AC00}\u{11A8}", "\u{AC01}", "가",
        "\u{1100}\u{1161}", "Ω", "\u{2126}", "ω", "<\u{338}", "\u{226E}", "<", "=", "ДЛЯ", "для", "für", "FÜR", "👍🏽",
        "👍", "a\0B", "A\0b", "a\r\nb", "a\nb", "日本", "\u{301}", "\u{301}a", "z", "Z", "Å", "\u{212B}", "å",
        "\u{1E9E}", "ß", "ŉ", "ʼn", "\u{345}", "Α\u{345}", "ᾳ",
    ]

    /// Returns a random string of such characters.
    private static func random(_ generator: inout SeededGenerator) -> String {
        let scalars = words.joined().unicodeScalars.map { $0 } + "abcABC eE\u{301}\u{323}\u{308}".unicodeScalars
        var text = ""
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            if let scalar = scalars.randomElement(using: &generator) { text.unicodeScalars.append(scalar) }
        }
        return text
    }

    @Test func `po_lower, po_upper and po_count return what Swift returns`() throws {
        try withConnection { connection throws in
            for word in Self.words {
                try expect(connection.value(of: "SELECT po_lower(?)", .text(word)), .text(word.lowercased()))
                try expect(connection.value(of: "SELECT po_upper(?)", .text(word)), .text(word.uppercased()))
                try expect(connection.value(of: "SELECT po_count(?)", .text(word)), .integer(Int64(word.count)))
            }
            try expect(connection.scalar("SELECT po_upper('straße')"), .text("STRASSE"))
            try expect(connection.scalar("SELECT po_count('🇩🇪e' || char(769))"), .integer(2))
        }
    }

    @Test func `po_unaccented removes accents from letters of alphabets and nothing else`() throws {
        let bare = [
            ("Müller", "Muller"), ("Mu\u{308}ller", "Muller"), ("ÀÉÎõü çñ", "AEIou cn"), ("Việt", "Viet"),
            ("Ångström", "Angstrom"),
            ("Άλφα", "Αλφα"), ("йё", "ие"), ("øłßđ", "øłßđ"), ("\u{301}", ""), ("plain", "plain"), ("", ""),
            ("한글", "한글"),
            ("がぎ", "がぎ"), ("हिन्दी", "हिन्दी"), ("שָׁלוֹם", "שָׁלוֹם"), ("日本", "日本"), ("🇩🇪", "🇩🇪"),
        ]
        try withConnection { connection throws in
            for (text, expected) in bare {
                let value = try connection.value(of: "SELECT po_unaccented(?)", .text(text))
                // Compare scalar by scalar, as SQL does.
                guard case .text(let made) = value else {
                    Issue.record("\(value)")
                    continue
                }
                let wanted = expected.precomposedStringWithCanonicalMapping
                expect(Array(made.unicodeScalars), Array(wanted.unicodeScalars), "\(text)")
            }
        }
    }

    @Test func `NULL gives NULL, and values that are not strings stay unchanged`() throws {
        try withConnection { connection throws in
            for name in ["po_fold", "po_lower", "po_upper", "po_unaccented", "po_value"] {
                for value in [.null, .integer(7), .real(1.5), .blob([0xC3, 0x41])] as [DatabaseValue] {
                    #expect(try connection.value(of: "SELECT \(name)(?)", value) == value, "\(name)")
                }
            }
            #expect(try connection.scalar("SELECT po_count(NULL)") == .null)
            let error = try #require(throws: StoreError.self) { _ = try connection.scalar("SELECT po_count(7)") }
            #expect(error.message == "po_count: Argument 1 is INTEGER, expected TEXT")
        }
    }

    @Test(arguments: ["po_fold", "po_lower", "po_upper", "po_unaccented", "po_count"])
    func `a string that is not valid UTF-8 is rejected`(name: String) throws {
        try withConnection { connection throws in
            let error = try #require(throws: StoreError.self) {
                _ = try connection.scalar("SELECT \(name)(CAST(x'41ff' AS TEXT))")
            }
            expect(error.message, "\(name): argument 1: the string is not valid UTF-8")
        }
    }

    @Test func `folded strings are equal exactly if their Swift lowercased forms are equal`() throws {
        try withConnection { connection throws in
            let folded = try Self.words.map { try connection.value(of: "SELECT po_fold(?)", .text($0)) }
            for (a, x) in zip(Self.words, folded) {
                for (b, y) in zip(Self.words, folded) {
                    expect(x == y, a.lowercased() == b.lowercased(), "\(a.debugDescription) \(b)")
                }
            }
        }
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let (a, b) = (Self.random(&generator), Self.random(&generator))
            let areSame = CaseFolding.folded(a).utf8.elementsEqual(CaseFolding.folded(b).utf8)
            guard areSame == (a.lowercased() == b.lowercased()) else {
                Issue.record("\(a.debugDescription) and \(b.debugDescription)")
                return
            }
        }
    }

    @Test func `case folding of well-known special letters follows Swift's lowercased()`() throws {
        try withConnection { connection throws in
            func areSame(_ a: String, _ b: String) throws -> Bool {
                try connection.value(of: "SELECT po_fold(?) = po_fold(?)", .text(a), .text(b)) == .integer(1)
            }
            #expect(try areSame("MÜLLER", "müller"))
            #expect(try areSame("É", "e\u{301}"), "composed and decomposed")
            #expect(try !areSame("Straße", "STRASSE"), "Swift's lowercased() keeps ß")
            #expect(try !areSame("İ", "i"), "it becomes i and a dot above")
            #expect(try !areSame("ς", "σ"), "Swift's lowercased() knows no final sigma")
            #expect(try areSame("\u{212A}", "k"), "the sign for Kelvin")
        }
    }

    @Test func `characters that are assumed to be composed are composed`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), CaseFolding.isInert(scalar) else { continue }
            let text = String(scalar)
            let composed = text.precomposedStringWithCanonicalMapping
            let isMark = [.nonspacingMark, .spacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
            if !composed.utf8.elementsEqual(text.utf8) || isMark { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    @Test func `po_nocase sorts like Swift's lowercased strings`() throws {
        func expected(_ a: String, _ b: String) -> String {
            let (x, y) = (a.lowercased(), b.lowercased())
            return x == y ? "=" : x < y ? "<" : ">"
        }
        try withConnection { connection throws in
            let sql = """
                SELECT CASE WHEN ?1 = ?2 COLLATE po_nocase THEN '=' WHEN ?1 < ?2 COLLATE po_nocase THEN '<' ELSE '>' END
                """
            for a in Self.words {
                for b in Self.words {
                    let found = try connection.value(of: sql, .text(a), .text(b))
                    expect(found, .text(expected(a, b)), "\(a.debugDescription) and \(b.debugDescription)")
                }
            }
            var generator = SeededGenerator(seed: 2)
            for _ in 0..<20_000 {
                let prefix = ["", "Ab", "x", "\u{C9}\u{E9}"].randomElement(using: &generator) ?? ""
                let (a, b) = (prefix + Self.random(&generator), prefix.lowercased() + Self.random(&generator))
                guard try connection.value(of: sql, .text(a), .text(b)) == .text(expected(a, b)) else {
                    Issue.record("\(a.debugDescription) and \(b.debugDescription)")
                    return
                }
            }
        }
    }

    @Test func `strings that are not valid UTF-8 are sorted as well`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x COLLATE po_nocase)")
            try connection.run(
                "INSERT INTO t VALUES (CAST(x'ff' AS TEXT)), (CAST(x'41c3' AS TEXT)), ('a'), ('B'), (''), ('é')")
            let sql = "SELECT group_concat(hex(x), ' ') FROM (SELECT x FROM t ORDER BY x)"
            try expect(connection.scalar(sql), .text(" 61 41C3 42 C3A9 FF"))
        }
    }

    @Test func `comparisons use an index with the collation`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x)")
            try connection.run("CREATE INDEX i ON t (x COLLATE po_nocase)")
            try connection.run("INSERT INTO t VALUES ('Müller'), ('MÜLLER'), ('mueller'), (NULL)")
            let sql = "SELECT count(*) FROM t WHERE x = 'müller' COLLATE po_nocase"
            try expect(connection.scalar(sql), .integer(2))
            let plan = try connection.prepare(SQL(raw: "EXPLAIN QUERY PLAN " + sql))
            #expect(try plan.step())
            #expect(try plan.column(3).text().contains("USING COVERING INDEX i"))
        }
    }
}
