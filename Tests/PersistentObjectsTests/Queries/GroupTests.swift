import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Groups by references, expressions and several keys equal the groups that Swift computes from the same objects.
struct GroupTests {
    private typealias Sale = Sales.Sale
    private typealias Customer = Sales.Customer

    private struct Pair: Hashable {
        let region: String
        let amount: Int
    }

    private func cases(_ sales: [Sale]) -> [(Query<Sale>, [Sale])] {
        [
            (Sale.query, sales),
            (Sale.where { $0.amount > 0 }, sales.filter { $0.amount > 0 }),
            (Sale.where { $0.customer.name == "Acme" }, sales.filter { $0.customer?.name == "Acme" }),
            (Sale.where { $0.amount > 99 }, []),
            (Sale.query.limit(17).offset(3), Array(sales.dropFirst(3).prefix(17))),
            (
                Sale.query.order(.descending) { $0.amount }.limit(20),
                Array(sales.sorted { ($1.amount, $0.id ?? 0) < ($0.amount, $1.id ?? 0) }.prefix(20))
            ),
        ]
    }

    @Test(arguments: SeededGenerator.seeds(4)) func `groups by a reference equal those of Swift`(seed: UInt64) throws {
        try withTemporarySession { session, _ throws in
            let sales = try Sales.save(60, seed: seed, session)
            for (query, found) in cases(sales) {
                let groups = Dictionary(grouping: found, by: \.customer)
                try expect(query.counted(by: \.customer), groups.mapValues(\.count))
                try expect(query.sum(\.amount, by: \.customer), groups.mapValues { $0.map(\.amount).reduce(0, +) })
                try expect(query.max(\.region, by: \.customer), groups.compactMapValues { $0.map(\.region).max() })
                try expect(
                    query.average(\.amount, by: \.customer),
                    groups.mapValues { Double($0.map(\.amount).reduce(0, +)) / Double($0.count) })
                try expect(query.sum(\.price, by: \.customer), groups.mapValues { $0.map(\.price).reduce(0, +) })
                try expect(
                    query.counted(by: \.customer, having: { $0.count > 5 }),
                    groups.mapValues(\.count).filter { $0.value > 5 })
                try expect(
                    query.counted(by: { $0.customer.name }),
                    Dictionary(grouping: found, by: { $0.customer?.name }).mapValues(\.count))
                try expect(
                    query.counted(by: \.customer?.name),
                    Dictionary(grouping: found, by: { $0.customer?.name }).mapValues(\.count))
            }
        }
    }

    @Test func `group keys are the instances in memory, and other keys are loaded with one query`() throws {
        try withTemporarySession { session, _ throws in
            let sales = try Sales.save(40, seed: 3, session)
            let counts = try Sale.query.counted(by: \.customer)
            for customer in counts.keys.compactMap({ $0 }) {
                #expect(sales.contains { $0.customer === customer })
            }
            try session.store.withSession { inner in
                _ = try (Sale.count(), Customer.count())
                var others: [Customer?: Int] = [:]
                let log = try statements(of: inner) { others = try Sale.query.counted(by: \.customer) }
                #expect(others.values.sorted() == counts.values.sorted())
                #expect(log.filter { $0.hasPrefix("SELECT") }.count == 2, "\(log)")
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds(4))
    func `groups by an expression with conditions equal those of Swift`(seed: UInt64) throws {
        try withTemporarySession { session, _ throws in
            let sales = try Sales.save(60, seed: seed, session)
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            for (query, found) in cases(sales) {
                let minutes = Dictionary(grouping: found) { calendar.component(.minute, from: $0.day) as Int? }
                try expect(query.counted(by: { $0.day.minute }), minutes.mapValues(\.count))
                try expect(
                    query.counted(by: { $0.day.minute }, having: { $0.count > 3 && $0.sum(\.amount) > 0 }),
                    minutes.filter { $0.value.count > 3 && $0.value.map(\.amount).reduce(0, +) > 0 }.mapValues(\.count))
                let rows = try query.groups { $0.day.minute }
                    .having { $0.average(\.amount) > -1 }
                    .order(.descending) { $0.sum { $0.amount * 2 } }
                    .values { ($0.count, $0.sum { $0.amount * 2 }, $0.max(\.region)) }
                func average(_ sales: [Sale]) -> Double {
                    Double(sales.map(\.amount).reduce(0, +)) / Double(sales.count)
                }
                let wanted = minutes.filter { average($0.value) > -1 }.map { minute, sales in
                    (minute, sales.count, sales.map(\.amount).reduce(0, +) * 2, sales.map(\.region).max())
                }
                .sorted { ($1.2, $0.0 ?? 0) < ($0.2, $1.0 ?? 0) }
                #expect(rows.map(\.0) == wanted.map(\.0) && rows.map(\.1) == wanted.map(\.1))
                #expect(rows.map(\.2) == wanted.map(\.2) && rows.map(\.3) == wanted.map(\.3))
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds(4)) func `groups by several keys are sorted and can be limited`(seed: UInt64)
        throws
    {
        try withTemporarySession { session, _ throws in
            let sales = try Sales.save(60, seed: seed, session)
            for (query, found) in cases(sales) {
                let groups = Dictionary(grouping: found) { Pair(region: $0.region, amount: $0.amount) }
                let wanted = groups.keys.sorted {
                    $0.region == $1.region
                        ? $0.amount < $1.amount
                        : $0.region.unicodeScalars.lexicographicallyPrecedes($1.region.unicodeScalars)
                }
                let rows = try query.groups { ($0.region, $0.amount) }
                    .values { ($0.count, $0.count(of: \.rebate), $0.min(\.rebate), $0.sum(\.weight)) }
                expect(rows.map { Pair(region: $0.0, amount: $0.1) }, wanted)
                expect(rows.map(\.2), wanted.map { groups[$0]?.count })
                expect(rows.map(\.3), wanted.map { groups[$0]?.compactMap(\.rebate).count })
                expect(rows.map(\.4), wanted.map { groups[$0]?.compactMap(\.rebate).min() })
                let weights = wanted.map { groups[$0]?.compactMap(\.weight) ?? [] }
                expect(rows.map(\.5), weights.map { $0.isEmpty ? nil : $0.reduce(0, +) })
                let part = try query.groups { ($0.region, $0.amount) }.limit(4).offset(2).values { $0.count }
                expect(part.map(\.2), Array(rows.map(\.2).dropFirst(2).prefix(4)))
                let end = try query.groups { ($0.region, $0.amount) }.offset(3).values(\.count)
                expect(end.map(\.2), Array(rows.map(\.2).dropFirst(3)))
                let people = try query.groups { ($0.customer, $0.region) }.values { $0.count }
                for (customer, region, count) in people {
                    expect(count, found.count { $0.customer === customer && $0.region == region })
                }
                expect(people.map(\.2).reduce(0, +), found.count)
            }
        }
    }

    @Test func `groups are computed by one statement, with HAVING, ORDER BY and LIMIT`() throws {
        try withTemporarySession { session, _ throws in
            _ = try Sales.save(30, seed: 1, session)
            let groups = Sale.where { $0.amount > 0 }.groups { $0.amount + 1 }.having { $0.count > 1 }
                .order(.descending) { $0.count }.limit(3)
            let log = try statements(of: session) { _ = try groups.values { $0.count } }
            let select = try #require(log.first { $0.hasPrefix("SELECT") })
            #expect(log.filter { $0.hasPrefix("SELECT") }.count == 1)
            for part in ["GROUP BY", "HAVING count(*) >", "ORDER BY count(*) DESC", "LIMIT"] {
                #expect(select.contains(part), "\(select)")
            }
        }
    }

    @Test func `grouping by a collection, or a sum of Decimals in a group, is refused before any SQL runs`() throws {
        try withTemporarySession { session, _ throws in
            _ = try Sale.count()
            let log = statements(of: session) {
                #expect(throws: QueryError.self) { try Sale.query.groups { $0.tags }.values { $0.count } }
                #expect(throws: QueryError.self) { try Sale.query.groups { $0.region }.values { $0.sum(\.price) } }
            }
            #expect(log.isEmpty, "\(log)")
        }
    }
}
