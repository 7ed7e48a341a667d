import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Differences between a class and an existing table: one error lists all of them, and the file stays unchanged.
struct DifferenceTests {
    private func differences(
        _ sql: String, _ type: PersistentObject.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        let file = try TemporaryStore()
        _ = try file.sqlite(sql)
        let before = try file.sqlite(".dump")
        let store = try file.open()
        let error = try #require(throws: SchemaError.self, sourceLocation: sourceLocation) {
            try store.withSession { session throws in _ = try session.space(of: type) }
        }
        try expect(file.sqlite(".dump"), before, sourceLocation: sourceLocation)
        guard case .tableDiffers(_, let table, let differences) = error else {
            Issue.record("\(error)", sourceLocation: sourceLocation)
            return []
        }
        #expect(error.description.contains(table) && differences.allSatisfy { error.description.contains($0) })
        return differences
    }

    final class Item: PersistentObject {
        override class var tableName: String { "Items" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Item.code] }
        override class var indexes: [Index] { [Index("title", "code", unique: true)] }
        @Column("Code") var code = ""
        @Unique @Column("Title") var title = ""
        @Indexed @Column("Rank") var rank = 0
        @Column("Pric") var price = 0.0
        @Column("Sum") var sum = 0
        @Column("ItemID") var number = 0
        @Column("Zip") var zip = ""
        @Column("Count") var count = 0
    }

    @Test func `one error lists all differences, and the file stays unchanged`() throws {
        let found = try differences(
            """
            CREATE TABLE Items (ItemID INTEGER PRIMARY KEY, Code TEXT, Title TEXT, Rank INT, Price REAL,
                Sum INT AS (Rank * 2), Zip NUMERIC, Count TEXT)
            """, Item.self)
        let wanted = [
            "price: there is no column Pric (did you mean Price?)", "sum: the column Sum is generated",
            "number: the column ItemID is the id", "zip: the column Zip is NUMERIC, which converts the string 007 to 7",
            "count: the column Count is TEXT, which sorts numbers as strings",
            "primaryKey: there is no primary key or unique index on Code", "no unique index on Title,",
            "no unique index on Title, Code",
            "There is no index on Rank",
        ]
        for text in wanted { #expect(found.contains { $0.contains(text) }, "\(text) in \(found)") }
        expect(found.count, wanted.count, "\(found)")
    }

    @Test func `a missing table, a view and a table without row numbers are errors that name the remedy`() throws {
        #expect(try differences("CREATE TABLE Other (x)", Item.self)[0].contains("no such table"))
        let view = try differences("CREATE VIEW Plain AS SELECT 1 AS Name", Plain.self)
        #expect(view.count == 2 && view[0].contains("isReadOnly") && view[1].contains(".existing(id:"))
        let keyed = try differences("CREATE TABLE Plain (Name TEXT PRIMARY KEY) WITHOUT ROWID", Plain.self)
        #expect(keyed.count == 1 && keyed[0].contains("WITHOUT ROWID"))
        let hidden = try differences("CREATE TABLE Plain (Name TEXT, rowid TEXT)", Plain.self)
        #expect(hidden.count == 1 && hidden[0].contains("hides"))
    }

    final class Plain: PersistentObject {
        override class var tableName: String { "Plain" }
        override class var origin: TableOrigin { .existing }
        @Column("Name") var name: String?
    }

    final class Numbered: PersistentObject {
        override class var tableName: String { "Plain" }
        override class var origin: TableOrigin { .existing(id: "Nr") }
        @Column("Name") var name: String?
    }

    @Test func `the id column must exist, hold integers and be unique`() throws {
        #expect(try differences("CREATE TABLE Plain (Name TEXT)", Numbered.self)[0].contains("no column Nr"))
        let text = try differences("CREATE TABLE Plain (Name TEXT, Nr TEXT UNIQUE)", Numbered.self)
        #expect(text.count == 1 && text[0].contains("is TEXT"))
        let several = try differences("CREATE TABLE Plain (Name TEXT, Nr INT)", Numbered.self)
        #expect(several.count == 1 && several[0].contains("unique index"))
    }

    final class Child: PersistentObject {
        override class var tableName: String { "Child" }
        override class var origin: TableOrigin { .existing }
        @Column("Parent") var parent: Plain? = nil
        @Column("Item", and: "Other") var item: Item?
    }

    @Test func `references must match the table's foreign keys and the number of key columns`() throws {
        let parents = """
            CREATE TABLE Plain (Name TEXT); CREATE TABLE Others (x INTEGER PRIMARY KEY);
            CREATE TABLE Items (ItemID INTEGER PRIMARY KEY, Code TEXT UNIQUE);
            """
        let found = try differences(
            parents + "CREATE TABLE Child (Parent TEXT REFERENCES Others (x), Item TEXT, Other TEXT)", Child.self)
        #expect(found.contains { $0.contains("parent: the column Parent is TEXT") }, "\(found)")
        #expect(found.contains { $0.contains("refers to the table others") }, "\(found)")
        let file = try TemporaryStore()
        _ = try file.sqlite(
            """
            CREATE TABLE Plain (Name TEXT); CREATE TABLE Child (Parent INT, Item TEXT, Other TEXT);
            CREATE TABLE Items (ItemID INTEGER PRIMARY KEY, Code TEXT UNIQUE, Title TEXT UNIQUE, Rank INT, Pric REAL,
                Sum INT, Zip TEXT, Count INT); CREATE INDEX r ON Items (Rank)
            """)
        #expect(throws: SchemaError.self) { try file.open().withSession { _ throws in _ = try Child.all() } }
    }

    enum Wrong {
        class Base: PersistentObject {
            override class var tableName: String { "Base" }
            override class var origin: TableOrigin { .existing }
            var name = ""
        }
        final class Sub: Base { var more = "" }
        final class Full: PersistentObject {
            override class var tableName: String { "Full" }
            override class var origin: TableOrigin { .existing }
            override class var identity: Identity { .uuid }
            override class var softDeletes: Bool { true }
            override class var formerTableNames: [String] { ["Empty"] }
            var deletedAt: Date?
            var tags: [String] = []
            @Searchable var text = ""
            @Column("a", renamedFrom: "b") var former = 0
            @Column("twice") var one = 0
            @Column("twice") var two = 0
        }
        final class Own: PersistentObject {
            override class var primaryKey: [AnyKeyPath] { [\Own.name] }
            @ReadOnly var name = ""
        }
        final class NoKey: PersistentObject {
            override class var tableName: String { "Base" }
            override class var origin: TableOrigin { .existing }
            override class var primaryKey: [AnyKeyPath] { [\NoKey.upper] }
            var name = ""
            var upper: String { name.uppercased() }
        }
    }

    @Test func `one error lists all features that a class over an existing table cannot have`() throws {
        let found = try differences("CREATE TABLE Full (x)", Wrong.Full.self)
        let wanted = [
            "identity", "softDeletes", "formerTableNames", "tags: a collection", "text: a search",
            "former: renamedFrom", "one and two",
        ]
        for text in wanted { #expect(found.contains { $0.contains(text) }, "\(text) in \(found)") }
        #expect(found.count == wanted.count, "\(found)")
        #expect(try differences("CREATE TABLE Base (name)", Wrong.Sub.self)[0].contains("subclass of Base"))
        let own = try differences("CREATE TABLE x (y)", Wrong.Own.self)
        #expect(own.count == 2 && own.allSatisfy { $0.contains(".existing") }, "\(own)")
        let error = try #require(throws: SchemaError.self) { _ = try ClassMap.map(of: Wrong.NoKey.self) }
        guard case .unknownProperty("NoKey", _, "primaryKey") = error else {
            Issue.record("\(error)")
            return
        }
    }

    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        var text = ""
        var artist: Chinook.Artist?
    }

    final class Letter: PersistentObject {
        override class var tableName: String { "letter" }
        var customer: Northwind.Customer?
        var region: [Plain] = []
    }

    @Test func `a class with a library table can refer to existing rows only if their ids are permanent`() throws {
        try Chinook.with { _, file in
            let note = Note()
            (note.text, note.artist) = ("loud", try Chinook.Artist.find(22))
            try note.save()
            try expect(Note.where { $0.artist.name == "Led Zeppelin" }.all(), [note])
            try Chinook.Artist.find(22)?.delete()
            #expect(note.artist == nil)
            try expect(file.sqlite("SELECT artist_id IS NULL FROM note"), "1")
            #expect(try !file.sqlite("SELECT sql FROM sqlite_schema WHERE name = 'note'").contains("REFERENCES"))
        }
        let found = try differences(Northwind.sql + "CREATE TABLE Plain (Name)", Letter.self)
        #expect(found.count == 2 && found[0].contains("customer: a Customer is identified by CustomerID"), "\(found)")
        expect(found.last?.contains("no permanent ids"), true)
    }

    @Test func `a class over an existing table cannot use the table of another class`() throws {
        final class Own: PersistentObject {
            override class var tableName: String { "Plain" }
        }
        let file = try TemporaryStore()
        try file.open().withSession { _ throws in
            try Own().save()
            let error = try #require(throws: SchemaError.self) { _ = try Plain.all() }
            guard case .duplicateTable = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
