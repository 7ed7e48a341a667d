import TestSupport
import Testing

@testable import PersistentObjects

/// Existing tables without an integer primary key: another program deletes a row, and SQLite gives its number to a new
/// row, or renumbers the rows.
@Suite(.onSQLite("the row numbers are SQLite's"))
struct ReusedNumberTests {
    final class Product: PersistentObject {
        override class var tableName: String { "products" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Product.code] }
        var code = ""
        var price = 0
        @Inverse(\Line.product) var lines: [Line]
    }

    final class Line: PersistentObject {
        override class var tableName: String { "lines" }
        override class var origin: TableOrigin { .existing }
        @Column("product") var product: Product? = nil
        var count = 0
    }

    /// A class without links, whose objects are saved without lists.
    final class Plain: PersistentObject {
        override class var tableName: String { "products" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Plain.code] }
        var code = ""
        var price = 0
    }

    private static let sql = """
        CREATE TABLE products (code TEXT PRIMARY KEY, price INT NOT NULL);
        CREATE TABLE lines (id INTEGER PRIMARY KEY, product TEXT REFERENCES products, count INT NOT NULL);
        INSERT INTO products VALUES ('a', 1), ('b', 2);
        INSERT INTO lines VALUES (1, 'a', 1);
        """
    private static let replace = "DELETE FROM products WHERE code = 'b'; INSERT INTO products VALUES ('c', 30)"

    private func rows(_ file: TemporaryStore) throws -> String {
        try file.sqlite("SELECT code, price FROM products ORDER BY code")
    }

    @Test func `an edit of a replaced row is refused under each policy, and does not change the new row`() throws {
        for policy in [ConflictPolicy.merge, .mine, .theirs, .fail, .resolve { _ in .mine }] {
            try SampleFile.with(Self.sql) { session, file throws in
                let old = try #require(try Product.find(key: "b"))
                let plain = try #require(try Plain.find(key: "b"))
                _ = try file.sqlite(Self.replace)
                (old.price, plain.price) = (5, 6)
                let error = #expect(throws: StoreError.self) { try old.save(.onConflict(policy)) }
                #expect(error?.code == .rowGone && error?.rowID == 2)
                let second = #expect(throws: StoreError.self) { try plain.save() }
                #expect(second?.code == .rowGone && plain.price == 6)
                try expect(rows(file), "a|1\nc|30")
                let new = try #require(try Product.find(key: "c"))
                #expect(new !== old && new.price == 30 && old.isDeleted && old.price == 5)
            }
        }
    }

    @Test func `a deletion of a replaced row does not delete the new row`() throws {
        try SampleFile.with(Self.sql) { session, file throws in
            let old = try #require(try Product.find(key: "b"))
            let plain = try #require(try Plain.find(key: "b"))
            _ = try file.sqlite(Self.replace)
            try old.delete()
            try plain.delete()
            #expect(old.isDeleted && plain.isDeleted)
            try session.delete(try Product.where { $0.code == "a" }.all() + [old])
            try expect(rows(file), "c|30")
        }
    }

    @Test func `a reference to a replaced row does not refer to the new row`() throws {
        try SampleFile.with(Self.sql) { session, file throws in
            let old = try #require(try Product.find(key: "b"))
            let line = try #require(try Line.first())
            _ = try file.sqlite(Self.replace)
            line.product = old
            #expect(throws: StoreError.self) { try line.save() }
            line.revert()
            let other = try #require(try Product.find(key: "a"))
            _ = try file.sqlite("DELETE FROM products WHERE code = 'c'; INSERT INTO products VALUES ('d', 4)")
            #expect(throws: StoreError.self) { try Line.query.update { $0.product = old } }
            try expect(file.sqlite("SELECT product FROM lines"), "a")
            #expect(line.product === other)
        }
    }

    @Test func `a read returns another object for the new row`() throws {
        try SampleFile.with(Self.sql) { session, file throws in
            let all = try Product.all()
            let plain = try Plain.all()
            _ = try file.sqlite(Self.replace)
            let again = try Product.all()
            #expect(again.map(\.code) == ["a", "c"] && again[0] === all[0] && again[1] !== all[1])
            #expect(all[1].isDeleted && all[1].code == "b" && all[1].price == 2)
            try expect(Plain.all().map(\.code), ["a", "c"])
            #expect(plain[1].isDeleted && !plain[0].isDeleted)
            let new = try #require(try Plain.find(key: "c"))
            _ = try file.sqlite("DELETE FROM products WHERE code = 'c'; INSERT INTO products VALUES ('d', 4)")
            let error = #expect(throws: StoreError.self) { try new.reload() }
            #expect(error?.code == .rowGone && new.code == "c")
        }
    }

    @Test func `an inverse of a replaced row does not show the objects of the new row`() throws {
        try SampleFile.with(Self.sql) { session, file throws in
            let old = try #require(try Product.find(key: "b"))
            _ = try file.sqlite(Self.replace + "; INSERT INTO lines VALUES (2, 'c', 1)")
            let error = #expect(throws: StoreError.self) { try old.$lines.load() }
            #expect(error?.code == .rowGone && error?.property == "lines")
            #expect(old.isDeleted && old.lines.isEmpty)
            try expect(#require(try Product.find(key: "c")).lines.map(\.id), [2])
        }
    }

    @Test func `edits of a released object do not change the new row`() throws {
        try SampleFile.with(Self.sql) { session, file throws in
            do { try #require(try Plain.find(key: "b")).price = 9 }
            _ = try file.sqlite(Self.replace)
            let error = #expect(throws: StoreError.self) { try session.saveChanges() }
            #expect(error?.code == .rowGone)
            try session.refresh()
            try session.saveChanges()
            try expect(rows(file), "a|1\nc|30")

            do { try #require(try Plain.find(key: "c")).price = 9 }
            _ = try file.sqlite("DELETE FROM products WHERE code = 'c'; INSERT INTO products VALUES ('d', 4)")
            let new = try #require(try Plain.find(key: "d"))
            #expect(new.price == 4 && !new.hasChanges)
        }
    }

    @Test func `objects do not change rows that have their numbers after another program renumbered them`() throws {
        try SampleFile.with(Self.sql) { session, file throws in
            _ = try file.sqlite("INSERT INTO products VALUES ('c', 3), ('d', 4); DELETE FROM products WHERE code = 'a'")
            let all = try Plain.all()
            _ = try file.sqlite(
                "DELETE FROM products WHERE code = 'b'; UPDATE products SET rowid = 2 WHERE code = 'c';"
                    + "UPDATE products SET rowid = 3 WHERE code = 'd'")
            all[1].price = 33
            let error = #expect(throws: StoreError.self) { try session.saveChanges() }
            #expect(error?.code == .rowGone)
            try expect(rows(file), "c|3\nd|4")
            for row in try Plain.all() { row.price *= 10 }
            try session.saveChanges()
            try expect(rows(file), "c|30\nd|40")
        }
    }

    @Test func `edits of a replaced row that a read finds are reported`() throws {
        let file = try TemporaryStore()
        _ = try file.sqlite(Self.sql)
        let lost = Recorder<LostEdits>()
        try file.open(configuration: .init(lostEdits: .report { lost.add($0) })).withSession { session in
            let (old, other) = (try #require(try Product.find(key: "b")), try #require(try Plain.find(key: "b")))
            (old.price, other.price) = (5, 6)
            _ = try file.sqlite(Self.replace)
            try expect(Product.all().map(\.code), ["a", "c"])
            #expect(old.isDeleted && old.price == 5)
            expect(lost.take().map { "\($0.className) \($0.id)" }, ["Product 2"])
            let line = Line()
            try line.save()
            let error = #expect(throws: StoreError.self) { try session.saveChanges() }
            #expect(error?.code == .rowGone && error?.className == "Plain")
        }
    }

    @Test func `a new object takes the number of a deleted row, whose object is still held`() throws {
        try SampleFile.with(Self.sql) { session, file throws in
            let (old, line) = (try #require(try Plain.find(key: "b")), try #require(try Line.first()))
            _ = try file.sqlite("DELETE FROM products WHERE code = 'b'; DELETE FROM lines")
            let new = Plain()
            new.code = "n"
            try new.save()
            let next = Line()
            try next.save()
            #expect(new.id == 2 && old !== new && next !== line && next.id == 1)
            try expect(Plain.find(2), new)
            try expect(Line.first(), next)
            (old.price, line.count) = (7, 7)
            #expect(throws: StoreError.self) { try old.save() }
            #expect(throws: StoreError.self) { try line.save() }
            try expect(rows(file), "a|1\nn|0")
        }
    }

    @Test func `a rollback restores the objects, and a changed key of an object that is held is its own`() throws {
        try SampleFile.with(Self.sql) { session, file throws in
            let old = try #require(try Plain.find(key: "b"))
            struct Stop: Error {}
            #expect(throws: Stop.self) {
                try session.transaction {
                    try session.execute("DELETE FROM products WHERE code = 'b'")
                    try session.execute("INSERT INTO products VALUES ('c', 30)")
                    try expect(Plain.all().map(\.code), ["a", "c"])
                    #expect(old.isDeleted)
                    throw Stop()
                }
            }
            #expect(!old.isDeleted)
            try expect(Plain.find(key: "b"), old)
            old.code = "x"
            try old.save()
            _ = try file.sqlite("UPDATE products SET price = 8 WHERE code = 'x'")
            old.price += 1
            #expect(throws: StoreError.self) { try old.save() }
            try old.save(.onConflict(.mine))
            try expect(Plain.find(key: "x"), old)
            try expect(rows(file), "a|1\nx|3")
        }
    }

    @Test func `an undo of a changed key or of a deletion does not give an object another row`() throws {
        try SampleFile.with(Self.sql) { session, file throws in
            session.recordsUndo = true
            let row = try #require(try Plain.find(key: "b"))
            row.code = "x"
            try row.save()
            try session.undo()
            try expect(rows(file), "a|1\nb|2")
            let found = try #require(try Plain.find(key: "b"))
            #expect(row.isDeleted && found !== row && found.price == 2)
            try session.redo()
            try expect(Plain.all().map(\.code), ["a", "x"])

            let last = try #require(try Plain.find(key: "x"))
            try last.delete()
            _ = try file.sqlite("INSERT INTO products VALUES ('c', 30)")
            let new = try #require(try Plain.find(key: "c"))
            try session.undo()
            try expect(rows(file), "a|1\nc|30\nx|2")
            new.price = 31
            try new.save()
            try expect(Plain.find(key: "x")?.price, 2)
            try expect(rows(file), "a|1\nc|31\nx|2")
        }
    }

    final class Numbered: PersistentObject {
        override class var tableName: String { "numbered" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Numbered.code] }
        var code = ""
        var price = 0
    }

    @Test func `in a table with an integer primary key, another program can change the other key`() throws {
        let sql =
            "CREATE TABLE numbered (nr INTEGER PRIMARY KEY, code TEXT UNIQUE NOT NULL, price INT NOT NULL);"
            + "INSERT INTO numbered VALUES (7, 'a', 1)"
        try SampleFile.with(sql) { _, file throws in
            let row = try #require(try Numbered.find(key: "a"))
            _ = try file.sqlite("UPDATE numbered SET code = 'b'")
            row.price = 2
            try row.save()
            #expect(row.code == "b")
            try expect(file.sqlite("SELECT * FROM numbered"), "7|b|2")
        }
    }
}
