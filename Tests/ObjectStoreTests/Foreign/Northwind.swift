import Foundation
import TestSupport

@testable import PersistentObjects

/// A trader's orders in the schema of the Northwind sample: strings as keys, keys of two columns, a table name with a
/// space.
enum Northwind {
    static let sql = """
        CREATE TABLE [Categories] ([CategoryID] INTEGER PRIMARY KEY AUTOINCREMENT, [CategoryName] TEXT, [Description] TEXT,
            [Picture] BLOB);
        CREATE TABLE [Customers] ([CustomerID] TEXT, [CompanyName] TEXT, [ContactName] TEXT, [City] TEXT, [Country] TEXT,
            [Phone] TEXT, PRIMARY KEY (`CustomerID`));
        CREATE TABLE [Products] ([ProductID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, [ProductName] TEXT NOT NULL,
            [CategoryID] INTEGER, [UnitPrice] NUMERIC DEFAULT 0, [UnitsInStock] INTEGER DEFAULT 0,
            [Discontinued] TEXT NOT NULL DEFAULT '0', CHECK ([UnitPrice]>=(0)),
            FOREIGN KEY ([CategoryID]) REFERENCES [Categories] ([CategoryID])
            ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE TABLE [Orders] ([OrderID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, [CustomerID] TEXT,
            [OrderDate] DATETIME, [ShippedDate] DATETIME, [Freight] NUMERIC DEFAULT 0, [ShipCity] TEXT,
            FOREIGN KEY ([CustomerID]) REFERENCES [Customers] ([CustomerID]) ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE INDEX [OrderCustomers] ON [Orders] ([CustomerID]);
        CREATE TABLE [Order Details] ([OrderID] INTEGER NOT NULL, [ProductID] INTEGER NOT NULL,
            [UnitPrice] NUMERIC NOT NULL DEFAULT 0, [Quantity] INTEGER NOT NULL DEFAULT 1,
            [Discount] REAL NOT NULL DEFAULT 0, [Total] REAL GENERATED ALWAYS AS (UnitPrice * Quantity * (1 - Discount)),
            PRIMARY KEY ("OrderID", "ProductID"), CHECK ([Quantity]>(0)),
            FOREIGN KEY ([OrderID]) REFERENCES [Orders] ([OrderID]) ON DELETE NO ACTION ON UPDATE NO ACTION,
            FOREIGN KEY ([ProductID]) REFERENCES [Products] ([ProductID]) ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE TABLE [Shipments] ([ShipmentID] INTEGER PRIMARY KEY, [OrderID] INTEGER, [ProductID] INTEGER, [Note],
            FOREIGN KEY (OrderID, ProductID) REFERENCES [Order Details] (OrderID, ProductID));
        CREATE INDEX ShipmentDetails ON Shipments (OrderID, ProductID);
        CREATE TABLE [Region] ([Code] VARCHAR(4) NOT NULL PRIMARY KEY, [Parent] VARCHAR(4) REFERENCES Region (Code));
        INSERT INTO Categories VALUES (1, 'Beverages', 'Soft drinks', x'0102'), (2, 'Condiments', NULL, NULL);
        INSERT INTO Customers VALUES ('ALFKI', 'Alfreds Futterkiste', 'Maria Anders', 'Berlin', 'Germany', '030-0074321'),
            ('ANATR', 'Ana Trujillo', 'Ana Trujillo', 'México D.F.', 'Mexico', NULL),
            ('BERGS', 'Berglunds snabbköp', 'Christina Berglund', 'Luleå', 'Sweden', '0921-12 34 65');
        INSERT INTO Products VALUES (1, 'Chai', 1, 18, 39, '0'), (2, 'Chang', 1, 19.5, 17, '0'),
            (11, 'Aniseed Syrup', 2, 10, 13, '1');
        INSERT INTO Orders VALUES (10248, 'ALFKI', '2016-07-04', '2016-07-16', 32.38, 'Reims'),
            (10249, 'BERGS', '2016-07-05', NULL, 11.61, 'Luleå'), (10250, 'ALFKI', '2016-07-08', NULL, 65.83, 'Berlin'),
            (10251, NULL, NULL, NULL, 0, NULL);
        INSERT INTO [Order Details] (OrderID, ProductID, UnitPrice, Quantity, Discount) VALUES
            (10248, 1, 14, 12, 0), (10248, 11, 9.8, 10, 0), (10249, 2, 18.6, 9, 0.25), (10250, 1, 7.7, 10, 0);
        INSERT INTO Shipments VALUES (1, 10248, 11, 'first'), (2, 10249, 2, 7), (3, NULL, NULL, NULL);
        INSERT INTO Region VALUES ('EU', NULL), ('DE', 'EU');
        """

    final class Customer: PersistentObject {
        override class var tableName: String { "Customers" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Customer.code] }
        @Column("CustomerID") var code = ""
        @Column("CompanyName") var company: String?
        @Column("City") var city: String?
        @Column("Country") var country: String?
        @Inverse(\Order.customer) var orders: [Order]
        @Inverse(\Order.customer, where: { $0.freight > 60 || $0.details.any { $0.quantity > 11 } }) var great: [Order]
    }

    /// The same rows with other columns.
    final class Contact: PersistentObject {
        override class var tableName: String { "Customers" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Contact.code] }
        @Column("CustomerID") var code = ""
        @Column("ContactName") var name: String?
        @Column("Phone") var phone: String?
    }

    final class Category: PersistentObject {
        override class var tableName: String { "Categories" }
        override class var origin: TableOrigin { .existing }
        @Column("CategoryName") var name: String?
        @Column("Picture") var picture: Data?
        @OnDelete(.deny) @Inverse(\Product.category) var products: [Product] = []
    }

    final class Product: PersistentObject {
        override class var tableName: String { "Products" }
        override class var origin: TableOrigin { .existing }
        @Column("ProductName") var name = ""
        @Column("CategoryID") var category: Category? = nil
        @Column("UnitPrice") var price: Double? = 0
        @Column("UnitsInStock") var stock: Int?
        @Column("Discontinued") var isDiscontinued = false
    }

    final class Order: PersistentObject {
        override class var tableName: String { "Orders" }
        override class var origin: TableOrigin { .existing }
        @Column("CustomerID") var customer: Customer? = nil
        @ReadOnly @Column("CustomerID") var customerCode: String? = nil
        @Column("OrderDate", format: .day) var date: Date?
        @Column("ShippedDate", format: .day) var shipped: Date?
        @Column("Freight") var freight = 0.0
        @OnDelete(.cascade) @Inverse(\OrderDetail.order) var details: [OrderDetail] = []
    }

    final class OrderDetail: PersistentObject {
        override class var tableName: String { "Order Details" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\OrderDetail.order, \OrderDetail.product] }
        @Column("OrderID") var order: Order? = nil
        @Column("ProductID") var product: Product? = nil
        @Column("UnitPrice") var price = 0.0
        @Column("Quantity") var quantity = 1
        @Column("Discount") var discount = 0.0
        @ReadOnly @Column("Total") var total: Double? = nil
        @Inverse(\Shipment.detail) var shipments: [Shipment]
        @Inverse(\Shipment.detail, where: { $0.note == "first" }) var named: Set<Shipment>
    }

    final class Shipment: PersistentObject {
        override class var tableName: String { "Shipments" }
        override class var origin: TableOrigin { .existing }
        @Column("OrderID", and: "ProductID") var detail: OrderDetail?
        @Column("Note") var note: String?
    }

    final class Region: PersistentObject {
        override class var tableName: String { "Region" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Region.code] }
        @Column("Code") var code = ""
        @Column("Parent") var parent: Region? = nil
        @Inverse(\Region.parent) var parts: [Region]
    }

    static func with(_ body: (Session, TemporaryStore) throws -> Void) throws {
        try SampleFile.with(sql, body)
    }
}
