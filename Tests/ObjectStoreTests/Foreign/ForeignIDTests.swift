import TestSupport
import Testing

@testable import PersistentObjects

/// The columns that identify the rows of existing tables.
struct ForeignIDTests {
    final class Item: PersistentObject {
        override class var tableName: String { "Item" }
        override class var origin: TableOrigin { .existing(id: "Nr") }
        @Column("Name") var name: String?
    }

    final class Part: PersistentObject {
        override class var tableName: String { "Part" }
        override class var origin: TableOrigin { .existing }
        @Column("Item") var item: Numbered? = nil
    }

    /// The same table, identified by its primary key.
    final class Numbered: PersistentObject {
        override class var tableName: String { "Item" }
        override class var origin: TableOrigin { .existing }
        @Column("Name") var name: String?
    }

    final class RightPart: PersistentObject {
        override class var tableName: String { "Part" }
        override class var origin: TableOrigin { .existing }
        @Column("Item") var item: Item? = nil
    }

    final class Descending: PersistentObject {
        override class var tableName: String { "Descending" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Descending.number] }
        @Column("x") var number = 0
    }

    private func check(_ error: StoreError?) {
        #expect(error?.code == .typeMismatch && error?.className == "Item")
        #expect(error?.message.contains("in Nr, the column of the ids") == true, "\(error as Any)")
    }

    @Test func `a row whose id is not an integer is an error that names class and column`() throws {
        for value in ["NULL", "'x'", "2.5", "x'00'"] {
            try SampleFile.with("CREATE TABLE Item (Nr INT UNIQUE, Name); INSERT INTO Item VALUES (\(value), 'a')") {
                _, _ throws in
                check(#expect(throws: StoreError.self) { try Item.all() })
                check(#expect(throws: StoreError.self) { try Item.query.ids() })
            }
        }
        let view =
            "CREATE TABLE T (n); INSERT INTO T VALUES (1), (NULL); CREATE VIEW Item AS SELECT n AS Nr, 'v' AS Name FROM T"
        try SampleFile.with(view) { _, _ throws in
            #expect(throws: StoreError.self) { try Seen.all() }
        }
    }

    final class Seen: PersistentObject {
        override class var tableName: String { "Item" }
        override class var origin: TableOrigin { .existing(id: "Nr") }
        override class var isReadOnly: Bool { true }
        @Column("Name") var name: String?
    }

    @Test func `a foreign key must refer to the column by which the class identifies its objects`() throws {
        let sql = """
            CREATE TABLE Item (id INTEGER PRIMARY KEY, Nr INT UNIQUE, Name);
            CREATE TABLE Part (id INTEGER PRIMARY KEY, Item INT REFERENCES Item (Nr));
            INSERT INTO Item VALUES (1, 2, 'one'), (2, 1, 'two');
            INSERT INTO Part VALUES (1, 2);
            """
        try SampleFile.with(sql) { _, _ throws in
            let error = #expect(throws: SchemaError.self) { try Part.all() }
            #expect(
                "\(error as Any)".contains("item: the column Item refers to Item.Nr, but Numbered is identified by id"))
            try expect(RightPart.first()?.item?.name, "one")
        }
        // A foreign key without a column refers to the primary key.
        let implied =
            "CREATE TABLE Item (id INTEGER PRIMARY KEY, Nr INT UNIQUE, Name); "
            + "CREATE TABLE Part (id INTEGER PRIMARY KEY, Item INT REFERENCES Item)"
        try SampleFile.with(implied) { _, _ throws in
            try expect(Part.count(), 0)
            #expect(throws: SchemaError.self) { try RightPart.all() }
        }
    }

    @Test func `an INTEGER PRIMARY KEY DESC is a column of its own, not the id`() throws {
        try SampleFile.with(
            "CREATE TABLE Descending (x INTEGER PRIMARY KEY DESC); INSERT INTO Descending VALUES (70), (80)"
        ) { _, file throws in
            try expect(Descending.find(key: 80)?.id, 2)
            let new = Descending()
            new.number = 90
            try new.save()
            try expect(file.sqlite("SELECT rowid, x FROM Descending WHERE x = 90"), "3|90")
        }
    }

    @Test func `an event of a row that is not numbered by its id names no object`() async throws {
        let file = try TemporaryStore()
        _ = try file.sqlite(
            "CREATE TABLE Item (Name TEXT PRIMARY KEY, Nr INT UNIQUE NOT NULL); INSERT INTO Item VALUES ('a', 2), ('b', 1)"
        )
        let store = try file.open()
        let events = store.events
        try store.withSession { session in
            let item = try #require(try Item.find(2))
            item.name = "c"
            try item.save()
            session.recordsUndo = true
            try item.delete()
            _ = try session.undo()
            try expect(Item.find(2)?.name, "c")
            try expect(Item.find(1)?.name, "b")
        }
        store.close()
        for await event in events { #expect(event.kind == .unknown && event.id == nil) }
    }
}
