import TestSupport
import Testing

@testable import PersistentObjects

/// The classes and properties that can be searched.
struct SearchClassTests {
    class Item: PersistentObject {
        override class var tableName: String { "item" }
        @Searchable var name = ""
        @OnDelete(.cascade) @Inverse(\Part.owner) var parts: [Part] = []
    }
    final class Book: Item {
        var author = ""
    }
    final class Part: PersistentObject {
        override class var tableName: String { "part" }
        @Searchable var label = ""
        var owner: Item?
    }
    class Base: PersistentObject {
        override class var isAbstract: Bool { true }
        @Searchable var text = ""
    }
    final class Page: Base {
        override class var tableName: String { "page" }
        @Searchable var heading = ""
    }
    enum Kind: String, Codable { case small, large }
    final class Odd: PersistentObject {
        override class var tableName: String { "o\"d'd" }
        @Lazy @Searchable var large = ""
        @Searchable @Column("co\"l'u.mn") var text: Substring? = nil
        @Searchable var kind = Kind.small
        @Searchable var unindexed = ""
    }

    @Test func `subclasses are found by searches of the superclass and of the subclass itself`() throws {
        try withTemporarySession { session, _ in
            let (item, book) = (Item(), Book())
            (item.name, book.name) = ("red thing", "red book")
            try session.save([item, book])
            try expect(Set(Item.search("red").all()), [item, book])
            try expect(Book.search("red").all(), [book])
            try expect(Book.search("red").where { $0.author == "" }.count(), 1)
            try expect(Book.search("red").snippets(of: \.name).map(\.snippet), ["[red] book"])
            try expect(Book.search("thing").exists(), false)
            try Book.deleteAll()
            try expect(Item.search("red").ids(), [item.id])
        }
    }

    @Test func `searchable properties of an abstract superclass are searched in each table`() throws {
        try withTemporarySession { _, _ throws in
            let page = Page()
            (page.text, page.heading) = ("red", "house")
            try page.save()
            try expect(Page.search("red house").all(), [page])
        }
    }

    @Test func `cascades remove words from the index, also in sessions that have not used the class`() throws {
        let file = try TemporaryStore()
        try file.open().withSession { session throws in
            for name in ["one", "two"] {
                let (item, part) = (Item(), Part())
                (item.name, part.label, part.owner) = (name, "screw", item)
                try session.save([part])
            }
        }
        try file.open().withSession { session throws in
            try session.execute("DELETE FROM item WHERE name = 'one'")
            try expect(session.rows("SELECT count(*) FROM part")[0][0], .integer(1))
        }
        try file.open().withSession { _ throws in
            try expect(Part.search("screw").count(), 1)
            try Item.search("two").single().delete()
            try expect(Part.search("screw").count(), 0)
        }
        _ = try file.sqlite("INSERT INTO part_search (part_search, rank) VALUES ('integrity-check', 1)")
    }

    @Test func `property names with special characters and string-like types can be searched`() throws {
        try withTemporarySession { session, file in
            let odd = Odd()
            (odd.text, odd.large, odd.kind, odd.unindexed) = ("red", "a large house", .large, "yes")
            try odd.save()
            for text in ["red", "house", "large", "yes"] { try expect(Odd.search(text).all(), [odd]) }
            try expect(Odd.search("red").snippets(of: \.text).map(\.snippet), ["[red]"])
            odd.text = "blue"
            try odd.save()
            try expect(Odd.search("red").count(), 0)
            let version = try file.sqlite("PRAGMA schema_version")
            try file.open().prepare(Odd.self)
            try expect(file.sqlite("PRAGMA schema_version"), version)
        }
    }

    private enum Refused {
        final class Number: PersistentObject {
            override class var tableName: String { "t" }
            @Searchable var age = 0
        }
        final class Many: PersistentObject {
            override class var tableName: String { "t" }
            @Searchable var names: [String] = []
        }
        final class Rank: PersistentObject {
            override class var tableName: String { "t" }
            @Searchable var rank = ""
        }
        final class Own: PersistentObject {
            override class var tableName: String { "t" }
            @Searchable var tSearch = ""
        }
        final class Computed: PersistentObject {
            override class var tableName: String { "t" }
            override class var searchable: [AnyKeyPath] { [\Computed.upper] }
            var name = ""
            var upper: String { name.uppercased() }
        }
        final class Sub: Item {
            @Searchable var more = ""
        }
        final class Taken: PersistentObject {
            override class var tableName: String { "t" }
            @Searchable var name = ""
            var search: [String] = []
        }
    }

    @Test func `a property that cannot be searched is refused with class and property`() throws {
        func refusal(_ type: PersistentObject.Type) throws -> String {
            try #require(#expect(throws: SchemaError.self) { try TemporaryStore().open().prepare(type) }).description
        }
        try expect(refusal(Refused.Number.self), "Number.age cannot be searched: it is not stored as a string")
        try expect(refusal(Refused.Many.self), "Many.names cannot be searched: it is not stored as a string")
        #expect(
            try refusal(Refused.Rank.self).hasPrefix("Rank.rank cannot be searched: SQLite reserves the name \"rank\""))
        #expect(try refusal(Refused.Own.self).hasPrefix("Own.tSearch cannot be searched: SQLite reserves the name"))
        try expect(
            refusal(Refused.Sub.self), "Sub.more cannot be searched: a subclass cannot add words to the search of Item")
        #expect(try refusal(Refused.Computed.self).contains("class var searchable names"))
        try expect(
            refusal(Refused.Taken.self),
            "Taken.search and the search of Taken would both be stored in table \"t_search\". "
                + "Override tableName in one of them")
    }
}
