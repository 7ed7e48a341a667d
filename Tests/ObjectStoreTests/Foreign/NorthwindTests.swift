import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// An existing database with strings as keys and composite keys.
struct NorthwindTests {
    typealias Customer = Northwind.Customer
    typealias Contact = Northwind.Contact
    typealias Order = Northwind.Order
    typealias OrderDetail = Northwind.OrderDetail
    typealias Product = Northwind.Product
    typealias Shipment = Northwind.Shipment
    typealias Region = Northwind.Region

    @Test func `objects are found by their keys, single or composite`() throws {
        try Northwind.with { _, _ throws in
            try expect(Customer.find(key: "BERGS")?.company, "Berglunds snabbköp")
            #expect(try Customer.find(key: "NOONE") == nil)
            let detail = try #require(try OrderDetail.find(key: 10248, 11))
            #expect(detail.quantity == 10 && detail.order?.id == 10248 && detail.product?.name == "Aniseed Syrup")
            #expect(try OrderDetail.find(key: detail.order, 11) === detail)
            #expect(try OrderDetail.find(key: 10249, 11) == nil)
            try expect(Region.find(key: "DE")?.parent?.code, "EU")
        }
    }

    @Test func `a find with an invalid key is an error that names the parts of the key`() throws {
        try Northwind.with { _, _ throws in
            func error(_ body: () throws -> Void) throws -> StoreError {
                try #require(throws: StoreError.self, performing: body)
            }
            let few = try error { _ = try OrderDetail.find(key: 10248) }
            #expect(few.code == .misuse && few.message.contains("order, product"))
            let wrong = try error { _ = try Customer.find(key: 7) }
            #expect(wrong.code == .typeMismatch && wrong.property == "code")
            try expect(error { _ = try Customer.find(key: nil) }.code, .typeMismatch)
            try expect(error { _ = try Order.find(key: 1) }.code, .noSuchProperty)
        }
    }

    @Test func `references by keys lead both ways`() throws {
        try Northwind.with { _, _ throws in
            let alfki = try #require(try Customer.find(key: "ALFKI"))
            expect(alfki.orders.map(\.id), [10248, 10250])
            #expect(alfki.orders[0].customer === alfki && alfki.orders[0].customerCode == "ALFKI")
            #expect(try #require(try Customer.find(key: "ANATR")).orders.isEmpty)
            #expect(try #require(try Order.find(10251)).customer == nil)
            let detail = try #require(try OrderDetail.find(key: 10248, 11))
            expect(detail.shipments.map(\.note), ["first"])
            let shipments = try Shipment.all()
            expect(shipments.map { $0.detail?.product?.name }, ["Aniseed Syrup", "Chang", nil])
            #expect(shipments[0].detail === detail && shipments[1].note == "7")
            try expect(Region.find(key: "EU")?.parts.map(\.code), ["DE"])
        }
    }

    @Test func `inverses with a condition work with keys`() throws {
        try Northwind.with { _, _ throws in
            let alfki = try #require(try Customer.find(key: "ALFKI"))
            expect(alfki.great.map(\.id), [10248, 10250])
            let detail = try #require(try OrderDetail.find(key: 10248, 1))
            detail.quantity = 2
            try detail.save()
            expect(alfki.great.map(\.id), [10250])
            try expect(Customer.where { $0.great.any { $0.freight > 1 } }.all(), [alfki])
            try expect(OrderDetail.where { $0.named.count == 1 }.all().map(\.product?.id), [11])
            let sent = try #require(try OrderDetail.find(key: 10249, 2))
            #expect(sent.named.isEmpty && sent.shipments.count == 1)
            sent.shipments[0].note = "first"
            try sent.save()
            expect(sent.named.count, 1)
        }
    }

    @Test func `queries use references by keys and the indexes of their columns`() throws {
        try Northwind.with { session, _ throws in
            let alfki = try #require(try Customer.find(key: "ALFKI"))
            try expect(Order.where { $0.customer == alfki }.all().map(\.id), [10248, 10250])
            try expect(Order.findByCustomer(alfki).map(\.id), [10248, 10250])
            try expect(Order.where { $0.customer == nil }.all().map(\.id), [10251])
            try expect(Order.where { $0.customer != alfki }.all().map(\.id), [10249, 10251])
            try expect(Order.where { $0.customer.city == "Berlin" }.all().map(\.id), [10248, 10250])
            try expect(Order.where { $0.customer.country == nil }.all().map(\.id), [10251])
            try expect(Order.where { $0.customer.isIn([alfki]) }.count(), 2)
            try expect(Customer.where { $0.orders.any { $0.freight > 60 } }.all().map(\.code), ["ALFKI"])
            try expect(Customer.where { $0.orders.count == 2 }.all().map(\.code), ["ALFKI"])
            try expect(Shipment.where { $0.detail.order.customer.code == "BERGS" }.all().map(\.id), [2])
            try expect(OrderDetail.where { $0.shipments.isEmpty }.count(), 2)
            try expect(Order.findByCriteria("WHERE customer.city = ?", "Luleå").map(\.id), [10249])
            let plans = try [
                Order.where { $0.customer == alfki }.explain(), Shipment.where { $0.detail.quantity == 9 }.explain(),
            ]
            #expect(plans[0].description.contains("OrderCustomers"), "\(plans[0])")
            let day = try #require(DateText.date("2016-07-05"))
            try expect(Order.where { $0.date >= day }.all().map(\.id), [10249, 10250])
            try expect(Order.where { $0.date.day == 4 }.all().map(\.id), [10248])
            try expect(Product.where { $0.isDiscontinued }.all().map(\.name), ["Aniseed Syrup"])
        }
    }

    @Test func `new objects refer to each other by keys that are saved with them`() throws {
        try Northwind.with { _, file throws in
            let customer = Customer()
            (customer.code, customer.company) = ("NEWCO", "New Company")
            let order = Order()
            (order.customer, order.freight) = (customer, 1.5)
            order.date = DateText.date("2020-02-29")
            let detail = OrderDetail()
            (detail.order, detail.product, detail.quantity) = (order, try Product.find(2), 3)
            detail.price = 2
            let shipment = Shipment()
            (shipment.detail, shipment.note) = (detail, "x")
            try shipment.save()
            #expect(order.id == 10252 && order.customerCode == "NEWCO" && detail.total == 6)
            #expect(!order.hasChanges && !detail.hasChanges)
            try expect(
                file.sqlite("SELECT CustomerID, OrderDate, Freight FROM Orders WHERE OrderID = 10252"),
                "NEWCO|2020-02-29|1.5")
            try expect(
                file.sqlite("SELECT OrderID, ProductID, Quantity, Total FROM [Order Details] WHERE OrderID > 10251"),
                "10252|2|3|6.0")
            try expect(file.sqlite("SELECT OrderID, ProductID, Note FROM Shipments WHERE ShipmentID = 4"), "10252|2|x")
            shipment.detail = try OrderDetail.find(key: 10248, 11)
            order.customer = nil
            try shipment.save()
            try order.save()
            #expect(order.customerCode == nil)
            try expect(file.sqlite("SELECT OrderID, ProductID FROM Shipments WHERE ShipmentID = 4"), "10248|11")
            try expect(file.sqlite("SELECT CustomerID IS NULL FROM Orders WHERE OrderID = 10252"), "1")
            try expect(Order.where { $0.id == 10252 }.update { $0.customer = customer }, 1)
            #expect(order.customer === customer)
            try expect(file.sqlite("SELECT CustomerID FROM Orders WHERE OrderID = 10252"), "NEWCO")
        }
    }

    @Test func `rows of a ring get each other's keys`() throws {
        try Northwind.with { _, file throws in
            let (north, south) = (Region(), Region())
            (north.code, south.code) = ("N", "S")
            (north.parent, south.parent) = (south, north)
            try north.save()
            try expect(file.sqlite("SELECT Code, Parent FROM Region WHERE length(Code) = 1 ORDER BY 1"), "N|S\nS|N")
        }
    }

    @Test func `a reference to a missing row is refused, and nothing is written`() throws {
        try Northwind.with { session, file throws in
            let alfki = try #require(try Customer.find(key: "ANATR"))
            _ = try file.sqlite("DELETE FROM Customers WHERE CustomerID = 'ANATR'")
            let order = Order()
            order.customer = alfki
            let error = try #require(throws: StoreError.self) { try order.save() }
            #expect(error.code == .brokenReference && error.property == "customer" && error.className == "Order")
            #expect(order.id == nil)
            try expect(file.sqlite("SELECT count(*) FROM Orders"), "4")
        }
    }

    @Test
    func `a deletion sets references by keys to nil, cascades or is denied, as the delete rules declare`() throws {
        try Northwind.with { _, file throws in
            let order = try #require(try Order.find(10250))
            try Customer.find(key: "ALFKI")?.delete()
            #expect(order.customer == nil)
            try expect(file.sqlite("SELECT count(*) FROM Orders WHERE CustomerID IS NULL"), "3")
            let detail = try #require(try OrderDetail.find(key: 10248, 11))
            let shipment = try #require(try Shipment.find(1))
            #expect(shipment.detail === detail)
            try Order.find(10248)?.delete()
            #expect(detail.isDeleted && shipment.detail == nil)
            try expect(
                file.sqlite("SELECT count(*) FROM [Order Details]; SELECT count(OrderID) FROM Shipments"), "2\n1")
            let error = try #require(throws: StoreError.self) { try Northwind.Category.find(1)?.delete() }
            expect(error.code, .deletionDenied)
            try expect(file.sqlite("PRAGMA foreign_key_check"), "")
        }
    }

    @Test func `a generated column is read again after a save, and cannot be set`() throws {
        try Northwind.with { _, file throws in
            let detail = try #require(try OrderDetail.find(key: 10249, 2))
            #expect(abs((detail.total ?? 0) - 125.55) < 1e-9)
            detail.discount = 0
            try detail.save()
            #expect(abs((detail.total ?? 0) - 167.4) < 1e-9 && !detail.hasChanges)
            detail.total = 1
            let error = try #require(throws: StoreError.self) { try detail.save() }
            #expect(error.code == .readOnly && error.property == "total" && error.message.contains("@ReadOnly"))
            detail.revert()
            #expect(throws: QueryError.self) { _ = try OrderDetail.query.update { $0.total = 3 } }
        }
    }

    @Test func `two classes over one table see each other's saves and deletions`() throws {
        try Northwind.with { session, file throws in
            let customer = try #require(try Customer.find(key: "ALFKI"))
            let contact = try #require(try Contact.find(key: "ALFKI"))
            #expect(contact.name == "Maria Anders" && customer.id == contact.id)
            contact.phone = "1"
            customer.city = "Hamburg"
            try session.saveChanges()
            try expect(file.sqlite("SELECT City, Phone FROM Customers WHERE CustomerID = 'ALFKI'"), "Hamburg|1")
            let other = try #require(try Contact.find(key: "ANATR"))
            let same = try #require(try Customer.find(key: "ANATR"))
            other.code = "ANA"
            try other.save()
            #expect(try Customer.find(key: "ANA") === same && same.code == "ANA")
            try same.delete()
            #expect(try Contact.find(key: "ANA") == nil)
            #expect(!(try Contact.all()).contains(other))
        }
    }

    @Test func `strings in number columns and numbers in string columns are converted`() throws {
        try Northwind.with { _, file throws in
            let product = try #require(try Product.find(11))
            #expect(product.isDiscontinued && product.price == 10 && product.stock == 13)
            product.isDiscontinued = false
            try product.save()
            try expect(
                file.sqlite("SELECT Discontinued, typeof(Discontinued) FROM Products WHERE ProductID = 11"), "0|text")
            _ = try file.sqlite("UPDATE Products SET UnitsInStock = 'many' WHERE ProductID = 11")
            let error = try #require(throws: StoreError.self) {
                _ = try Product.where { $0.name == "Aniseed Syrup" }.all()
            }
            #expect(error.code == .typeMismatch && error.property == "stock" && error.rowID == 11)
        }
    }
}
