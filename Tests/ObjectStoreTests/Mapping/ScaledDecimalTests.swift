import Foundation
import PersistentTransfer
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Decimal numbers stored as integer counts of their smallest unit.
@Suite struct ScaledDecimalTests {
    final class Item: PersistentObject {
        override class var tableName: String { "scaled_item" }
        var name = ""
        @Indexed @Column(scale: 2) var price: Decimal = 0
        @Column("reduced_to", scale: 2) var reduced: Decimal?
        @Column(scale: 4) var weight: Decimal? = nil
        var exact: Decimal = 0
        var bundle: Item?
    }

    private static func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

    @discardableResult
    private func item(_ price: String, _ reduced: String? = nil, weight: String? = nil, exact: String = "0") -> Item {
        let item = Item()
        item.price = Self.decimal(price)
        item.reduced = reduced.map(Self.decimal)
        item.weight = weight.map(Self.decimal)
        item.exact = Self.decimal(exact)
        return item
    }

    @Test(.onSQLite("the test reads the types that SQLite stored"))
    func `a column with a scale holds integers, and the decimal numbers are read back`() throws {
        let texts = ["0", "12.34", "-0.05", "0.5", "100", "-7", "92233720368547758.07", "-92233720368547758.08"]
        try withTemporaryStore { store, file in
            try store.withSession { session in try session.save(texts.map { item($0, $0) }) }
            #expect(
                try file.sqlite("SELECT price, reduced_to, typeof(price) FROM scaled_item ORDER BY id LIMIT 3")
                    == "0|0|integer\n1234|1234|integer\n-5|-5|integer")
            try store.withSession { _ in
                let all = try Item.query.order(by: \.id).all()
                #expect(all.map(\.price) == texts.map(Self.decimal) && all.map(\.reduced) == texts.map(Self.decimal))
                #expect(all.allSatisfy { !$0.hasChanges && $0.weight == nil })
            }
        }
    }

    @Test(arguments: ["12.345", "0.001", "92233720368547758.08", "1000000000000000000000", "NaN"])
    func `saves and queries refuse a number that exceeds the scale, with class and property`(text: String) throws {
        try withTemporarySession { _, _ in
            let item = item(text)
            var error = try #require(throws: StoreError.self) { try item.save() }
            #expect(error.code == .notRepresentable && error.property == "price" && error.className == "Item")
            #expect(throws: StoreError.self) { try Item.where { $0.price < Self.decimal(text) }.all() }
            item.price = 1
            try item.save()
            error = try #require(throws: StoreError.self) { try Item.query.update { $0.price = Self.decimal(text) } }
            expect(error.code, .notRepresentable)
        }
    }

    @Test(arguments: 0..<3) func `queries agree with a model`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed) + 90)
        func number(_ digits: Int) -> Decimal {
            Decimal(sign: .plus, exponent: -digits, significand: Decimal(Int.random(in: -300...300, using: &random)))
        }
        try withTemporarySession { session, _ in
            let items = (0..<60).map { number in
                let item = Item()
                item.name = "\(number)"
                return item
            }
            for item in items {
                item.price = number(Int.random(in: 0...2, using: &random))
                item.reduced = Bool.random(using: &random) ? number(2) : nil
                item.weight = Bool.random(using: &random) ? number(Int.random(in: 1...4, using: &random)) : nil
                item.exact = number(Int.random(in: 0...3, using: &random))
                item.bundle = Bool.random(using: &random) ? items.randomElement(using: &random) : nil
            }
            try session.save(items)
            func check(_ condition: (Columns<Item>) -> Condition, _ model: (Item) -> Bool, _ line: Int = #line) throws {
                let found = try Item.where(condition).order(by: \.id).all()
                expect(found, items.filter(model), "line \(line)")
            }
            for _ in 0..<20 {
                let (low, high) = (number(2), number(2))
                try check({ $0.price == low }, { $0.price == low })
                try check({ $0.price != low }, { $0.price != low })
                try check({ $0.price < low }, { $0.price < low })
                try check({ $0.reduced >= low }, { $0.reduced.map { $0 >= low } ?? false })
                try check({ $0.reduced == nil || $0.price > high }, { $0.reduced == nil || $0.price > high })
                try check({ $0.price.isIn([low, high, 0]) }, { [low, high, 0].contains($0.price) })
                if low <= high { try check({ $0.price.isIn(low...high) }, { (low...high).contains($0.price) }) }
                try check({ $0.bundle.price > low }, { $0.bundle.map { $0.price > low } ?? false })
            }
            // Columns with another scale, and columns without a scale.
            try check({ $0.price == $0.reduced }, { $0.price == $0.reduced })
            try check({ $0.price < $0.reduced }, { item in item.reduced.map { item.price < $0 } ?? false })
            try check({ $0.price < $0.weight }, { item in item.weight.map { item.price < $0 } ?? false })
            try check({ $0.price == $0.exact }, { $0.price == $0.exact })
            try check({ $0.exact >= $0.price }, { $0.exact >= $0.price })
            try check({ $0.weight > $0.exact }, { item in item.weight.map { $0 > item.exact } ?? false })
            try check({ $0.price > $0.bundle.weight }, { item in item.bundle?.weight.map { item.price > $0 } ?? false })

            let inOrder = items.sorted { ($0.price, $0.id ?? 0) < ($1.price, $1.id ?? 0) }
            try expect(Item.query.order(by: \.price).all(), inOrder)
            try expect(Item.query.order(by: \.price).values(of: \.price), inOrder.map(\.price))
            try expect(Item.query.max(\.price), items.map(\.price).max())
            try expect(Item.query.min(\.reduced), items.compactMap(\.reduced).min())
            try expect(Item.query.sum(\.price), items.map(\.price).reduce(0, +))
            let average = try #require(try Item.query.average(\.price))
            expect(average, items.map(\.price).reduce(0, +) / 60)
            let groups = try Item.query.sum(\.weight, by: \.price)
            for (price, group) in Dictionary(grouping: items, by: \.price) {
                expect(groups[price] ?? 0, group.compactMap(\.weight).reduce(0, +))
            }
            let query = Item.query.order(by: \.price)
            var paged: [Item] = []
            var page = try query.limit(7).all()
            while let last = page.last {
                paged += page
                page = try query.after(last, limit: 7)
            }
            expect(paged, inOrder)
            #expect(try Item.findByPrice(items[3].price).contains(items[3]))
            let some = [items[3].price, items[4].price, 1000]
            try expect(Item.where("price IN (?)", some).all(), items.filter { some.contains($0.price) })
            try expect(Item.where("price > ?", some[0]).all(), items.filter { $0.price > some[0] })
            try expect(Item.where("price = 250").all(), items.filter { $0.price == Self.decimal("2.5") })
            try expect(Item.findByPriceIn(some).count, items.count { some.contains($0.price) })
            try expect(Item.findByPriceBetween(-1, 1).count, items.count { (-1...1).contains($0.price) })
            try expect(Item.findBy.price(in: Decimal(2)...).count, items.count { $0.price >= 2 })
        }
    }

    @Test(.onSQLite("plans are SQLite's")) func `sorting and ranges use the index`() throws {
        try withTemporarySession { session, _ in
            try session.save((0..<50).map { item("\($0).5") })
            #expect(try session.rows("EXPLAIN QUERY PLAN SELECT 1 FROM scaled_item ORDER BY price").count == 1)
            let log = try statements(of: session) {
                _ = try Item.where { $0.price > Self.decimal("3.5") }.order(by: \.price).limit(2).all()
            }
            let sql = try #require(log.first { $0.contains("ORDER BY") })
            #expect(!sql.contains("po_") && !sql.contains("COLLATE"), "\(sql)")
        }
    }

    final class Priced: PersistentObject {
        override class var tableName: String { "scaled_priced" }
        override class var indexes: [Index] { [Index(\Priced.price) { $0.price > 10 && $0.price < $0.before }] }
        @Column(scale: 2) var price: Decimal = 0
        @Column(scale: 2) var before: Decimal = 0
    }
    final class Mixed: PersistentObject {
        override class var tableName: String { "scaled_mixed" }
        override class var indexes: [Index] { [Index(\Mixed.price) { $0.price < $0.weight }] }
        @Column(scale: 2) var price: Decimal = 0
        @Column(scale: 3) var weight: Decimal = 0
    }

    @Test(.onSQLite("its text is SQLite's"))
    func `the condition of a partial index contains integers, and columns of different scales are refused`() throws {
        try withTemporaryStore { store, file in
            try store.prepare(Priced.self)
            let sql = try file.sqlite(
                "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'scaled_priced'")
            #expect(sql.contains(#"("price" > 1000) AND ("price" < "before")"#), "\(sql)")
            let error = #expect(throws: SchemaError.self) { try store.prepare(Mixed.self) }
            #expect("\(try #require(error))".contains("@Column(scale:)"))
        }
    }

    @Test func `updates set numbers, and updates that lose decimal places are refused`() throws {
        try withTemporarySession { session, _ in
            try session.save([item("1.5", exact: "7"), item("2", "1.75")])
            try Item.where { $0.price == 2 }.update { $0.price = Self.decimal("3.25") }
            #expect(try Item.query.order(by: \.id).values(of: \.price) == [Self.decimal("1.5"), Self.decimal("3.25")])
            try Item.query.update { $0.exact = $0.price }
            #expect(try Item.query.order(by: \.id).values(of: \.exact) == [Self.decimal("1.5"), Self.decimal("3.25")])
            try Item.query.update { $0.reduced = $0.price }
            try Item.query.update { $0.price = $0.reduced ?? 0 }
            #expect(try Item.query.order(by: \.id).values(of: \.price) == [Self.decimal("1.5"), Self.decimal("3.25")])
            for (update, words) in [
                ({ $0.price = $0.exact }, "without a scale"), ({ $0.price = $0.weight ?? 0 }, "the new value has 4"),
            ] as [((inout Assignments<Item>) -> Void, String)] {
                let error = #expect(throws: QueryError.self) { _ = try Item.query.update(update) }
                #expect("\(try #require(error))".contains(words))
            }
        }
    }

    @Test func `JSON contains the decimal number`() throws {
        try withTemporarySession { session, file in
            let saved = item("12.50", "-3", weight: "0.1234", exact: "1.5")
            try saved.save()
            #expect(String(decoding: try saved.json, as: UTF8.self).contains(#""price":"12.5""#))
            let copy = try Item(json: saved.json)
            #expect(copy.price == saved.price && copy.reduced == -3 && copy.weight == saved.weight)
            let url = URL(filePath: file.path + ".jsonl")
            defer { try? FileManager.default.removeItem(at: url) }
            try session.store.export(Item.self, to: url, as: .jsonLines)
            #expect(try String(contentsOf: url, encoding: .utf8).contains(#""price":"12.5""#))
            try session.store.import(Item.self, from: url)
            try expect(Item.query.values(of: \.weight), [saved.weight, saved.weight])
            try expect(Item(["price": "7.25"]).price, Self.decimal("7.25"))
        }
    }

    enum Plain {
        final class Item: PersistentObject {
            override class var tableName: String { "scaled_moved" }
            var price: Decimal = 0
            var note: Decimal?
        }
    }
    enum Cents {
        final class Item: PersistentObject {
            override class var tableName: String { "scaled_moved" }
            @Column(scale: 2) var price: Decimal = 0
            @Column(scale: 2) var note: Decimal?
        }
    }
    enum Mills {
        final class Item: PersistentObject {
            override class var tableName: String { "scaled_moved" }
            @Column(scale: 3) var price: Decimal = 0
            @Column(scale: 3) var note: Decimal?
        }
    }
    enum Whole {
        final class Item: PersistentObject {
            override class var tableName: String { "scaled_moved" }
            var price = 0
            var note: Int?
        }
    }

    private func withSession(_ file: TemporaryStore, _ body: () throws -> Void) throws {
        let store = try file.open()
        try store.withSession { _ throws in try body() }
        store.close()
    }

    @Test func `adding, changing and removing a column's scale keeps its numbers`() throws {
        let file = try TemporaryStore()
        let numbers = ["0", "12.34", "-0.5", "1000"].map(Self.decimal)
        try withSession(file) {
            for number in numbers {
                let item = Plain.Item()
                (item.price, item.note) = (number, number == 0 ? nil : number)
                try item.save()
            }
        }
        func check<T: PersistentObject>(_ price: KeyPath<T, Decimal>, _ note: KeyPath<T, Decimal?>) throws {
            try file.open().takeBack(T.self)
            try withSession(file) {
                let all = try T.query.order(by: \.id).all()
                expect(all.map { $0[keyPath: price] }, numbers)
                expect(all.map { $0[keyPath: note] }, numbers.map { $0 == 0 ? nil : $0 })
            }
        }
        for _ in 0..<2 {
            try check(\Cents.Item.price, \.note)
            try check(\Mills.Item.price, \.note)
            try check(\Cents.Item.price, \.note)
            try check(\Plain.Item.price, \.note)
        }
    }

    @Test func `numbers that exceed the new scale are refused with their row, and integers are converted`() throws {
        let file = try TemporaryStore()
        try withSession(file) {
            for text in ["1", "2.125", "3"] {
                let item = Mills.Item()
                item.price = Self.decimal(text)
                try item.save()
            }
        }
        try withSession(file) {
            let error = #expect(throws: SchemaError.self) { try Cents.Item.all() }
            guard case .notConvertible("Item", "price", 2, _, _, let reason)? = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
            #expect(reason.contains("the number has more than 2 decimal places") && !"\(reason)".contains("2.125"))
        }
        try withSession(file) {
            try Mills.Item.where { $0.id == 2 }.update { $0.price = 2 }
        }
        try withSession(file) { () throws in
            #expect(try Whole.Item.query.order(by: \.id).values(of: \.price) == [1, 2, 3])
        }
        try withSession(file) { () throws in
            #expect(try Cents.Item.query.order(by: \.id).values(of: \.price) == [1, 2, 3])
        }
    }

    @Test func `a scale that exceeds 64 bits is refused`() throws {
        final class Far: PersistentObject {
            override class var tableName: String { "scaled_far" }
            @Column(scale: 19) var price: Decimal = 0
        }
        let error = #expect(throws: SchemaError.self) { try ClassMap.map(of: Far.self) }
        #expect("\(try #require(error))".contains("from 0 to 18"))
    }

    @Test func `strings of scaled numbers match Foundation's, written and read`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<3000 {
            let scale = Int.random(in: 0...18, using: &random)
            let bits = Int.random(in: 0..<64, using: &random)
            let number = Int64.random(in: .min ... .max, using: &random) >> Int64(bits)
            let text = ScaledDecimal.text(of: number, scale: scale)
            let value = Decimal(sign: .plus, exponent: -scale, significand: Decimal(number))
            expect(text, value.description, "\(number) \(scale)")
            expect(ScaledDecimal.number(of: text, scale: scale), number)
        }
        #expect(
            ScaledDecimal.number(of: "1.230", scale: 2) == 123 && ScaledDecimal.number(of: "1.234", scale: 2) == nil)
        #expect(ScaledDecimal.number(of: "9223372036854775808", scale: 0) == nil)
    }
}
