import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// SQL arithmetic on decimal numbers with a scale is exact, like Swift's.
@Suite struct ScaledArithmeticTests {
    private final class Order: PersistentObject {
        override class var tableName: String { "scaled_order" }
        var name = ""
        @Inverse(\Line.order) var lines: [Line]
        @Column(scale: 2) var total: Decimal = 0
    }

    private final class Line: PersistentObject {
        override class var tableName: String { "scaled_line" }
        var order: Order?
        var count = 0
        var weight: Int16?
        @Column(scale: 2) var price: Decimal = 0
        @Column(scale: 3) var rate: Decimal?
        @Column(scale: 5) var result: Decimal = 0
        var digits: Decimal = 0
    }

    private static func decimal(_ number: Int, _ places: Int) -> Decimal {
        Decimal(sign: .plus, exponent: -places, significand: Decimal(number))
    }

    /// Runs `body` with random orders and lines.
    private func withLines(_ seed: UInt64 = 7, _ body: ([Order], [Line]) throws -> Void) throws {
        try withTemporarySession { session, _ in
            var random = SeededGenerator(seed: seed)
            let orders = (0..<4).map { number in
                let order = Order()
                order.name = "\(number)"
                return order
            }
            let lines = (0..<40).map { _ in
                let line = Line()
                line.order = orders.randomElement(using: &random)
                line.count = .random(in: -3...9, using: &random)
                line.weight = Bool.random(using: &random) ? .random(in: 0...5, using: &random) : nil
                line.price = Self.decimal(.random(in: -2000...99_999, using: &random), 2)
                line.rate = Bool.random(using: &random) ? Self.decimal(.random(in: 0...2000, using: &random), 3) : nil
                line.digits = line.price
                return line
            }
            for object in orders as [PersistentObject] + lines { try object.save() }
            for order in orders {
                order.total = order.lines.reduce(0) { $0 + $1.price }
                try order.save()
            }
            try body(orders, lines)
        }
    }

    @Test func `sums, differences and products equal those in Swift`() throws {
        try withLines { _, lines throws in
            func check<A>(
                _ term: (Columns<Line>) -> Term<Decimal, A>, _ value: (Line) -> A, _ line: Int = #line
            ) throws where A: Hashable {
                #expect(try Line.query.values(term) == lines.map(value), "line \(line)")
            }
            try check({ $0.price + 1 }, { $0.price + 1 })
            try check({ $0.price - Self.decimal(5, 3) }, { $0.price - Self.decimal(5, 3) })
            try check({ $0.price * Self.decimal(119, 2) }, { $0.price * Self.decimal(119, 2) })
            try check({ $0.price * $0.count }, { $0.price * Decimal($0.count) })
            try check({ $0.count * $0.price }, { $0.price * Decimal($0.count) })
            try check({ $0.price * $0.weight }, { line in line.weight.map { line.price * Decimal(Int($0)) } })
            try check({ $0.price + $0.rate }, { line in line.rate.map { line.price + $0 } })
            try check({ $0.price * $0.rate }, { line in line.rate.map { line.price * $0 } })
            try check({ $0.rate - $0.price }, { line in line.rate.map { $0 - line.price } })
            try check({ $0.rate ?? 0 }, { $0.rate ?? 0 })
            try check(
                { ($0.rate ?? Self.decimal(1, 1)) * $0.count }, { ($0.rate ?? Self.decimal(1, 1)) * Decimal($0.count) })
            try check({ $0.rate ?? $0.price }, { $0.rate ?? $0.price })
        }
    }

    @Test func `conditions on calculated numbers are exact`() throws {
        try withLines { _, lines throws in
            let limit = Self.decimal(123_45, 2)
            #expect(
                try Line.where { $0.price * $0.count > limit }.count()
                    == lines.count { $0.price * Decimal($0.count) > limit })
            #expect(try Line.where { $0.price + $0.price == $0.price * 2 }.count() == lines.count)
            #expect(try Line.where { $0.price + $0.rate > $0.price }.count() == lines.count { ($0.rate ?? 0) > 0 })
            // A number without a scale is also compared as a number.
            #expect(try Line.where { $0.price + 0 == $0.digits }.count() == lines.count)
            #expect(
                try Line.query.order { $0.price * $0.count }.values(of: \.id)
                    == lines.sorted { a, b in
                        let (x, y) = (a.price * Decimal(a.count), b.price * Decimal(b.count))
                        return x == y ? (a.id ?? 0) < (b.id ?? 0) : x < y
                    }.map(\.id))
        }
    }

    @Test func `groups sum and compare numbers with a scale`() throws {
        try withLines { orders, lines throws in
            func sum(_ lines: [Line]) -> Decimal { lines.reduce(0) { $0 + $1.price } }
            let byCount = Dictionary(grouping: lines, by: \.count)
            let groups = try Line.query.groups { $0.count }.values {
                ($0.sum(\.price), $0.min(\.price), $0.max(\.price))
            }
            #expect(groups.count == byCount.count)
            for (count, total, least, greatest) in groups {
                let own = byCount[count] ?? []
                #expect(total == sum(own) && least == own.map(\.price).min() && greatest == own.map(\.price).max())
            }
            let rich = try Line.query.groups { $0.count }.having { $0.sum(\.price) > 1000 }.values { $0.count }
            #expect(rich.map(\.0) == byCount.filter { sum($0.value) > 1000 }.keys.sorted())
            let sums = try Line.query.groups { $0.count }.order(by: { $0.sum(\.price) }).values { $0.sum(\.price) }
            #expect(sums.map(\.1) == byCount.values.map(sum).sorted())
            for (count, average) in try Line.query.groups(by: { $0.count }).values({ $0.average(\.price) }) {
                let exact = NSDecimalNumber(decimal: sum(byCount[count] ?? [])).doubleValue
                #expect(abs((average ?? .nan) - exact / Double(byCount[count]?.count ?? 0)) < 1e-9)
            }
            // Numbers without a scale are sorted by value too.
            let greatest = try Line.query.groups { $0.count }.order(by: { $0.max(\.digits) }).values {
                $0.max(\.digits)
            }
            #expect(greatest.map(\.1) == byCount.values.map { $0.map(\.digits).max() ?? 0 }.sorted())
            #expect(try Line.query.sum(\.price, by: { $0.count }) == byCount.mapValues(sum))
            #expect(try Line.query.sum({ $0.price * $0.count }, by: { $0.count }).count == byCount.count)
            #expect(try Line.query.sum({ $0.price * 2 }, by: \.count) == byCount.mapValues { sum($0) * 2 })
            #expect(try Line.query.max(\.price, by: { $0.order.name }).count == orders.count)
            #expect(
                try Line.query.average(\.price, by: { $0.count })[3] == byCount[3].map { sum($0) / Decimal($0.count) })
        }
    }

    @Test func `sums over inverses can be compared with columns and used for sorting`() throws {
        try withLines { orders, _ throws in
            #expect(try Order.where { $0.lines.sum(\.price) == $0.total }.count() == orders.count)
            #expect(try Order.where { ($0.lines.sum(\.price) ?? 0) + 1 == $0.total }.count() == 0)
            #expect(try Order.query.values { $0.lines.sum(\.price) } == orders.map(\.total))
            func price(of order: Order) -> Decimal { order.lines.reduce(0) { $0 + $1.price * Decimal($1.count) } }
            try expect(Order.query.values { $0.lines.sum { $0.price * $0.count } }, orders.map { price(of: $0) })
            #expect(try Order.query.values { $0.lines.max(\.price) } == orders.map { $0.lines.map(\.price).max() })
            let descending: [Decimal] =
                try Order.query.order(.descending) { $0.lines.sum(\.price) }.values(of: \.total)
            expect(descending, orders.map(\.total).sorted(by: >))
        }
    }

    @Test func `updates set numbers with a scale to calculated values`() throws {
        try withLines { _, lines throws in
            let expected = lines.map { $0.price * Decimal($0.count) }
            try Line.query.update { $0.result = $0.price * $0.count }
            #expect(lines.map(\.result) == expected)
            try Line.query.update { $0.price += 1 }
            try Line.query.update { $0.price *= 2 }
            try Line.query.update { $0.price = $0.price - Self.decimal(50, 2) }
            #expect(lines.map(\.price) == lines.map { ($0.digits + 1) * 2 - Self.decimal(50, 2) })
            try Line.query.update { $0.result = ($0.rate ?? 0) * $0.price }
            #expect(lines.map(\.result) == lines.map { ($0.rate ?? 0) * $0.price })
            try Line.query.update { $0.digits = $0.price * $0.count }
            #expect(lines.map(\.digits) == lines.map { $0.price * Decimal($0.count) })
        }
    }

    @Test func `too many decimal places or a missing scale are refused, and the error names the remedy`() throws {
        try withLines { _, _ throws in
            let refused: [(String, () throws -> Void)] = [
                ("the new value has 4", { try Line.query.update { $0.price = $0.price * Self.decimal(5, 2) } }),
                ("@Column(scale: 2)", { _ = try Line.query.values { $0.digits + 1 } }),
                ("@Column(scale: 2)", { _ = try Line.query.groups { $0.count }.values { $0.sum(\.digits) } }),
                ("@Column(scale: 2)", { _ = try Line.where { $0.price * $0.digits > 1 }.count() }),
                ("18", { _ = try Line.query.values { $0.result * $0.result * $0.result * $0.result } }),
            ]
            for (words, call) in refused {
                let error = #expect(throws: QueryError.self) { try call() }
                #expect(error.map { "\($0)" }?.contains(words) == true, "\(words)")
            }
        }
    }

    @Test func `a result that exceeds 64 bits is an error, and no row changes`() throws {
        try withTemporarySession { _, _ in
            let line = Line()
            (line.price, line.count) = (Decimal(sign: .plus, exponent: 0, significand: 90_000_000_000_000_000), 1000)
            try line.save()
            #expect(throws: StoreError.self) { _ = try Line.query.values { $0.price * $0.count } }
            #expect(throws: StoreError.self) { try Line.query.update { $0.price = $0.price * $0.count } }
            #expect(try Line.query.values(of: \.price) == [line.price])
        }
    }
}
