import Foundation
import PersistentTransfer
import TestSupport
import Testing

@testable import PersistentObjects

/// Constraints of existing tables, and cells of columns without a type.
@Suite(.onSQLite("the tables are SQLite's, whose texts name the columns"))
struct CheckConstraintTests {
    final class Line: PersistentObject {
        override class var tableName: String { "order details" }
        override class var origin: TableOrigin { .existing }
        @Column("Quantity") var quantity = 1
        @Column("Unit Price") var price = 1.0
        @Column("discount") var discount = 0.0
        @Column("Code") var code: String?
    }

    private static let sql = """
        CREATE TABLE "Order Details" (id INTEGER PRIMARY KEY, Quantity INTEGER CHECK (Quantity > 0),
            "Unit Price" REAL, Discount REAL, CODE TEXT UNIQUE, CONSTRAINT discount CHECK (Discount BETWEEN 0 AND 1),
            CHECK ("Unit Price" >= 0), CHECK (Discount = 0 OR Quantity < 100), CONSTRAINT odd CHECK (Quantity <> 13))
        """

    private func error(_ line: Line) throws -> StoreError {
        try #require(throws: StoreError.self) { try line.save() }
    }

    @Test
    func `an error of a CHECK constraint names class and property if the constraint's text names one column`() throws {
        try SampleFile.with(Self.sql) { _, file in
            let line = Line()
            try line.save()
            line.quantity = 0
            var error = try error(line)
            #expect(error.code == .constraint && error.className == "Line" && error.property == "quantity")
            expect(
                error.message,
                "A CHECK constraint of the table rejects the row: Quantity > 0. Nothing was changed. Change the "
                    + "value and save again")
            (line.quantity, line.price) = (1, -1)
            error = try self.error(line)
            expect(error.property, "price", "\(error)")
            (line.price, line.discount) = (1, 2)
            error = try self.error(line)
            expect(error.property, "discount")
            // A constraint over two columns, and a constraint whose name is not a column.
            (line.discount, line.quantity) = (0.5, 200)
            error = try self.error(line)
            #expect(error.property == nil && error.className == "Line" && error.message.contains("Quantity < 100"))
            line.quantity = 13
            error = try self.error(line)
            #expect(error.property == nil && error.message.contains("rejects the row: odd."))
            line.quantity = 14
            try line.save()
            let new = Line()
            new.quantity = -1
            #expect(try self.error(new).property == "quantity")
            try expect(file.sqlite("SELECT count(*) FROM \"Order Details\""), "1")
        }
    }

    @Test
    func `the error for a duplicate value names the property, whatever the case of its column`() throws {
        try SampleFile.with(Self.sql) { _, _ in
            let (one, two) = (Line(), Line())
            (one.code, two.code) = ("x", "x")
            try one.save()
            let error = try error(two)
            #expect(error.code == .notUnique && error.className == "Line" && error.property == "code")
            #expect(error.message.hasPrefix("The value is already taken by another object"), "\(error)")
        }
    }

    @Test func `the error for a required column names the property, or the column if there is no property`() throws {
        let sql = """
            CREATE TABLE "Order Details" (id INTEGER PRIMARY KEY, Quantity INTEGER NOT NULL, "Unit Price" REAL NOT NULL,
                Discount REAL, Code TEXT NOT NULL, Agent TEXT NOT NULL)
            """
        try SampleFile.with(sql) { _, file in
            let line = Line()
            var error = try error(line)
            #expect(error.code == .constraint && error.className == "Line" && error.property == "code")
            expect(
                error.message,
                "The file requires a value, because another program or another version of this program has declared the "
                    + "column NOT NULL. Nothing was changed. Set a value and save again")
            line.code = "x"
            error = try self.error(line)
            #expect(error.code == .constraint && error.className == "Line" && error.property == nil)
            expect(
                error.message,
                "The column Order Details.Agent must not be NULL. Nothing was changed. Declare a property for it, or "
                    + "give the column a default value")
            try expect(file.sqlite("SELECT count(*) FROM \"Order Details\""), "0")
        }
    }

    final class Loose: PersistentObject {
        override class var tableName: String { "loose" }
        override class var origin: TableOrigin { .existing }
        var text = ""
        var maybe: String?
        var number = 0
        var real = 0.0
        var data = Data()
        var word: Word?
        enum Word: String { case one = "1", two }
    }

    @Test func `cells of another storage class are exported as objects read them`() throws {
        let sql = """
            CREATE TABLE loose (id INTEGER PRIMARY KEY, text, maybe, number, real, data, word);
            INSERT INTO loose VALUES (1, 7, 2.5, '12', '0.5', 'ab', 1), (2, 'x', NULL, 3, 4, x'6162', 'two'),
                (3, 0.1, 'y', '-5', '1e3', '', NULL)
            """
        try SampleFile.with(sql) { session, file in
            let url = file.folder.appending(path: "out.jsonl")
            try session.store.export(Loose.self, to: url)
            let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
            try expect(lines, Loose.all().map { String(decoding: try $0.json, as: UTF8.self) })
            #expect(lines[0].contains(#""text":"7""#) && lines[0].contains(#""number":12"#), "\(lines[0])")
        }
    }
}
