import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Aggregates of expressions equal the results that Swift computes from the same objects; results that do not fit
/// throw.
struct CalculatedAggregateTests {
    private typealias Sale = Sales.Sale

    private func sum<V: Numeric>(_ values: [V]) -> V? { values.isEmpty ? nil : values.reduce(0, +) }

    @Test(arguments: SeededGenerator.seeds(4))
    func `aggregates of expressions equal the values that Swift computes`(seed: UInt64) throws {
        try withTemporarySession { session, _ throws in
            let sales = try Sales.save(seed == 4 ? 0 : 60, seed: seed, session)
            let ordered = sales.sorted { ($0.amount, $0.id ?? 0) < ($1.amount, $1.id ?? 0) }
            let cases: [(Query<Sale>, [Sale])] = [
                (Sale.query, sales), (Sale.where { $0.amount > 0 }, sales.filter { $0.amount > 0 }),
                (Sale.query.order(by: \.amount).limit(9).offset(4), Array(ordered.dropFirst(4).prefix(9))),
                (Sale.query.limit(0), []),
            ]
            for (query, found) in cases {
                try expect(query.sum { $0.amount * $0.code }, sum(found.map { $0.amount * $0.code }))
                try expect(
                    query.sum { $0.amount + $0.rebate }, sum(found.compactMap { s in s.rebate.map { s.amount + $0 } }))
                try expect(query.sum { ($0.rebate ?? 1) - 2 }, sum(found.map { ($0.rebate ?? 1) - 2 }))
                try expect(query.sum { $0.weight * 2 }, sum(found.compactMap { $0.weight.map { $0 * 2 } }))
                try expect(query.sum(\.customer.size), sum(found.compactMap { $0.customer?.size }))
                try expect(query.sum(\.customer?.size), sum(found.compactMap { $0.customer?.size }))
                try expect(query.sum { $0.level * 2 }, sum(found.map { $0.level * 2 }))
                try expect(query.total { $0.amount * 2 }, Double(found.map(\.amount).reduce(0, +) * 2))
                try expect(
                    query.average { $0.amount * $0.code },
                    sum(found.map { $0.amount * $0.code }).map { Double($0) / Double(found.count) })
                try expect(query.min { $0.amount - $0.code }, found.map { $0.amount - $0.code }.min())
                try expect(query.max { $0.region.lowercased() }, found.map { $0.region.lowercased() }.max())
                try expect(query.max { $0.tags.count }, found.isEmpty ? nil : 0)
                try expect(
                    query.min { $0.day.minute },
                    found.map { Int($0.day.timeIntervalSinceReferenceDate) }.map { (($0 % 3600 + 3600) % 3600) / 60 }
                        .min())
            }
        }
    }

    @Test func `an expression or a sum that exceeds its type throws notRepresentable`() throws {
        try withTemporarySession { session, _ throws in
            let sale = Sale()
            (sale.amount, sale.code, sale.level) = (.max, 2, 100)
            try sale.save()
            let error = #expect(throws: StoreError.self) { try Sale.query.sum { $0.amount * $0.code } }
            #expect(error?.code == .notRepresentable || TestEngine.isPostgres)
            let small = #expect(throws: StoreError.self) { try Sale.query.sum { $0.level * 2 } }
            #expect(small?.code == .notRepresentable)
            // The two amounts exceed the type alone, but not their sum.
            let other = Sale()
            (other.amount, other.code) = (.min, 1)
            try other.save()
            #expect(try Sale.query.sum { $0.amount + 0 } == -1)
            withExtendedLifetime(session) {}
        }
    }

    @Test func `a sum that overflows only in between is exact`() throws {
        try withTemporarySession { session, _ throws in
            for amount in [Int.max, 1, -1, -5] {
                let sale = Sale()
                sale.amount = amount
                try sale.save()
            }
            try expect(Sale.query.sum { $0.amount - 0 }, Int.max - 5)
            withExtendedLifetime(session) {}
        }
    }

    @Test func `calculating with a Decimal in SQL throws`() throws {
        try withTemporarySession { session, _ throws in
            try Sale().save()
            #expect(throws: QueryError.self) { try Sale.query.sum { $0.price * 2 } }
            #expect(try Sale.query.sum { $0.price } == 0)
            withExtendedLifetime(session) {}
        }
    }
}
