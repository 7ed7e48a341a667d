import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Sums and extremes equal the results that Swift computes from the same objects; results that do not fit throw
/// errors.
struct AggregateTests {
    private typealias Sale = Sales.Sale

    /// The queries under test, each with the objects that it finds.
    private func cases(_ sales: [Sale]) -> [(Query<Sale>, [Sale])] {
        let ordered = sales.sorted { ($0.region, $0.id ?? 0) < ($1.region, $1.id ?? 0) }
        return [
            (Sale.query, sales),
            (Sale.where { $0.amount > 0 }, sales.filter { $0.amount > 0 }),
            (Sale.where { $0.amount > 99 }, []),
            (Sale.where { $0.customer.name == "Acme" }, sales.filter { $0.customer?.name == "Acme" }),
            (Sale.query.limit(7), Array(sales.prefix(7))),
            (Sale.query.offset(3), Array(sales.dropFirst(3))),
            (Sale.query.order(by: \.region).limit(9).offset(4), Array(ordered.dropFirst(4).prefix(9))),
            (Sale.query.limit(0), []),
        ]
    }

    private func sum<V: Numeric>(_ values: [V]) -> V? { values.isEmpty ? nil : values.reduce(0, +) }

    @Test(arguments: SeededGenerator.seeds(4)) func `aggregates equal the values that Swift computes`(seed: UInt64)
        throws
    {
        try withTemporarySession { session, _ throws in
            let sales = try Sales.save(seed == 4 ? 0 : 60, seed: seed, session)
            for (query, found) in cases(sales) {
                try expect(query.sum(\.amount), sum(found.map(\.amount)))
                try expect(query.sum(\.rebate), sum(found.compactMap(\.rebate)))
                try expect(query.sum(\.level), sum(found.map { Int8($0.level) }))
                try expect(query.sum(\.count), sum(found.map(\.count)))
                try expect(query.sum(\.price), sum(found.map(\.price)))
                try expect(query.sum(\.tip), sum(found.compactMap(\.tip)))
                try expect(query.sum(\.weight), sum(found.compactMap(\.weight)))
                try expect(query.sum(\.rate), sum(found.map(\.rate)))
                try expect(query.total(\.rebate), Double(found.compactMap(\.rebate).reduce(0, +)))
                try expect(query.total(\.weight), found.compactMap(\.weight).reduce(0, +))
                let average = sum(found.compactMap(\.rebate)).map {
                    Double($0) / Double(found.compactMap(\.rebate).count)
                }
                try expect(query.average(\.rebate), average)
                try expect(
                    query.average(\.weight),
                    sum(found.compactMap(\.weight)).map { $0 / Double(found.compactMap(\.weight).count) })
                let tips = found.compactMap(\.tip)
                try expect(query.average(\.tip), sum(tips).map { $0 / Decimal(tips.count) })
                try expect(query.average(\.price), sum(found.map(\.price)).map { $0 / Decimal(found.count) })
                let tip = sum(tips).map { NSDecimalNumber(decimal: $0).doubleValue / Double(tips.count) }
                try expect(query.average(\.tip), tip)
                try expect(query.min(\.amount), found.map(\.amount).min())
                try expect(query.max(\.rebate), found.compactMap(\.rebate).max())
                try expect(query.min(\.region), found.map(\.region).min())
                try expect(query.max(\.note), found.compactMap(\.note).max())
                try expect(query.min(\.price), found.map(\.price).min())
                try expect(query.max(\.price), found.map(\.price).max())
                try expect(query.max(\.tip), found.compactMap(\.tip).max())
                try expect(query.min(\.day), found.map(\.day).min())
                try expect(query.max(\.paid), found.compactMap(\.paid).max())
                try expect(query.min(\.grade), found.map(\.grade).min())
                try expect(query.max(\.mood), found.compactMap(\.mood).max())
                try expect(query.max(\.token), found.map(\.token).max())
                try expect(query.min(\.weight), found.compactMap(\.weight).min())
                try expect(query.max(\.id), found.compactMap(\.id).max())
                let ordered = query.order(by: \.id)
                try expect(
                    ordered.concatenated(\.note, separator: "; "), found.compactMap(\.note).joined(separator: "; "))
                try expect(ordered.concatenated(\.amount), found.map { "\($0.amount)" }.joined(separator: ","))
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds(4)) func `aggregates by a key equal the aggregates of the key's groups`(
        seed: UInt64
    ) throws {
        try withTemporarySession { session, _ throws in
            let sales = try Sales.save(50, seed: seed, session)
            for (query, found) in cases(sales) {
                let notes = Dictionary(grouping: found, by: \.note)
                func values<V>(_ path: KeyPath<Sale, V?>, _ make: ([V]) -> V?) -> [String?: V] {
                    notes.mapValues { $0.compactMap { $0[keyPath: path] } }.filter { !$0.value.isEmpty }
                        .compactMapValues(make)
                }
                try expect(query.sum(\.amount, by: \.note), notes.mapValues { $0.map(\.amount).reduce(0, +) })
                try expect(query.sum(\.rebate, by: \.note), values(\.rebate) { $0.reduce(0, +) })
                try expect(query.sum(\.tip, by: \.note), values(\.tip) { $0.reduce(0, +) })
                try expect(query.average(\.weight, by: \.note), values(\.weight) { $0.reduce(0, +) / Double($0.count) })
                try expect(query.average(\.tip, by: \.note), values(\.tip) { $0.reduce(0, +) / Decimal($0.count) })
                try expect(query.min(\.paid, by: \.note), values(\.paid) { $0.min() })
                try expect(query.max(\.mood, by: \.note), values(\.mood) { $0.max() })
                let grades = Dictionary(grouping: found, by: \.grade)
                try expect(query.max(\.price, by: \.grade), grades.compactMapValues { $0.map(\.price).max() })
                try expect(
                    query.min(\.amount, by: \.isOpen),
                    Dictionary(grouping: found, by: \.isOpen).compactMapValues { $0.map(\.amount).min() })
            }
        }
    }

    @Test(.onSQLite("PostgreSQL adds beyond 64 bits"))
    func `a sum is exact or throws, in any order of the rows`() throws {
        try withTemporarySession { session, _ throws in
            func save(_ amount: Int, _ count: UInt64 = 0, _ level: Int8 = 0, _ price: Decimal = 0) throws {
                let sale = Sale()
                (sale.amount, sale.count, sale.level, sale.price) = (amount, count, level, price)
                try sale.save()
            }
            try save(.max, UInt64(Int64.max), 100, Decimal(sign: .plus, exponent: 40, significand: 1))
            try save(2, UInt64(Int64.max), 27)
            try save(-5, 1)
            #expect(try Sale.query.sum(\.amount) == .max - 3)
            #expect(try Sale.query.sum(\.count) == UInt64.max)
            #expect(try Sale.query.sum(\.level) == 127)
            try save(0, 1, 1, Decimal(sign: .plus, exponent: -40, significand: 1))
            func fails(_ property: String, _ body: () throws -> Void) {
                let error = #expect(throws: StoreError.self) { try body() }
                #expect(error?.code == .notRepresentable)
                #expect(error?.property == property)
                #expect(error?.className == "Sale")
            }
            fails("count") { _ = try Sale.query.sum(\.count) }
            fails("level") { _ = try Sale.query.sum(\.level) }
            fails("level") { _ = try Sale.query.sum(\.level, by: \.note) }
            fails("price") { _ = try Sale.query.sum(\.price) }
            #expect(try Sale.query.total(\.level) == 128)
            #expect(try Sale.query.total(\.amount) == Double(Int.max))
            try save(5)
            fails("amount") { _ = try Sale.query.sum(\.amount) }
        }
    }

    final class Bill: PersistentObject {
        override class var tableName: String { "bill" }
        var amount: Cents = 5
    }

    @Test func `a custom numeric type supports sum, but neither total nor average`() throws {
        try withTemporarySession { session, _ throws in
            try session.save([Bill(), Bill()])
            #expect(try Bill.query.sum(\.amount) == 10)
            func check(_ ask: () throws -> Void) {
                let error = #expect(throws: QueryError.self) { () throws in try ask() }
                #expect(error == .notExpressible("Cents cannot be converted to Double. Use the sum instead"))
            }
            check { _ = try Bill.query.total(\.amount) }
            check { _ = try Bill.query.average(\.amount) }
        }
    }

    @Test func `sums with infinities equal those of Swift`() throws {
        try withTemporarySession { session, _ throws in
            for weight in [Float.infinity, 1] {
                let sale = Sale()
                sale.weight = Double(weight)
                sale.rate = weight
                try sale.save()
            }
            try expect(Sale.query.sum(\.weight), .infinity)
            try expect(Sale.query.sum(\.rate), .infinity)
            let sale = Sale()
            sale.weight = -.infinity
            sale.rate = -.infinity
            try sale.save()
            try expect(Sale.query.sum(\.weight)?.isNaN, true)
            try expect(Sale.query.sum(\.rate)?.isNaN, true)
            #expect(try Sale.query.total(\.weight).isNaN)
            try expect(Sale.query.min(\.weight), -.infinity)
        }
    }

    @Test(.onSQLite("the text of its statements is SQLite's")) func `an aggregate runs as one SELECT`() throws {
        try withTemporarySession { session, _ throws in
            _ = try Sales.save(5, seed: 1, session)
            let run = try statements(of: session) {
                _ = try Sale.where { $0.amount > 0 }.order(by: \.region).sum(\.rebate)
                _ = try Sale.query.limit(3).max(\.note)
                _ = try Sale.query.sum(\.rebate, by: \.region)
                _ = try Sale.query.limit(3).average(\.rebate, by: \.region)
                _ = try Sale.query.min(\.price)
            }
            expect(
                run,
                [
                    #"SELECT sum("sale"."rebate") FROM "sale" WHERE "sale"."amount" > ?1"#,
                    #"SELECT max("v1") FROM (SELECT "sale"."note" AS "v1" FROM "sale" ORDER BY "sale"."id" "#
                        + #"LIMIT ?1) AS "found""#,
                    #"SELECT "sale"."region", sum("sale"."rebate") FROM "sale" GROUP BY "sale"."region""#,
                    #"SELECT "v1", total("v2"), count("v2") FROM (SELECT "sale"."region" AS "v1", "#
                        + #""sale"."rebate" AS "v2" FROM "sale" ORDER BY "sale"."id" LIMIT ?1) AS "found" GROUP BY "#
                        + #""v1""#, #"SELECT min("sale"."price" COLLATE po_decimal) FROM "sale""#,
                ])
        }
    }
}
