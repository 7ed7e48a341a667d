import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

struct PartialObjectTests {
    private typealias Sale = Sales.Sale

    @Test(arguments: 1...3 as ClosedRange<UInt64>) func `chosen and other properties are those of the objects`(
        seed: UInt64
    ) throws {
        try withTemporarySession { session, file throws in
            _ = try Sales.save(40, seed: seed, session)
            try file.open().withSession { session throws in
                let query = Sale.where { $0.amount > 0 }.order(by: \.region).order(by: \.id, .descending).limit(9)
                var parts: [PartialObject<Sale>] = []
                let first = try statements(of: session) {
                    parts = try query.only(\.region, \.note, \.price, \.mood)
                    for part in parts { _ = (try part.region, try part.note, try part.price, try part.mood) }
                }
                #expect(first.count { $0.contains("FROM \"sale\"") } == 1, "\(first)")
                let part = try #require(parts.first)
                let rest = try statements(of: session) { _ = (try part.amount, try part.tip, try part.day) }
                #expect(rest.count { $0.contains("FROM \"sale\"") } == 1, "\(rest)")
                let names = try query.only(\.customer?.name, \.id).map { try $0.customer?.name }
                #expect(try names == query.values(of: \.customer?.name))
                let found = try query.all()
                #expect(parts.map(\.id) == found.map(\.id))
                for (part, sale) in zip(parts, found) {
                    #expect(try part.object() === sale)
                    #expect(try part.region == sale.region && part.note == sale.note && part.price == sale.price)
                    #expect(try part.mood == sale.mood && part.amount == sale.amount && part.tags == sale.tags)
                    #expect(try part.customer === sale.customer)
                }
            }
        }
    }

    @Test func `edits stay, and show as values(of:) has them`() throws {
        try withTemporarySession { session, _ throws in
            let sale = Sale()
            (sale.region, sale.amount) = ("a", 1)
            try sale.save()
            (sale.region, sale.amount) = ("b", 2)
            let part = try #require(try Sale.query.only(\.region).first)
            #expect(try [part.region] == Sale.query.values(of: \.region) && part.region == "a" && part.amount == 2)
            #expect(try part.object() === sale && sale.region == "b")
            withExtendedLifetime(session) {}
        }
    }

    @Test func `a row that is gone, and what is no column`() throws {
        try withTemporarySession { session, _ throws in
            let sale = Sale()
            sale.region = "a"
            try sale.save()
            let part = try #require(try Sale.query.only(\.region).first)
            #expect(throws: QueryError.self) { try Sale.query.only(\.region, \.customer) }
            #expect(throws: QueryError.self) { try Sale.query.only(\.tags) }
            try sale.delete()
            #expect(try part.region == "a")
            #expect(try Sale.query.only(\.region).isEmpty)
            let error = #expect(throws: StoreError.self) { try part.amount }
            #expect(error?.code == .rowGone)
            withExtendedLifetime(session) {}
        }
    }
}
