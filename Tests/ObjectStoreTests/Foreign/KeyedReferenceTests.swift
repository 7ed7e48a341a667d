import TestSupport
import Testing

@testable import PersistentObjects

/// References that are stored as keys, if the collation of the key ignores differences.
struct KeyedReferenceTests {
    final class Customer: PersistentObject {
        override class var tableName: String { "Customer" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Customer.code] }
        @Column("Code") var code = ""
        @Inverse(\Order.customer) var orders: [Order]
    }

    final class Order: PersistentObject {
        override class var tableName: String { "Orders" }
        override class var origin: TableOrigin { .existing }
        @Column("Customer") var customer: Customer? = nil
        @Column("Amount") var amount = 0
    }

    static let sql = """
        CREATE TABLE Customer (Code TEXT COLLATE NOCASE PRIMARY KEY);
        CREATE TABLE Orders (id INTEGER PRIMARY KEY, Customer TEXT REFERENCES Customer (Code), Amount INT NOT NULL);
        CREATE INDEX OrdersCustomer ON Orders (Customer);
        INSERT INTO Customer VALUES ('ALFKI'), ('BERGS');
        INSERT INTO Orders VALUES (1, 'alfki', 1), (2, 'ALFKI', 2), (3, 'Bergs', 4), (4, NULL, 8);
        """

    @Test func `a reference and its inverse agree if the key ignores case`() throws {
        try SampleFile.with(Self.sql) { _, file throws in
            let alfki = try #require(try Customer.find(key: "alfki"))
            #expect(try Order.find(1)?.customer === alfki)
            expect(alfki.orders.map(\.id), [1, 2])
            try expect(Customer.query.including(\.orders).all().map(\.orders.count), [2, 1])
            try expect(Order.where { $0.customer == alfki }.ids(), [1, 2])
            try expect(Order.where { $0.customer.isIn([alfki]) }.ids(), [1, 2])
            try expect(Customer.where { $0.orders.any { $0.amount == 1 } }.all(), [alfki])
            try alfki.delete()
            try expect(file.sqlite("SELECT id, Customer FROM Orders ORDER BY id"), "1|\n2|\n3|Bergs\n4|")
        }
    }

    @Test func `groups by a reference that is stored as a key have the objects as their keys`() throws {
        try SampleFile.with(Self.sql) { _, _ throws in
            let (alfki, bergs) = (try Customer.find(key: "ALFKI"), try Customer.find(key: "BERGS"))
            try expect(Order.query.counted(by: \.customer), [alfki: 2, bergs: 1, nil: 1])
            try expect(Order.query.sum(\.amount, by: \.customer), [alfki: 3, bergs: 4, nil: 8])
            try expect(Order.query.grouped(by: \.customer).mapValues(\.count), [alfki: 2, bergs: 1, nil: 1])
            try expect(Order.query.order(by: \.amount).distinct(on: \.customer).ids(), [1, 3, 4])
        }
    }
}
