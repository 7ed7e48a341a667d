import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Case-insensitive and accent-insensitive conditions on strings, and `none { }`.
struct IgnoringCaseTests {
    final class Note: PersistentObject {
        override class var tableName: String { "case_note" }
        var text = ""
        var title: String?
        var others: [Note] = []
        var named: [String: Note] = [:]
    }

    private let texts = [
        "", "Abc", "aBC", "abcd", "ÄÖ", "äö", "xÄö", "日本", "%b", "A_C", "ΑΒΓ", "αβγ", "ábć", "Ao", "άβγ",
    ]

    private func notes(_ session: Session, _ random: inout SeededGenerator) throws -> [Note] {
        let notes = (0..<40).map { _ in
            let note = Note()
            note.text = texts.randomElement(using: &random) ?? ""
            note.title = Bool.random(using: &random) ? texts.randomElement(using: &random) : nil
            return note
        }
        for note in notes {
            note.others = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
                notes.randomElement(using: &random)
            }
            if Bool.random(using: &random) { note.named["a"] = notes.randomElement(using: &random) }
        }
        try session.save(notes)
        return notes.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
    }

    /// Folds with Foundation, which is independent of the library.
    private func plain(_ text: String) -> String {
        text.lowercased().folding(options: .diacriticInsensitive, locale: nil)
    }

    private func check(
        _ all: [Note], _ condition: (Columns<Note>) -> Condition, _ filter: (Note) -> Bool,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        try expect(Note.where(condition).all(), all.filter(filter), sourceLocation: location)
        try expect(Note.where { !condition($0) }.all(), all.filter { !filter($0) }, sourceLocation: location)
    }

    @Test(arguments: SeededGenerator.seeds(3)) func `conditions find the same objects as Swift filters`(seed: UInt64)
        throws
    {
        try withTemporarySession { session, _ throws in
            var random = SeededGenerator(seed: seed)
            let all = try notes(session, &random)
            for part in ["", "a", "ABC", "Ä", "äÖ", "c", "%", "_", "日", "γ"] {
                let small = part.lowercased()
                try check(
                    all, { $0.text.isEqual(to: part, ignoringCase: true) }, { $0.text.lowercased() == small })
                try check(all, { $0.text.isEqual(to: part, ignoringCase: false) }, { $0.text == part })
                try check(
                    all, { $0.title.hasPrefix(part, ignoringCase: true) },
                    { $0.title?.lowercased().hasPrefix(small) ?? false })
                try check(
                    all, { $0.title.hasSuffix(part, ignoringCase: true) },
                    { $0.title?.lowercased().hasSuffix(small) ?? false })
                try check(
                    all, { $0.title.contains(part, ignoringCase: true) },
                    { $0.title.map { part.isEmpty || $0.lowercased().contains(small) } ?? false })
                let bare = plain(part)
                try check(
                    all, { $0.text.isEqual(to: part, ignoringCase: true, ignoringAccents: true) },
                    { plain($0.text) == bare })
                try check(
                    all, { $0.text.isEqual(to: part, ignoringCase: false, ignoringAccents: true) },
                    {
                        $0.text.folding(options: .diacriticInsensitive, locale: nil)
                            == part.folding(options: .diacriticInsensitive, locale: nil)
                    })
                try check(
                    all, { $0.title.hasPrefix(part, ignoringCase: true, ignoringAccents: true) },
                    { $0.title.map { plain($0).hasPrefix(bare) } ?? false })
                try check(
                    all, { $0.title.hasSuffix(part, ignoringCase: true, ignoringAccents: true) },
                    { $0.title.map { plain($0).hasSuffix(bare) } ?? false })
                try check(
                    all, { $0.title.contains(part, ignoringCase: true, ignoringAccents: true) },
                    { $0.title.map { bare.isEmpty || plain($0).contains(bare) } ?? false })
                try check(
                    all, { $0.text.withoutAccents() < part },
                    { note in
                        note.text.folding(options: .diacriticInsensitive, locale: nil).utf8
                            .lexicographicallyPrecedes(part.utf8)
                    })
                try check(
                    all, { $0.others.none { $0.text.hasPrefix(part, ignoringCase: true) } },
                    { !$0.others.contains { $0.text.lowercased().hasPrefix(small) } })
                try check(
                    all, { $0.named.none { $0.title == nil } }, { !$0.named.values.contains { $0.title == nil } })
            }
        }
    }

    @Test func `typed finders can ignore case and accents`() throws {
        try withTemporarySession { session, _ throws in
            for text in ["Müller", "muller", "Mueller", "MÜLLER-Lüdenscheidt"] {
                let note = Note()
                note.text = text
                try note.save()
            }
            let both = try Note.findBy.text(ignoringCase: "muller", ignoringAccents: true)
            expect(both.map(\.text), ["Müller", "muller"])
            try expect(Note.findBy.text(containing: "uller", ignoringAccents: true).count, 2)
            try expect(Note.countBy.text(startingWith: "MÜL", ignoringCase: true, ignoringAccents: true), 3)
            try expect(Note.countBy.text(endingWith: "Ludenscheidt", ignoringAccents: true), 1)
            try expect(Note.countBy.text(endingWith: "Ludenscheidt"), 0)
        }
    }
}
