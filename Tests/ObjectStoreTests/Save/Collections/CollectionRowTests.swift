import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Saves of sets and dictionaries: elements that are equal in memory are not encoded, and no difference is missed.
@Suite struct CollectionRowTests {
    /// A name whose case is significant in Swift and not in the file.
    struct Name: RawRepresentable, Codable, Hashable {
        var text: String
        init(_ text: String) { self.text = text }
        init(rawValue: String) { text = rawValue }
        var rawValue: String { text.lowercased() }
        static func == (a: Name, b: Name) -> Bool { a.text == b.text }
        func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }

    final class List: PersistentObject {
        override class var tableName: String { "list" }
        var title = ""
        var prices: [String: Int] = [:]
        var amounts: [Double: Double] = [:]
        var words: Set<String> = []
        var numbers: Set<Double> = []
        var names: [Name: Int] = [:]
        var nameSet: Set<Name> = []
        var pages: [URL: Int] = [:]
        var tokens: [UUID: String] = [:]
        var perhaps: [Int: String]?
    }

    private func writes(_ session: Session, _ body: () throws -> Void) throws -> [String] {
        CollectionOwners.writes(try statements(of: session, body)).filter { !["BEGIN", "COMMIT"].contains($0) }
    }

    private func bytes(_ texts: Set<String>) -> Set<[UInt8]> { Set(texts.map { Array($0.utf8) }) }

    @Test(arguments: SeededGenerator.seeds(12))
    func `after random edits and saves, the file matches the collections`(seed: UInt64) throws {
        try withTemporaryStore { store, _ throws in
            var random = SeededGenerator(seed: seed)
            func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
            func text() -> String { ["é", "e\u{301}", "e", "", "a\u{0}b"][number(5)] + "\(number(12))" }
            try store.withSession { session in
                let list = List()
                list.prices = Dictionary((0..<number(40)).map { (text(), $0) }, uniquingKeysWith: +)
                list.words = Set(list.prices.keys)
                try list.save()
                for _ in 0..<6 {
                    for _ in 0..<number(5) {
                        switch number(6) {
                        case 0: list.prices[text()] = number(9)
                        case 1: list.prices[text()] = nil
                        case 2: list.words.insert(text())
                        case 3: list.words.remove(text())
                        // The exact key, not an equal one.
                        case 4:
                            let key = text()
                            list.prices[key] = nil
                            list.prices[key] = 1
                        default:
                            let word = text()
                            list.words.remove(word)
                            list.words.insert(word)
                        }
                    }
                    try list.save()
                    try store.withSession { _ in
                        let read = try #require(try List.first())
                        #expect(read.prices == list.prices && read.words == list.words)
                        expect(bytes(Set(read.prices.keys)), bytes(Set(list.prices.keys)))
                        expect(bytes(read.words), bytes(list.words))
                    }
                }
            }
        }
    }

    @Test(.onSQLite("the bytes are asked of SQLite's tool"))
    func `a key with other bytes replaces the equal key`() throws {
        try withTemporarySession { session, file throws in
            let list = List()
            (list.prices, list.words, list.numbers) = (["é": 1, "x": 2], ["é", "x"], [0, 1])
            list.amounts = [0: 1, 2: 0]
            try list.save()
            list.prices = ["e\u{301}": 1, "x": 2]
            list.words = ["e\u{301}", "x"]
            try expect(writes(session) { try list.save() }, ["DELETE", "INSERT", "DELETE", "INSERT"])
            try expect(file.sqlite("SELECT hex(key), value FROM list_prices ORDER BY 1"), "65CC81|1\n78|2")
            try expect(file.sqlite("SELECT hex(value) FROM list_words ORDER BY 1"), "65CC81\n78")
            // An element that is equal in Swift but has other bytes.
            list.amounts[2] = -0.0
            try expect(writes(session) { try list.save() }, ["UPDATE"])
            #expect(!list.hasChanges)
        }
    }

    @Test func `an element that no column can hold is an error, and nothing is written`() throws {
        try withTemporarySession { session, file throws in
            let list = List()
            list.amounts = [1: 1, 2: 2]
            list.numbers = [1, 2]
            try list.save()
            list.amounts[1] = .nan
            #expect(throws: StoreError.self) { try list.save() }
            list.amounts = [1: 1, .nan: 2]
            #expect(throws: StoreError.self) { try list.save() }
            list.amounts = [1: 1, 2: 2]
            list.numbers.insert(.nan)
            let error = #expect(throws: StoreError.self) { try list.save() }
            #expect(error?.property == "numbers" && error?.rowID == list.id)
            try expect(file.sqlite("SELECT count(*), sum(value) FROM list_amounts"), "2|3.0")
            try expect(file.sqlite("SELECT count(*), sum(value) FROM list_numbers"), "2|3.0")
            list.numbers.remove(.nan)
            list.numbers = [2, 1]
            #expect(try writes(session) { try list.save() }.isEmpty)
        }
    }

    @Test func `two keys with the same column value are refused, even if only one is new`() throws {
        try withTemporarySession { session, file throws in
            let list = List()
            list.names = [Name("a"): 1, Name("b"): 2]
            list.nameSet = [Name("a")]
            let base = try #require(URL(string: "http://example.org/"))
            let (whole, part) = (
                try #require(URL(string: "http://example.org/x")), try #require(URL(string: "x", relativeTo: base))
            )
            list.pages = [whole: 1]
            try list.save()
            list.names[Name("A")] = 3
            let error = #expect(throws: StoreError.self) { try list.save() }
            #expect(error?.property == "names" && error?.description.contains("same value in their column") == true)
            list.names[Name("A")] = nil
            list.nameSet.insert(Name("A"))
            #expect(throws: StoreError.self) { try list.save() }
            list.nameSet.remove(Name("A"))
            if part != whole {
                list.pages[part] = 2
                #expect(throws: StoreError.self) { try list.save() }
                list.pages[part] = nil
            }
            // Replacing one by the other changes no key in the file.
            list.names[Name("a")] = nil
            list.names[Name("A")] = 4
            try list.save()
            #expect(try file.sqlite("SELECT key, value FROM list_names ORDER BY key") == "a|4\nb|2")
            #expect(try file.sqlite("SELECT count(*) FROM list_pages") == "1")
        }
    }

    @Test func `each single change is one statement`() throws {
        try withTemporarySession { session, file throws in
            let list = List()
            list.tokens = Dictionary(uniqueKeysWithValues: (0..<20).map { (UUID(), "\($0)") })
            list.prices = Dictionary(uniqueKeysWithValues: (0..<1000).map { ("key \($0)", $0) })
            try list.save()
            list.prices["key 500"] = -1
            try expect(writes(session) { try list.save() }, ["UPDATE"])
            list.prices["another"] = 1
            try expect(writes(session) { try list.save() }, ["INSERT"])
            list.prices["key 3"] = nil
            try expect(writes(session) { try list.save() }, ["DELETE"])
            list.tokens[UUID()] = "new"
            try expect(writes(session) { try list.save() }, ["INSERT"])
            list.perhaps = [1: "a"]
            try list.save()
            try expect(file.sqlite("SELECT key, value FROM list_perhaps"), "1|a")
            list.perhaps = nil
            try list.save()
            try expect(file.sqlite("SELECT count(*) FROM list_perhaps"), "0")
        }
    }
}
