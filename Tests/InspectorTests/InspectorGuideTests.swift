import Foundation
import PersistentInspector
import PersistentObjects
import TestSupport
import Testing

final class Publisher: PersistentObject {
    @Unique var name = ""
    @Inverse(\Book.publisher) var books: [Book] = []
}

final class Book: PersistentObject {
    @Indexed var title = ""
    var year = 0
    var published: Date?
    @Column(scale: 2) var price: Decimal = 0
    var tags: [String] = []
    var publisher: Publisher?
}

/// Runs the commands of Docs/Inspector.md, and compares their output.
struct InspectorGuideTests {
    private static func makeLibrary(_ file: TemporaryStore) throws {
        let store = try file.open(configuration: .init(journal: .rollback))
        try store.withSession { session in
            let (faber, orell) = (Publisher(), Publisher())
            (faber.name, orell.name) = ("Faber", "Orell")
            try session.save([faber, orell])
            for (title, year, publisher) in [
                ("Emma", 1815, faber), ("Persuasion", 1817, faber), ("Heidi", 1880, orell), ("Villette", 1853, faber),
            ] {
                let book = Book()
                (book.title, book.year, book.publisher) = (title, year, publisher)
                book.price = Decimal(year) / 100
                book.tags = year < 1850 ? ["novel", "classic"] : ["novel"]
                book.published = year == 1815 ? Date(timeIntervalSinceReferenceDate: -5_869_584_000) : nil
                try session.save(book)
            }
        }
        store.close()
    }

    /// The words of a command line, in which a word can be in single quotation marks.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        for character in line {
            if character == "'" {
                isQuoted.toggle()
                word = word ?? ""
            } else if character == " ", !isQuoted {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }

    /// `…` matches any text.
    private static func matches(_ text: String, _ pattern: String) -> Bool {
        let parts = pattern.components(separatedBy: "…")
        guard parts.count > 1 else { return text == pattern }
        guard text.hasPrefix(parts[0]), text.hasSuffix(parts[parts.count - 1]) else { return false }
        var rest = text.dropFirst(parts[0].count)
        for part in parts.dropFirst() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }

    @Test func `each command prints the output shown`() throws {
        let file = try TemporaryStore()
        try InspectorGuideTests.makeLibrary(file)
        let copy = file.folder.appending(path: "old.sqlite").path(percentEncoded: false)
        try FileManager.default.copyItem(atPath: file.path, toPath: copy)
        let guide = SwiftCompiler.packageFolder.appending(path: "Docs/Inspector.md")
        let lines = try String(contentsOf: guide, encoding: .utf8).components(separatedBy: "\n")
        var count = 0
        var index = 0
        func block(_ language: String) -> [String]? {
            guard index < lines.count, lines[index] == "```\(language)",
                let end = lines[(index + 1)...].firstIndex(of: "```")
            else { return nil }
            defer { index = end + 1 }
            return Array(lines[(index + 1)..<end])
        }
        while index < lines.count {
            guard let commands = block("sh") else {
                index += 1
                continue
            }
            index += 1
            guard let expected = block("text") else { continue }
            var output: [String] = []
            for command in commands {
                count += 1
                var words = InspectorGuideTests.words(command)
                #expect(words.removeFirst() == "persistent")
                let paths = ["library.sqlite": file.path, "old.sqlite": copy]
                output += try Inspection(words.map { paths[$0] ?? $0 }).lines.map { line in
                    line.replacing(file.path, with: "library.sqlite")
                }
            }
            let isAsShown =
                output.count == expected.count && zip(output, expected).allSatisfy(InspectorGuideTests.matches)
            #expect(isAsShown, "\(commands): \(output.joined(separator: "\n"))")
        }
        #expect(count >= 12)
    }
}
