#if PostgreSQL
    import Foundation
    import PersistentObjects
    import PersistentTransfer
    import TestSupport
    import Testing

    final class HitNote: PersistentObject {
        var number = 0
        @Searchable var title = ""
        @Searchable var text: String?
    }

    /// A search on a server finds what it finds in a file.
    @Suite(.onSQLite("one of the stores is a file, the other is on a server")) struct SameHitsTests {
        private func withStores(_ body: (_ file: Store, _ server: Store) throws -> Void) throws {
            let database = try PostgresDatabase()
            let server = try Store(.postgres(database.address()))
            defer { server.close() }
            try withTemporaryStore { file, _ in try body(file, server) }
        }

        private func save(_ notes: [(title: String, text: String?)], _ stores: [Store]) throws {
            for store in stores {
                try store.withSession { session in
                    try session.save(
                        notes.enumerated().map { number, texts in
                            let note = HitNote()
                            (note.number, note.title, note.text) = (number, texts.title, texts.text)
                            return note
                        })
                }
            }
        }

        private func hits(_ searches: [String], _ store: Store) throws -> [[Int]] {
            try store.withSession { _ in
                try searches.map { try HitNote.search($0).order(by: \.number).values(of: \.number) }
            }
        }

        private static let words = [
            "joe@x.org", "joe", "x.org", "org", "Red", "red", "house", "Häuser", "haus", "HÄUSER", "hausers", "C++",
            "don't",
            "crème", "creme", "cre\u{300}me", "brûlée", "Ångström", "angstrom", "Straße", "STRASSE", "ẞ", "İstanbul",
            "istanbul", "ΑΣΑΣ", "ασας", "ασασ", "ήλιος", "ηλιος", "η\u{301}λιος", "Ёлка", "елка", "е\u{308}лка", "й",
            "и",
            "東京タワー", "東京", "ไทย", "한국어", "café-au-lait", "naïve_word", "1.5", "½", "x²", "№7", "a1b2", "👩‍👩‍👧",
            "e-mail",
            "Ởm", "om", "ŀ", "ſoft", "soft", "ﬁn", "fin", "ǅ", "ǆ", "𐐀b", "𐐨B", "a\u{338}b", "ab", "\u{301}ab",
            "\u{E000}k",
            "और", "ка\u{300}", "µ", "μ", "a\u{200D}b", "Ⅷ", "ⅷ", "Ⓐ",
        ]
        private static let marks = [
            " ", " ", " ", ", ", "-", ".", "\n", "/", "", "'", "\u{A0}", " \"", "(", "_", "“", " – ",
        ]

        private func text(_ random: inout SeededGenerator, upTo count: Int) -> String {
            (0..<Int.random(in: 0...count, using: &random)).map { _ in
                (Self.words.randomElement(using: &random) ?? "") + (Self.marks.randomElement(using: &random) ?? "")
            }.joined()
        }

        private func search(_ random: inout SeededGenerator) -> String {
            (0..<Int.random(in: 1...4, using: &random)).map { _ in
                let word = Self.words.randomElement(using: &random) ?? ""
                return switch Int.random(in: 0..<9, using: &random) {
                case 0: String(word.prefix(Int.random(in: 1...3, using: &random))) + "*"
                case 1: "\"\(word) \(Self.words.randomElement(using: &random) ?? "")\""
                case 2: "-\(word)"
                case 3: "OR \(word)"
                case 4: "NOT \(word)*"
                case 5: "\"\(word) \(Self.words.randomElement(using: &random)?.first ?? "a")\"*"
                default: word
                }
            }.joined(separator: " ")
        }

        @Test func `the hits over random rows are those in a file, also after copying`() throws {
            try withStores { file, server in
                var random = SeededGenerator(seed: 44)
                let notes = (0..<Scale.of(5000)).map { _ in
                    let hasText = Bool.random(using: &random)
                    return (text(&random, upTo: 4), hasText ? text(&random, upTo: 12) : nil)
                }
                try save(notes, [file, server])
                let searches = Self.words + (0..<Scale.of(1000)).map { _ in search(&random) }
                let (wanted, found) = (try hits(searches, file), try hits(searches, server))
                for (place, search) in searches.enumerated() where found[place] != wanted[place] {
                    let others = Set(found[place]).symmetricDifference(wanted[place])
                    let example = others.min().map { "\(notes[$0])" } ?? ""
                    let counts = "\(found[place].count) instead of \(wanted[place].count)"
                    Issue.record("\(search.debugDescription): \(counts), \(example)")
                }
                #expect(wanted.count(where: { !$0.isEmpty }) > searches.count / 3)
                let address = try #require(wanted.first)
                #expect(!address.isEmpty && address.count < notes.count)
                // The triggers of the target fill its index.
                try withTemporaryStore { back, _ in
                    try server.copy([HitNote.self], to: back)
                    expect(try hits(searches, back), wanted)
                }
            }
        }

        /// The results of a command line tool, by the number in the first column.
        private func rows(_ output: String) -> [UInt32: Substring] {
            var rows: [UInt32: Substring] = [:]
            for line in output.split(separator: "\n") {
                let parts = line.split(separator: "|", maxSplits: 1)
                if parts.count == 2, let number = UInt32(parts[0]) { rows[number] = parts[1] }
            }
            return rows
        }

        /// SQLite's tables of characters are those of Unicode 6.1. Some characters became letters later, or ceased to be.
        private func isKnown(_ scalar: Unicode.Scalar) -> Bool {
            let changed = Array(0x19B0...0x19C9 as ClosedRange<UInt32>) + [0x1885, 0x1886, 0x1CF2, 0x1CF3]
            let all = [scalar] + scalar.properties.lowercaseMapping.unicodeScalars
            let areKnown = all.allSatisfy { scalar in
                scalar.properties.age.map { ($0.major, $0.minor) <= (6, 1) } == true
            }
            return areKnown && !scalar.properties.isNoncharacterCodePoint && !changed.contains(scalar.value)
        }

        @Test func `each character separates words, continues them or is ignored as in a file`() throws {
            let (database, place) = (try PostgresDatabase(), try TemporaryStore())
            try Store(.postgres(database.address())).close()
            let step = Scale.isFull ? 1 : 37
            let found = rows(
                try database.psql(
                    """
                    SELECT n, array_to_string(po_search_words('q' || chr(n) || 'z'), ' ')
                    FROM generate_series(32, 131071, \(step)) AS n WHERE n NOT BETWEEN 55296 AND 57343
                    """))
            let wanted = rows(
                try place.sqlite(
                    """
                    CREATE VIRTUAL TABLE w USING fts5(t, tokenize='unicode61 remove_diacritics 2');
                    INSERT INTO w (rowid, t) WITH RECURSIVE c(n) AS (
                        SELECT 32 UNION ALL SELECT n + \(step) FROM c WHERE n + \(step) <= 131071
                    ) SELECT n, 'q' || char(n) || 'z' FROM c WHERE n NOT BETWEEN 55296 AND 57343;
                    CREATE VIRTUAL TABLE v USING fts5vocab('w', 'instance');
                    SELECT doc, group_concat(term, ' ') FROM (SELECT doc, term FROM v ORDER BY doc, offset) GROUP BY doc
                    """))
            expect(found.count, wanted.count)
            let others = wanted.keys.sorted().filter { code in
                guard let scalar = Unicode.Scalar(code), isKnown(scalar) else { return false }
                let own = (found[code] ?? "").unicodeScalars
                return !own.elementsEqual((wanted[code] ?? "").unicodeScalars)
            }
            let examples = others.prefix(40).map {
                "\(String($0, radix: 16)): \(found[$0] ?? ""), not \(wanted[$0] ?? "")"
            }
            expect(others.count, 0, "\(examples)")
        }
    }
#endif
