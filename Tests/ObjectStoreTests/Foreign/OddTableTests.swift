import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Existing tables that differ from the library's tables in each way that SQLite allows.
struct OddTableTests {
    final class Device: PersistentObject {
        override class var tableName: String { "devices" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Device.token] }
        @Column("id") var token = UUID()
        @Column("name") var name: String?
        @Inverse(\Reading.device) var readings: [Reading]
    }

    final class Reading: PersistentObject {
        override class var tableName: String { "readings" }
        override class var origin: TableOrigin { .existing(id: "nr") }
        @Column("device") var device: Device? = nil
        @Column("value") var value = 0.0
    }

    static let sql = """
        CREATE TABLE devices (id TEXT PRIMARY KEY, name);
        CREATE TABLE readings (nr INTEGER NOT NULL, device TEXT, value REAL, PRIMARY KEY (nr)) WITHOUT ROWID;
        INSERT INTO devices VALUES ('6ba7b810-9dad-41d1-80b4-00c04fd430c8', 'cellar');
        INSERT INTO readings VALUES (5, '6ba7b810-9dad-41d1-80b4-00c04fd430c8', 20.5), (9, NULL, 3);
        """

    @Test func `a string column named id can be a property and the key`() throws {
        try SampleFile.with(Self.sql) { _, file throws in
            let token = try #require(UUID(uuidString: "6BA7B810-9DAD-41D1-80B4-00C04FD430C8"))
            let device = try #require(try Device.find(key: token))
            #expect(device.id == 1 && device.token == token && device.readings.map(\.value) == [20.5])
            try expect(Device.where { $0.token == token }.all(), [device])
            try expect(Device.where { $0.id == 1 }.all(), [device])
            let other = Device()
            other.name = "roof"
            other.token = try #require(UUID(uuidString: "00000000-0000-4000-8000-000000000001"))
            try other.save()
            try expect(
                file.sqlite("SELECT id FROM devices WHERE name = 'roof'"), "00000000-0000-4000-8000-000000000001")
        }
    }

    @Test func `a table WITHOUT ROWID is read and written by its id column`() throws {
        try SampleFile.with(Self.sql) { session, file throws in
            try expect(Reading.all().map(\.id), [5, 9])
            let reading = try #require(try Reading.find(9))
            reading.device = try Device.first()
            reading.value = 4
            let new = Reading()
            (new.device, new.value) = (reading.device, 1)
            try session.saveChanges()
            try new.save()
            #expect(new.id == 10 && reading.device?.readings.count == 3)
            try expect(file.sqlite("SELECT nr, value FROM readings WHERE device NOT NULL"), "5|20.5\n9|4.0\n10|1.0")
            try new.delete()
            try expect(Reading.deleteAll(), 2)
        }
    }

    final class Weighing: PersistentObject {
        override class var tableName: String { "weighings" }
        override class var origin: TableOrigin { .existing }
        @Column("kind") var kind = ""
        @Column("value") var value = 0.0
    }

    @Test func `sums of real numbers are correct if another program stored integers`() throws {
        let sql = """
            CREATE TABLE weighings (kind TEXT NOT NULL, value NOT NULL);
            INSERT INTO weighings VALUES ('real', 0.5), ('real', 1.25), ('whole', 3), ('whole', 4), ('both', 0.5),
              ('both', 3), ('great', 9223372036854775807), ('great', 9223372036854775807);
            """
        try SampleFile.with(sql) { _, _ throws in
            let sums = ["real": 1.75, "whole": 7, "both": 3.5, "great": 0x1p64]
            #expect(try Weighing.query.sum(\.value, by: \.kind) == sums)
            for (kind, sum) in sums { #expect(try Weighing.where { $0.kind == kind }.sum(\.value) == sum) }
            #expect(try Weighing.where { $0.kind == "none" }.sum(\.value) == nil)
            #expect(try Weighing.query.total(\.value) == 0x1p64)
        }
    }

    final class Loose: PersistentObject {
        override class var tableName: String { "loose" }
        override class var origin: TableOrigin { .existing }
        @Column("a") var number: Int?
        @Column("b") var text: String?
        @Column("c") var flag: Bool?
        @Column("d") var list: [String: Int]? = nil
        @Column("e") var data: Data?
    }

    enum Kind: String { case small, large }

    final class Typed: PersistentObject {
        override class var tableName: String { "loose" }
        override class var origin: TableOrigin { .existing }
        struct Point: Codable, Equatable { var x = 0, y = 0 }
        @Column("a") var number: Int8?
        @Column("b") var kind: Kind?
        @Column("d") var point: Point?
        @Lazy @Column("e") var data: Data? = nil
    }

    @Test func `columns of any type or none are read by the contents of each cell`() throws {
        let sql = """
            CREATE TABLE loose (a, b, c BOOLEAN, d, e);
            INSERT INTO loose VALUES ('12', 'large', 1, '{"x":1,"y":2}', 'text'), (3.0, 'small', '0', NULL, x'00ff'),
                (NULL, NULL, NULL, NULL, NULL);
            """
        try SampleFile.with(sql) { _, file throws in
            let typed = try Typed.all()
            #expect(typed.map(\.number) == [12, 3, nil])
            #expect(
                typed[0].point == .init(x: 1, y: 2) && typed[0].data == Data("text".utf8)
                    && typed[1].data == Data([0, 255]))
            #expect(typed[1].kind == .small)
            typed[2].kind = .large
            typed[2].data = Data([1])
            try typed[2].save()
            #expect(try file.sqlite("SELECT b, hex(e), typeof(a) FROM loose WHERE rowid = 3") == "large|01|null")
        }
        // A class over an existing table cannot have a collection, whatever its column.
        #expect(throws: SchemaError.self) { _ = try ClassMap.map(of: Loose.self) }
    }

    @Test func `a cell that the property cannot represent is an error that names row and property`() throws {
        for value in ["300", "'1x'", "1.5", "x'01'"] {
            try SampleFile.with("CREATE TABLE loose (a, b, d, e); INSERT INTO loose (rowid, a) VALUES (8, \(value))") {
                _, _ throws in
                let error = try #require(throws: StoreError.self) { _ = try Typed.all() }
                #expect(
                    error.className == "Typed" && error.property == "number" && error.rowID == 8, "\(value): \(error)")
                #expect(error.code == .typeMismatch, "\(value): \(error)")
            }
        }
    }

    @Test func `rowids can be 0 and negative`() throws {
        try SampleFile.with("CREATE TABLE loose (a, b, d, e); INSERT INTO loose (rowid, a) VALUES (0, 1), (-5, 2)") {
            _, _ throws in
            try expect(Typed.all().map(\.number), [2, 1])
            let zero = try #require(try Typed.find(0))
            zero.number = 9
            try zero.save()
            expect(zero.id, 0)
            try expect(Typed.find(-5)?.number, 2)
            let new = Typed()
            try new.save()
            expect(new.id, 1)
        }
    }

    @Test func `changes by another program are read, and conflicts detected`() throws {
        try Northwind.with { session, file throws in
            let customer = try #require(try Northwind.Customer.find(key: "ALFKI"))
            _ = try file.sqlite("UPDATE Customers SET City = 'Bonn' WHERE CustomerID = 'ALFKI'")
            _ = try Northwind.Customer.all()
            expect(customer.city, "Bonn")
            _ = try file.sqlite("UPDATE Customers SET City = 'Ulm' WHERE CustomerID = 'ALFKI'")
            customer.city = "Kiel"
            let error = try #require(throws: StoreError.self) { try customer.save() }
            expect(error.code, .staleObject)
            _ = try file.sqlite("DELETE FROM Customers WHERE CustomerID = 'BERGS'; UPDATE Orders SET CustomerID = NULL")
            #expect(try Northwind.Customer.find(key: "BERGS") == nil)
        }
    }
}
