import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

// Conversions declared by a class: when a save is its first use, and from the property's own column.

extension PlanTests {
    enum Texts {
        final class Visit: PersistentObject {
            override class var tableName: String { "visit" }
            @Indexed var day = "2026-11-24"
            var place = "Bonn"
        }
    }
    enum Days {
        final class Visit: PersistentObject {
            override class var tableName: String { "visit" }
            @Indexed var day = Date.distantPast
            var place = City.nowhere
            override class var conversions: [PropertyConversion] {
                [
                    PropertyConversion(\Visit.day, from: "day") { (text: String) in
                        try Date(text, strategy: .iso8601.year().month().day())
                    },
                    PropertyConversion(\Visit.place, from: "place") { (text: String) in
                        City(rawValue: text + "!") ?? .nowhere
                    },
                ]
            }
        }
        enum City: String { case nowhere, bonn = "Bonn!" }
    }

    @Test func `a conversion can read the property's own column, also without a change of type`() throws {
        let file = try TemporaryStore()
        let first = try Store(file.path)
        try first.withSession { _ throws in try Texts.Visit().save() }
        first.close()
        for _ in 0..<2 {
            let store = try Store(file.path)
            defer { store.close() }
            try store.withSession { _ throws in
                let visit = try #require(try Days.Visit.first())
                #expect(visit.day == Date(timeIntervalSince1970: 1_795_478_400) && visit.place == .bonn)
            }
        }
        let columns = "SELECT name || ' ' || type FROM pragma_table_info('visit')"
        try expect(file.sqlite(columns).split(separator: "\n").sorted(), ["day REAL", "id INTEGER", "place TEXT"])
        try expect(file.sqlite("SELECT name FROM sqlite_schema WHERE name LIKE 'visit.%'"), "visit.day.index")
    }

    @Test(arguments: 0..<5) func `a save can be the first use of a class with conversions`(way: Int) throws {
        let file = try TemporaryStore()
        let first = try Store(file.path)
        try first.withSession { _ throws in
            let invoice = Money.Invoice()
            (invoice.amount, invoice.payer) = (3, "Acme")
            try invoice.save()
        }
        first.close()
        let store = try Store(file.path, configuration: .init(onNote: { _ in }))
        try store.withSession { session throws in
            let invoice = Cents.Invoice()
            invoice.cents = 7
            switch way {
            case 0: try invoice.save()
            case 1: try session.save([invoice, Cents.Invoice()])
            case 2: try session.transaction { try invoice.save() }
            case 3: #expect(try Cents.Invoice.findOrCreateBy.cents(7).isNew == false)
            default:
                session.recordsUndo = true
                try session.add(invoice)
                try session.saveChanges()
            }
            let invoices = try Cents.Invoice.query.order(by: \.id).all()
            #expect(invoices.prefix(2).map(\.cents) == [300, 7] && invoices[0].payer?.name == "Acme")
            #expect(throws: Never.self) { try Company().save() }
        }
    }
}
