#if PostgreSQL
    import Foundation
    import PersistentTransfer
    import StoreEngine
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private final class Coin: PersistentObject {
        override class var tableName: String { "native_coin" }
        @Unique var token = UUID()
        @Unique var price: Decimal?
        @Indexed var tax = Decimal(0)
        var name = ""
    }

    private class Box: PersistentObject {
        override class var tableName: String { "native_case" }
        override class var identity: Identity { .uuid }
        var name = ""
        var next: Box?
        var inner: [Box] = []
        @Inverse(\Box.next) var former: [Box]
    }

    private final class SmallBox: Box {
        var size = Decimal(1)
        var mark = UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9))
        var tokens: [UUID: [String]] = [:]
    }

    /// Writes, and lookups of objects, by UUIDs and decimal numbers.
    @Suite(.onPostgres("SQLite has no such types")) struct NativeTypeWorkTests {
        private func coin(_ token: UUID, _ price: Decimal?, _ name: String = "") -> Coin {
            let coin = Coin()
            (coin.token, coin.price, coin.name) = (token, price, name)
            return coin
        }

        @Test("upsert and findOrCreate find existing rows by a UUID and by a decimal number")
        func upserts() throws {
            try withTemporarySession { session, _ in
                let (one, two) = (UUID(), UUID())
                try session.save([coin(one, 1.5), coin(two, 0.25)])
                try session.reset()
                #expect(try session.upsert(coin(one, 2.5, "a"), on: \.token).id == Coin.findOnlyByName("a").id)
                #expect(try session.upsert([coin(UUID(), 0.25, "b"), coin(UUID(), 7, "c")], on: \.price).count == 2)
                #expect(try Coin.query.order(by: \.id).values(of: \.name) == ["a", "b", "c"])
                let third = UUID()
                let new: Coin = try Coin.findOrCreateByToken(third)
                #expect(try Coin.findOrCreateBy.token(third) === new && Coin.findOrCreateBy.price(7).name == "c")
                #expect(try Coin.findOrCreateBy.price(8.125).price == 8.125)
                #expect(try Coin.count() == 5)
            }
        }

        @Test("unique values can be exchanged, and the error for a duplicate names the property")
        func unique() throws {
            try withTemporarySession { session, _ in
                let coins = [coin(UUID(), 1), coin(UUID(), 2), coin(UUID(), nil)]
                try session.save(coins)
                (coins[0].price, coins[1].price) = (coins[1].price, coins[0].price)
                (coins[0].token, coins[1].token) = (coins[1].token, coins[0].token)
                try session.save(coins)
                try session.reset()
                #expect(try Coin.query.order(by: \.id).values(of: \.price) == [2, 1, nil])
                for taken in [coin(UUID(), 1.00), coin(try Coin.findOnlyByPrice(Decimal(2)).token, 9)] {
                    let error = #expect(throws: StoreError.self) { () throws in try taken.save() }
                    #expect(error?.code == .notUnique && error?.property == (taken.price == 9 ? "token" : "price"))
                }
            }
        }

        @Test("keys, references, graphs and subclasses work with uuid columns")
        func keys() throws {
            try withTemporaryStore { store, file in
                let key = try store.withSession { session throws -> String in
                    let boxes = (0..<20).map { place in place % 3 == 0 ? SmallBox() : Box() }
                    for (place, box) in boxes.enumerated() {
                        (box.name, box.next) = ("\(place)", boxes[(place + 1) % 20])
                        box.inner = [boxes[place * 7 % 20], boxes[place * 3 % 20]]
                        (box as? SmallBox)?.tokens = [UUID(): ["a", "b"], UUID(): []]
                        (box as? SmallBox)?.size = Decimal(place) / 8
                    }
                    try session.save(boxes)
                    return try #require(boxes[4].key)
                }
                try store.withSession { session throws in
                    let box = try #require(try Box.find(key))
                    #expect(box.name == "4" && box.next?.name == "5" && box.former.map(\.name) == ["3"])
                    #expect(try Box.where { $0.key == key }.count() == 1)
                    #expect(try Box.where { $0.key != "no UUID" }.count() == 20)
                    #expect(try Box.where { $0.key == "no UUID" }.count() == 0)
                    #expect(try Box.find(keys: [key, "x", UUID().uuidString]).count == 1)
                    #expect(try Box.where { $0.next.key == box.next?.key ?? "" }.first() === box)
                    #expect(try SmallBox.where { $0.size == 0.375 }.count() == 1)
                    #expect(
                        try SmallBox.query.order(by: \.id).all().map { $0.tokens.count }
                            == Array(repeating: 2, count: 7))
                    #expect(
                        try session.rows("SELECT key FROM native_case WHERE name = '4'")[0].value(0, as: UUID.self)
                            == UUID(uuidString: key))
                    #expect(try session.rows("SELECT name FROM native_case WHERE key = ?", key).count == 1)
                    #expect(try session.rows("SELECT name FROM native_case WHERE key = ?", "no UUID").isEmpty)
                    try box.delete()
                    #expect(try Box.find(key) == nil && Box.count() == 19)
                }
                // Rows that another program inserts have a key, too.
                _ = try file.sqlite("INSERT INTO native_case (name) VALUES ('theirs')")
                try store.withSession { _ throws in
                    #expect(try Box.findOnlyByName("theirs").key?.count == 36)
                }
            }
        }

        @Test("exporting an import gives the same file", arguments: [TransferFormat.jsonLines, .json])
        func transfer(format: TransferFormat) throws {
            try withTemporaryStore { first, file in
                try first.withSession { session in
                    var random = SeededGenerator(seed: 3)
                    let boxes = (0..<5).map { _ in SmallBox() }
                    for box in boxes { (box.size, box.next) = (NativeValues.decimal(&random), boxes[0]) }
                    let coins = (0..<50).map { _ in
                        coin(NativeValues.token(&random), NativeValues.decimal(&random))
                    }
                    try session.save(boxes)
                    try session.save(Dictionary(coins.map { ($0.price, $0) }) { a, _ in a }.values.map { $0 })
                }
                let (out, again) = (file.folder.appending(path: "a"), file.folder.appending(path: "b"))
                let count = try first.export([Coin.self, Box.self], to: out, as: format)
                try withTemporaryStore { second, _ in
                    let report = try second.import([Coin.self, Box.self, SmallBox.self], from: out)
                    #expect(report.count == count && report.skipped.isEmpty)
                    try second.export([Coin.self, Box.self], to: again, as: format)
                }
                #expect(try Data(contentsOf: out) == Data(contentsOf: again))
            }
        }

        @Test("raw SQL accepts and returns UUIDs and decimal numbers")
        func rawSQL() throws {
            try withTemporarySession { session, file in
                let token = UUID()
                try coin(token, 1.5, "a").save()
                let found = try #require(try session.rows("SELECT token, price, tax FROM native_coin").first)
                #expect(found[1] == .text("1.5") && found[2] == .text("0"))
                #expect(
                    try found.value("token", as: UUID.self) == token && found.value("price", as: Decimal.self) == 1.5)
                try session.execute("UPDATE native_coin SET price = ?, token = ?", Decimal(2.50), token.uuidString)
                try session.execute(
                    "INSERT INTO native_coin (token, price, tax, name) VALUES (?, ?, ?, ?)", UUID(), 3, 0.5, "b")
                #expect(try file.sqlite("SELECT price, tax FROM native_coin ORDER BY id") == "2.5|0\n3|0.5")
                // Insignificant zeros are not part of a Decimal's digits.
                _ = try file.sqlite("UPDATE native_coin SET price = 2.500 WHERE name = 'a'")
                try session.reset()
                #expect(try Coin.findOnlyByPrice(Decimal(2.5)).price == 2.5)
                #expect(try session.rows("SELECT price FROM native_coin WHERE name = 'a'")[0][0] == .text("2.5"))
                #expect(try Coin.query.distinct(\.price) == [2.5, 3])
                let calls: [(String, Any?, Int)] = [
                    ("token IN (?)", [token, UUID()], 1), ("price IN (?)", [2.5, 3] as [Decimal], 2),
                    ("price IN (?)", ["3", "4"], 1), ("price IN (?)", [3, 4], 1), ("tax IN (?)", [0.5], 1),
                    ("token IN (?)", [UUID](), 0), ("price IN (?)", [Decimal](), 0), ("price > ?", 2.75, 1),
                    ("token = ?", token, 1), ("price = ?", "3.0", 1),
                ]
                for (text, argument, count) in calls {
                    let rows = try session.rows("SELECT id FROM native_coin WHERE \(text)", argument)
                    #expect(rows.count == count, "\(text) \(argument as Any)")
                    #expect(try Coin.findByCriteria("WHERE \(text)", argument).count == count, "\(text)")
                }
                // A computed result is a plain number.
                #expect(try session.rows("SELECT sum(price), count(*) FROM native_coin")[0][0] == .real(5.5))
                let misfit = #expect(throws: StoreError.self) { () throws in
                    try session.execute("UPDATE native_coin SET token = ?", "no UUID")
                }
                #expect(misfit?.code == .typeMismatch)
            }
        }
    }
#endif
