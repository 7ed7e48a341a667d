import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Decimals, which are stored as strings, are compared and sorted as numbers to the last digit.
struct DecimalQueryTests {
    final class Item: PersistentObject {
        override class var tableName: String { "item" }
        var price = Decimal(0)
        var tip: Decimal?
        var level = 0
    }

    /// Returns numbers of various lengths and signs, many of them close to each other.
    private static func number(_ random: inout SeededGenerator) -> Decimal {
        let texts = [
            "0", "-0.5", "9", "10", "9.99", "100000000000000000000000000000000000.5", "0.00000000000000000000000001",
            "12345678901234567890.12", "12345678901234567890.13", "-12345678901234567890.12", "1000000",
        ]
        if Bool.random(using: &random), let text = texts.randomElement(using: &random),
            let number = Decimal(string: text)
        {
            return number
        }
        return Decimal(Int.random(in: -2000...2000, using: &random)) / 100
    }

    private func with(seed: UInt64, _ body: (Session, [Item], inout SeededGenerator) throws -> Void) throws {
        var random = SeededGenerator(seed: seed)
        try withTemporarySession { session, _ throws in
            let items = (0..<60).map { _ in
                let item = Item()
                item.price = Self.number(&random)
                item.tip = Bool.random(using: &random) ? Self.number(&random) : nil
                item.level = Int.random(in: 0...2, using: &random)
                return item
            }
            try session.save(items)
            try body(session, items, &random)
        }
    }

    @Test(arguments: SeededGenerator.seeds(6)) func `conditions compare Decimals as numbers`(seed: UInt64) throws {
        try with(seed: seed) { _, items, random throws in
            for _ in 0..<12 {
                let (a, b) = (Self.number(&random), Self.number(&random))
                let (low, high) = (min(a, b), max(a, b))
                func check(
                    _ query: Query<Item>, at location: SourceLocation = #_sourceLocation, _ holds: (Item) -> Bool
                ) throws { try expect(query.all(), items.filter(holds), sourceLocation: location) }
                try check(Item.where { $0.price < a }) { $0.price < a }
                try check(Item.where { $0.price <= a }) { $0.price <= a }
                try check(Item.where { $0.price > a }) { $0.price > a }
                try check(Item.where { $0.price >= a }) { $0.price >= a }
                try check(Item.where { $0.price == a }) { $0.price == a }
                try check(Item.where { $0.price != a }) { $0.price != a }
                try check(Item.where { $0.price.isIn(low...high) }) { (low...high).contains($0.price) }
                try check(Item.where { $0.price.isIn(low..<high) }) { (low..<high).contains($0.price) }
                try check(Item.where { $0.price.isIn([a, b]) }) { [a, b].contains($0.price) }
                try check(Item.where { !($0.tip > a) }) { !($0.tip.map { $0 > a } ?? false) }
                try check(Item.where { $0.tip < $0.price }) { item in item.tip.map { $0 < item.price } ?? false }
                try check(Item.where { ($0.tip ?? 0) >= a }) { ($0.tip ?? 0) >= a }
                let (above, atMost) = (items.filter { $0.price > a }, items.filter { $0.price <= a })
                let (from, within) = (
                    items.filter { $0.price >= low },
                    items.filter { item in item.tip.map { (low...high).contains($0) } ?? false }
                )
                try expect(Item.findByPriceGreaterThan(a), above)
                try expect(Item.findBy.price(atMost: a), atMost)
                try expect(Item.findBy.price(in: low...), from)
                try expect(Item.findByTipBetween(low, high), within)
            }
            let above = items.filter { $0.price > 5 }
            try expect(Item.findByPriceGreaterThan(5), above)
        }
    }

    @Test(arguments: SeededGenerator.seeds(6)) func `orders, pages and extremes of Decimals are numeric`(seed: UInt64)
        throws
    {
        try with(seed: seed) { _, items, _ throws in
            let up = items.sorted { ($0.price, $0.id ?? 0) < ($1.price, $1.id ?? 0) }
            try expect(Item.query.order(by: \.price).all(), up)
            try expect(Item.listOrderByPrice(), up)
            let down = items.sorted { ($1.price, $0.id ?? 0) < ($0.price, $1.id ?? 0) }
            try expect(Item.query.order(by: \.price, .descending).all(), down)
            let tips =
                items.filter { $0.tip == nil }
                + items.filter { $0.tip != nil }.sorted { a, b in
                    (a.tip ?? 0, a.id ?? 0) < (b.tip ?? 0, b.id ?? 0)
                }
            try expect(Item.query.order(by: \.tip).all(), tips)
            for query in [Item.query.order(by: \.price), Item.query.order(by: \.tip).order(by: \.price, .descending)] {
                let all = try query.all()
                var (found, last): ([Item], Item?) = ([], nil)
                repeat {
                    let page = try last.map { try query.after($0, limit: 7) } ?? query.limit(7).all()
                    found += page
                    last = page.last
                } while last != nil
                expect(found, all)
            }
            try expect(Item.query.min(\.price), items.map(\.price).min())
            try expect(Item.query.max(\.tip), items.compactMap(\.tip).max())
            try expect(Item.query.limit(9).max(\.price), items.prefix(9).map(\.price).max())
            let levels = Dictionary(grouping: items, by: \.level)
            try expect(Item.query.min(\.price, by: \.level), levels.compactMapValues { $0.map(\.price).min() })
            let most: Decimal? = try Item.maxOfPriceByLevel(1)
            expect(most, items.filter { $0.level == 1 }.map(\.price).max())
        }
    }

    @Test(.onSQLite("a server has the digits as numbers"))
    func `digits that another program wrote are compared by their numeric value`() throws {
        try withTemporarySession { session, file throws in
            try session.save([Item()])
            _ = try file.sqlite("INSERT INTO item (price, tip, level) VALUES ('010.50', '-0', 7), ('9.5', '1', 8)")
            try expect(Item.where { $0.price > 10 }.all().map(\.level), [7])
            try expect(Item.query.order(by: \.price, .descending).all().map(\.level), [7, 8, 0])
            try expect(Item.where { $0.tip < 1 }.all().map(\.level), [7])
            try expect(Item.query.max(\.price), Decimal(string: "10.5"))
        }
    }

    @Test func `calculating with Decimals in SQL throws and points to Swift`() throws {
        try withTemporarySession { _, _ throws in
            let error = #expect(throws: QueryError.self) { try Item.where { $0.price + $0.price > 1 }.all() }
            #expect(error.map { "\($0)".contains("alculate in Swift") } == true)
        }
    }
}
