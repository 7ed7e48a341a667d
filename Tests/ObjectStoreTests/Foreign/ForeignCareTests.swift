import Foundation
import PersistentTransfer
import TestSupport
import Testing

@testable import PersistentObjects

/// Integrity checks, imports, messages and column names of existing tables.
@Suite(.enabled(if: !TestEngine.isPostgres)) struct ForeignCareTests {
    final class Artist: PersistentObject {
        override class var tableName: String { "Artist" }
        override class var origin: TableOrigin { .existing }
        @Column("Name") var name = ""
        @Inverse(\Album.artist) var albums: [Album]
    }
    final class Album: PersistentObject {
        override class var tableName: String { "Album" }
        override class var origin: TableOrigin { .existing }
        override class var columnNaming: ColumnNaming { .verbatim }
        var title = ""
        @Column("ArtistId") var artist: Artist? = nil
        @Column(format: .dateTime) var madeAt: Date?
    }
    private static let sql = """
        CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name TEXT);
        CREATE TABLE Album (AlbumId INTEGER PRIMARY KEY, Title TEXT, ArtistId INTEGER REFERENCES Artist (ArtistId), MadeAt TEXT);
        INSERT INTO Artist VALUES (1, 'x'), (2, 'y');
        INSERT INTO Album VALUES (1, 'a', 1, '1900-01-01 00:00:00 +00:00'), (2, 'b', 2, '2024-02-03 04:05:06 -01:30');
        """

    @Test func `all values of an existing table are checked, whatever the name of its key`() throws {
        let sql =
            Self.sql + """
                PRAGMA foreign_keys = OFF;
                INSERT INTO Artist VALUES (3, CAST(x'FF' AS TEXT)), (4, NULL);
                INSERT INTO Album VALUES (3, 'c', 9, 'never');
                """
        try SampleFile.with(sql) { session, _ throws in
            _ = try Album.count()
            let report = try session.store.checkIntegrity()
            #expect(report.notChecked.isEmpty && report.checkedRowCount == 7, "\(report)")
            let found = report.problems.map { "\($0.className ?? "").\($0.property ?? "") \($0.rowID ?? 0)" }
            #expect(found.sorted() == ["Album.artist 3", "Album.madeAt 3", "Artist.name 3", "Artist.name 4"])
        }
    }

    @Test func `dates with a space before their offset are read, and columnNaming .verbatim keeps names`() throws {
        try SampleFile.with(Self.sql) { _, file throws in
            let albums = try Album.query.order(by: \.id).all()
            #expect(albums.map { $0.madeAt?.timeIntervalSince1970 } == [-2_208_988_800, 1_706_938_506])
            #expect(try albums[0].title == "a" && Album.properties.map(\.column).contains("madeAt"))
            albums[0].madeAt = Date(timeIntervalSince1970: 0)
            try albums[0].save()
            #expect(try file.sqlite("SELECT MadeAt FROM Album WHERE AlbumId = 1") == "1970-01-01 00:00:00")
        }
    }

    @Test func `columnNaming is refused for a class with a library table`() throws {
        final class Own: PersistentObject {
            override class var tableName: String { "own" }
            override class var columnNaming: ColumnNaming { .verbatim }
            var lastName = ""
        }
        try withTemporarySession { _, _ in
            let error = #expect(throws: SchemaError.self) { try Own().save() }
            #expect("\(error.map { "\($0)" } ?? "")".contains("columnNaming is for classes over existing tables"))
        }
    }

    @Test func `rows are imported into existing tables, next to existing rows or with their ids`() throws {
        try SampleFile.with(Self.sql) { session, file throws in
            let url = file.folder.appending(path: "albums.jsonl")
            // Albums come before the artists to which they refer.
            _ = try session.store.export([Album.self, Artist.self], to: url)
            _ = try session.store.import([Album.self, Artist.self], from: url)
            #expect(try file.sqlite("SELECT count(*), count(DISTINCT ArtistId) FROM Album") == "4|4")
            #expect(try Album.find(3)?.artist?.name == "x" && Artist.find(4)?.albums.map(\.title) == ["b"])
            try Album.deleteAll()
            try Artist.deleteAll()
            _ = try session.store.import([Album.self, Artist.self], from: url, ids: .kept)
            #expect(try file.sqlite("SELECT group_concat(AlbumId || Title || ArtistId) FROM Album") == "1a1,2b2")
            #expect(try file.sqlite("PRAGMA foreign_key_check") == "")
        }
    }

    final class Customer: PersistentObject {
        override class var tableName: String { "Customers" }
        override class var origin: TableOrigin { .existing }
        override class var primaryKey: [AnyKeyPath] { [\Customer.code] }
        @Column("CustomerID") var code = ""
        @Column("ParentID") var parent: Customer? = nil
    }
    final class Order: PersistentObject {
        override class var tableName: String { "Orders" }
        override class var origin: TableOrigin { .existing }
        @Column("CustomerID") var customer: Customer? = nil
    }
    private static let keyed = """
        CREATE TABLE Customers (CustomerID TEXT PRIMARY KEY, ParentID TEXT REFERENCES Customers (CustomerID));
        CREATE TABLE Orders (OrderID INTEGER PRIMARY KEY, CustomerID TEXT NOT NULL REFERENCES Customers (CustomerID));
        INSERT INTO Customers VALUES ('ALFKI', 'BERGS'), ('BERGS', 'ALFKI');
        INSERT INTO Orders VALUES (1, 'ALFKI'), (2, 'BERGS');
        """

    @Test func `changing a key that rows refer to is an error with class, property and row`() throws {
        try SampleFile.with(Self.keyed) { session, file throws in
            let order = try #require(try Order.find(1))
            let customer = try #require(order.customer)
            customer.code = "ALFKX"
            let error = #expect(throws: StoreError.self) { try session.save([order, customer]) }
            #expect(error?.code == .constraint && error?.className == "Customer" && error?.property == "code")
            #expect(error?.rowID == customer.id && error?.message.contains("rows refer to its old value") == true)
            #expect(try file.sqlite("SELECT count(*) FROM Customers WHERE CustomerID = 'ALFKI'") == "1")
        }
    }

    @Test func `imported rows are linked to rows that come later in the file, in rings too`() throws {
        try SampleFile.with(Self.keyed) { session, file throws in
            let url = file.folder.appending(path: "orders.jsonl")
            #expect(try session.store.export([Order.self, Customer.self], to: url) == 4)
            try session.execute("DELETE FROM Orders")
            try session.execute("UPDATE Customers SET ParentID = NULL")
            try session.execute("DELETE FROM Customers")
            let report = try session.store.import([Order.self, Customer.self], from: url, ids: .kept)
            #expect(report.converted == ["Order": 2, "Customer": 2])
            #expect(
                try file.sqlite("SELECT * FROM Customers ORDER BY 1; SELECT * FROM Orders")
                    == "ALFKI|BERGS\nBERGS|ALFKI\n1|ALFKI\n2|BERGS")
            // An order whose customer is missing.
            try session.execute("DELETE FROM Orders")
            try session.execute("UPDATE Customers SET ParentID = NULL")
            try session.execute("DELETE FROM Customers")
            #expect(throws: (any Error).self) { try session.store.import([Order.self], from: url, ids: .kept) }
        }
    }

    final class NoKey: PersistentObject {
        override class var tableName: String { "Artist" }
        override class var origin: TableOrigin { .existingByKey }
        @Column("Name") var name = ""
    }

    @Test func `a class with origin existingByKey must declare a primary key and be read-only`() throws {
        try SampleFile.with(Self.sql) { _, _ throws in
            guard
                case .tableDiffers(_, _, let differences)? = #expect(
                    throws: SchemaError.self, performing: { try NoKey.all() })
            else { return }
            #expect(differences.contains { $0.contains("Override primaryKey") })
            #expect(differences.contains { $0.contains("isReadOnly") })
        }
    }
}
