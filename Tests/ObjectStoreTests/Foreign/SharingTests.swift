import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Persistent ids, events and undo for existing tables, and the statements that find rows by key.
struct SharingTests {
    typealias Customer = Northwind.Customer
    typealias Order = Northwind.Order
    typealias OrderDetail = Northwind.OrderDetail

    @Test func `a persistent id contains the key, so it stays valid if rowids change`() throws {
        let file = try TemporaryStore()
        _ = try file.sqlite(Northwind.sql)
        let (customer, detail) = try file.open().withSession { _ throws in
            (
                try #require(try Customer.find(key: "BERGS")?.persistentID),
                try #require(try OrderDetail.find(key: 10249, 2)?.persistentID)
            )
        }
        // Reorders the rows, as a VACUUM can.
        _ = try file.sqlite(
            """
            CREATE TEMP TABLE t AS SELECT * FROM Customers ORDER BY CustomerID DESC; DELETE FROM Customers;
            INSERT INTO Customers SELECT * FROM t; DELETE FROM [Order Details] WHERE OrderID = 10248
            """)
        let coded = try JSONDecoder().decode(
            PersistentID<Customer>.self, from: try JSONEncoder().encode(customer))
        try file.open().withSession { _ throws in
            let found = try #require(try Customer.find(coded))
            #expect(found.code == "BERGS" && found.id != customer.value)
            try expect(OrderDetail.find(detail)?.quantity, 9)
            try expect(Order.where { $0.customer == nil }.count(), 1)
        }
    }

    @Test func `statements compare key columns directly, so that their indexes are used`() throws {
        try Northwind.with { session, _ throws in
            let log = try statements(of: session) {
                let customers = try Customer.all()
                _ = customers.map(\.orders)
            }
            let orders = try #require(log.first { $0.contains("FROM \"Orders\"") })
            #expect(
                orders.contains(
                    "\" CustomerID\" IN (SELECT \" other\".\"CustomerID\" FROM (SELECT \"CustomerID\" "
                        + "FROM \"Customers\" WHERE rowid"), "\(orders)")
            let plan = try session.rows("EXPLAIN QUERY PLAN " + orders, 1, 3).map { "\($0["detail"] ?? .null)" }
                .joined()
            #expect(plan.contains("OrderCustomers"), "\(plan)")
            let join = try Order.where { $0.customer.code == "ALFKI" }.explain().description
            #expect(!join.contains("SCAN"), "\(join)")
        }
    }

    @Test func `events identify rows of an existing table by their ids`() async throws {
        let file = try TemporaryStore()
        _ = try file.sqlite(Chinook.sql)
        let store = try file.open()
        var events = store.events.makeAsyncIterator()
        try store.withSession { _ throws in
            let artist = try #require(try Chinook.Artist.find(22))
            artist.name = "Led"
            try artist.save()
        }
        let event = try #require(await events.next())
        expect("\(event)", "Artist #22 updated: name")
    }

    @Test func `a commit to an existing table can be undone`() throws {
        try Chinook.with { session, file throws in
            session.recordsUndo = true
            let artist = try #require(try Chinook.Artist.find(1))
            artist.name = "Other"
            try artist.save()
            try session.undo()
            #expect(artist.name == "AC/DC" && !artist.hasChanges)
            try expect(file.sqlite("SELECT Name FROM Artist WHERE ArtistId = 1"), "AC/DC")
            try session.redo()
            expect(artist.name, "Other")
        }
    }

    @Test func `a commit to a table with string keys can be undone, and its objects are found again`() throws {
        try Northwind.with { session, file throws in
            session.recordsUndo = true
            let customer = try #require(try Customer.find("ALFKI"))
            let order = try #require(try Order.find(10248))
            customer.city = "Ulm"
            try customer.save()
            try session.undo()
            try expect(file.sqlite("SELECT City FROM Customers WHERE CustomerID = 'ALFKI'"), "Berlin")
            // The undo updated the row in place.
            #expect(!customer.isDeleted && customer.city == "Berlin" && !customer.hasChanges)
            #expect(try Customer.find("ALFKI") === customer && customer.orders.map(\.id) == [10248, 10250])
            _ = try Order.all()
            #expect(order.customer === customer && !order.hasChanges)
            try customer.delete()
            try session.undo()
            // The undo inserted the row again, with another rowid.
            expect(customer.isDeleted, true)
            try expect(Customer.find("ALFKI")?.orders.count, 2)
            try session.redo()
            #expect(try Customer.find("ALFKI") == nil)
        }
    }

    @Test func `a commit to a table with generated columns is not recorded for undo`() throws {
        try Northwind.with { session, file throws in
            session.recordsUndo = true
            let detail = try #require(try OrderDetail.find(key: 10248, 1))
            detail.quantity = 5
            try detail.save()
            #expect(!session.canUndo)
        }
    }

    @Test func `a class with a library table can be read-only too`() throws {
        final class Log: PersistentObject {
            override class var tableName: String { "log" }
            override class var isReadOnly: Bool { true }
            var text = ""
        }
        try withTemporarySession { session, file in
            #expect(try Log.count() == 0)
            #expect(throws: StoreError.self) { try Log().save() }
            _ = try file.sqlite("INSERT INTO log (text) VALUES ('x')")
            let log = try #require(try Log.first())
            log.text = "y"
            let error = try #require(throws: StoreError.self) { try session.saveChanges() }
            #expect(error.code == .readOnly && error.rowID == 1)
            log.revert()
            #expect(throws: StoreError.self) { try log.delete() }
            #expect(try Log.count() == 1)
        }
    }
}
