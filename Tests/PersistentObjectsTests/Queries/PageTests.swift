import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Pages are slices of the query's results, by page number or after an object.
struct PageTests {
    private typealias Sale = Sales.Sale

    @Test(arguments: SeededGenerator.seeds(3)) func `pages are slices of all`(seed: UInt64) throws {
        try withTemporarySession { session, _ throws in
            _ = try Sales.save(Int(seed) * 10, seed: seed, session)
            let ordered = Sale.query.order(by: \.note, .descending)
            for query in [
                Sale.query, ordered, Sale.where { $0.amount > 0 }, ordered.limit(7), ordered.offset(3).limit(8),
                ordered.offset(99),
            ] {
                let all = try query.all()
                for size in [1, 3, 5, 10, .max] {
                    for number in 1...(size == 1 ? 32 : 8) {
                        let page = try query.page(number, of: size)
                        let (start, isBeyond) = (number - 1).multipliedReportingOverflow(by: size)
                        expect(page.items, isBeyond ? [] : Array(all.dropFirst(start).prefix(size)))
                        expect(page.hasNext, !isBeyond && all.dropFirst(start).count > size)
                        expect(page.hasPrevious, number > 1)
                        #expect((page.number, page.size) == (number, size))
                    }
                }
                try expect(query.page(2, of: 4).total(), all.count)
                try expect(query.page(2, of: 4).pageCount(), (all.count + 3) / 4)
            }
        }
    }

    @Test func `a page takes one SELECT, and its total another`() throws {
        try withTemporarySession { session, _ throws in
            _ = try Sales.save(9, seed: 1, session)
            func selects(_ body: () throws -> Void) throws -> [String] {
                try statements(of: session, body).filter { $0.contains(#"FROM "sale""#) }
            }
            _ = try Sale.query.page(1, of: 2)
            let run = try selects { _ = try Sale.query.page(2, of: 4) }
            #expect(run.count == 1 && run[0].hasSuffix(" LIMIT ?1 OFFSET ?2"))
            try expect(selects { _ = try Sale.query.page(2, of: 4).total() }.count, 2)
        }
    }

    @Test func `page numbers and sizes below 1 throw`() throws {
        try withTemporarySession { _, _ throws in
            for (number, size) in [(0, 5), (-1, 5), (1, 0), (1, -1)] {
                #expect(throws: QueryError.self) { try Sale.query.page(number, of: size) }
            }
        }
    }

    // MARK: Keysets

    private static let queries: [Query<Sales.Sale>] = [
        Sale.query, Sale.query.order(by: \.region), Sale.query.order(by: \.note, .descending).order(by: \.amount),
        Sale.query.order(by: \.rebate).order(by: \.note, .descending).order(by: \.paid),
        Sale.query.order(nilLast: true) { $0.rebate }.order(.descending, nilLast: false) { $0.note },
        Sale.query.order(nilLast: true) { $0.mood }.order(by: \.weight, .descending),
        Sale.query.order { $0.customer.name }.order(.descending) { $0.customer.size },
        Sale.query.order { $0.customer.id }.order(by: \.isOpen, .descending),
        Sale.query.order(by: \.id, .descending), Sale.where { $0.amount > 0 }.order(by: \.day),
        Sale.query.order(by: \.grade, .descending).order(by: \.token),
    ]

    @Test(arguments: SeededGenerator.seeds(4))
    func `after and before return the objects that follow and precede each object`(
        seed: UInt64
    ) throws {
        try withTemporarySession { session, _ throws in
            let sales = try Sales.save(30, seed: seed, session)
            for query in PageTests.queries {
                let all = try query.all()
                for (index, sale) in all.enumerated() {
                    try expect(query.after(sale, limit: 4), Array(all.dropFirst(index + 1).prefix(4)))
                    try expect(query.before(sale, limit: 4), Array(all.prefix(index).suffix(4)))
                }
                // From an object that the query does not find, to its neighbors.
                for sale in sales where !all.contains(sale) {
                    let both = try query.before(sale, limit: 99) + query.after(sale, limit: 99)
                    expect(both, all)
                }
                #expect(try query.after(sales[0], limit: 0).isEmpty)
            }
        }
    }

    @Test func `pages in an order that ignores case contain each object once`() throws {
        try withTemporarySession { session, _ throws in
            let texts = ["b", "A", "a", "B", "É", "e\u{301}", "Z", "_", "ς", "Σ", "", "ab", "AB", "aB"]
            let sales = texts.map { text in
                let sale = Sale()
                (sale.region, sale.note) = (text, text == "A" || text == "b" ? nil : text)
                return sale
            }
            try session.save(sales)
            for order in [Query<Sale>.Order.ascending, .descending] {
                let required = Sale.query.order(order, ignoringCase: true) { $0.region }
                for query in [required, Sale.query.order(order, ignoringCase: true) { $0.note }] {
                    let all = try query.all()
                    for (index, sale) in all.enumerated() {
                        try expect(query.after(sale, limit: 3), Array(all.dropFirst(index + 1).prefix(3)))
                        try expect(query.before(sale, limit: 3), Array(all.prefix(index).suffix(3)))
                    }
                }
            }
        }
    }

    @Test func `the object passed to after can be deleted or edited`() throws {
        try withTemporarySession { session, file throws in
            for region in ["a", "b", "c", "d"] {
                let sale = Sale()
                sale.region = region
                try sale.save()
            }
            let query = Sale.query.order(by: \.region)
            let sales = try query.all()
            try sales[1].delete()
            try expect(query.after(sales[1], limit: 9), [sales[2], sales[3]])
            try expect(query.before(sales[1], limit: 9), [sales[0]])
            // Another program deletes the row, so the object still counts as saved.
            _ = try file.sqlite("DELETE FROM sale WHERE id = \(sales[2].id ?? 0)")
            try expect(query.after(sales[2], limit: 9), [sales[3]])
            // An edited object is placed by its edited value.
            sales[0].region = "cc"
            try expect(query.after(sales[0], limit: 9), [sales[3]])
            sales[0].revert()
        }
    }

    @Test func `after and before refuse new objects, limited queries and computed orders`() throws {
        try withTemporarySession { session, _ throws in
            let sales = try Sales.save(2, seed: 1, session)
            let error = #expect(throws: StoreError.self) { try Sale.query.after(Sale(), limit: 3) }
            expect(error?.code, .misuse)
            #expect(throws: QueryError.self) { try Sale.query.limit(3).after(sales[0], limit: 3) }
            #expect(throws: QueryError.self) { try Sale.query.offset(3).before(sales[0], limit: 3) }
            #expect(throws: QueryError.self) {
                try Sale.query.order { $0.region.count }.after(sales[0], limit: 3)
            }
        }
    }

    @Test(.onSQLite("PostgreSQL does not explain queries yet"))
    func `the start of a page is found through an index`() throws {
        try withTemporarySession { session, _ throws in
            let sales = try Sales.save(20, seed: 1, session)
            let space = try session.space(of: Sale.self)
            for query in [Sale.query.order(by: \.code), Sale.query.order(by: \.code, .descending)] {
                let definitions = try Keyset(query.definition).definitions(after: sales[0])
                try #require(definitions.count == 1)
                let plan = try queryPlan(of: space.makePlan(definitions[0]).select.text, session.connection)
                expect(plan.first?.hasPrefix("SEARCH sale USING INDEX"), true)
            }
        }
    }

    final class Visit: PersistentObject {
        override class var tableName: String { "visit" }
        @Indexed var day: Date?
        var place = ""
    }

    /// Going from a value to nil, or from nil to a value, takes two searches and no sorting.
    @Test(
        .onSQLite("PostgreSQL does not explain queries yet"), arguments: [nil, Date(timeIntervalSinceReferenceDate: 5)])
    func `the start of a page is found through an index even if values can be nil`(day: Date?) throws {
        try withTemporarySession { session, _ throws in
            let space = try session.space(of: Visit.self)
            let visit = try Visit(["day": day])
            try visit.save()
            for (query, hasNilLast) in [
                (Visit.query.order(by: \.day), false), (Visit.query.order(by: \.day, .descending), true),
                (Visit.query.order(nilLast: true) { $0.day }, true),
                (Visit.query.order(.descending, nilLast: false) { $0.day }, false),
                (Visit.query.order(by: \.day).order(by: \.place), false),
            ] {
                let definitions = try Keyset(query.definition).definitions(after: visit)
                expect(definitions.count, (day == nil) == hasNilLast ? 1 : 2)
                for definition in definitions {
                    let plan = try queryPlan(of: space.makePlan(definition).select.text, session.connection)
                    expect(plan.first?.hasPrefix("SEARCH visit USING INDEX"), true, "\(plan)")
                    let isSorted = plan.contains { $0.hasPrefix("USE TEMP B-TREE FOR ORDER BY") }
                    #expect(!isSorted, "\(plan)")
                }
            }
        }
    }

    @Test func `a page across nil and non-nil values is read in one transaction`() throws {
        try withTemporarySession { session, _ throws in
            for day in [nil, Date(timeIntervalSinceReferenceDate: 1), Date(timeIntervalSinceReferenceDate: 2)] {
                try Visit(["day": day]).save()
            }
            let query = Visit.query.order(by: \.day, .descending)
            let visits = try query.all()
            let run = try statements(of: session) { () throws in
                try expect(query.after(visits[0], limit: 2), Array(visits.dropFirst()))
            }
            expect(run.first?.hasPrefix("BEGIN"), true)
            expect(run.count { $0.hasPrefix("SELECT") }, 2)
            let full = try statements(of: session) { () throws in
                try expect(query.after(visits[0], limit: 1), [visits[1]])
            }
            expect(full.count { $0.hasPrefix("SELECT") }, 1, "a page that is full asks no further")
        }
    }

    @Test(.onSQLite("the text of the statements is SQLite's"))
    func `case-insensitive pages compare case-insensitively`()
        throws
    {
        try withTemporarySession { session, _ throws in
            let sales = try Sales.save(1, seed: 1, session)
            let query = Sale.query.order(ignoringCase: true) { $0.region }
            let definitions = try Keyset(query.definition).definitions(after: sales[0])
            let sql = try session.space(of: Sale.self).makePlan(definitions[0]).select.text
            #expect(sql.contains(#""sale"."region" COLLATE po_nocase >= ?1"#))
            #expect(sql.contains(#""sale"."region" COLLATE po_nocase > ?2"#))
        }
    }
}
