import TestSupport
import Testing

@testable import PersistentObjects

/// Saves of lists: one statement inserts several rows, with the same results as single inserts.
struct SaveBatchTests {
    final class Item: PersistentObject {
        override class var tableName: String { "item" }
        var number = 0
        var text = ""
        var maybe: Double?
    }

    final class Other: PersistentObject {
        override class var tableName: String { "other" }
        var name = ""
    }

    private static func items(_ count: Int) -> [Item] {
        (0..<count).map { number in
            let item = Item()
            item.number = number
            item.text = "text \(number) é"
            item.maybe = number % 3 == 0 ? nil : Double(number) / 4
            return item
        }
    }

    private static func line(_ item: Item) -> String {
        "\(item.id ?? -1)|\(item.number)|\(item.text)|\(item.maybe.map { "\($0)" } ?? "")"
    }

    @Test(arguments: [1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 63, 64, 65, 129, 639, 640, 641, 1000])
    func `objects in a batch get ids in order, and each row has its own values`(count: Int) throws {
        try withTemporarySession { session, file in
            let items = Self.items(count)
            let log = try statements(of: session) { try session.save(items) }
            #expect(log.filter { $0 == "COMMIT" }.count == 2, "one for the table, one for the rows")
            #expect(items.map(\.id) == (1...Int64(count)).map { $0 })
            #expect(try file.sqlite("SELECT * FROM item ORDER BY id") == items.map(Self.line).joined(separator: "\n"))
            #expect(items.allSatisfy { !$0.hasChanges && !$0.isNew })
            #expect(try Item.all().elementsEqual(items) { $0 === $1 })
            let read = try session.store.withSession { _ in try Item.all().map(Self.line) }
            #expect(read == items.map(Self.line))
            #expect(try session.space(of: Item.self).identity.brokenInvariant() == nil)
        }
    }

    @Test func `many rows take few statements`() throws {
        try withTemporarySession { session, _ in
            _ = try Item.count()
            let log = try statements(of: session) { try session.save(Self.items(1000)) }
            #expect(log.count < 130)
        }
    }

    @Test(arguments: [1, 8, 64, 700])
    func `a batch continues after all assigned ids, including deleted ones`(count: Int) throws {
        try withTemporarySession { session, file in
            let first = Self.items(5)
            try session.save(first)
            try first[4].delete()
            let items = Self.items(count)
            try session.save(items)
            expect(items.map(\.id), (6..<6 + Int64(count)).map { $0 })
            let single = Item()
            try single.save()
            expect(single.id, 6 + Int64(count))
            try expect(file.sqlite("SELECT count(*) FROM item"), "\(count + 5)")
        }
    }

    @Test(arguments: [1, 20, 50])
    func `a new object that is twice in a list is one row`(count: Int) throws {
        try withTemporarySession { session, file in
            let items = Self.items(count)
            try session.save(items + items.reversed() + items)
            try expect(file.sqlite("SELECT count(*), max(id) FROM item"), "\(count)|\(count)")
            items[0].number = 77
            try session.save([items[0], items[0]])
            try expect(file.sqlite("SELECT number FROM item WHERE id = 1"), "77")
        }
    }

    @Test func `new, changed and unchanged objects of several classes are saved in one transaction`() throws {
        try withTemporarySession { session, file in
            let items = Self.items(4)
            let others = ["a", "b"].map { name in
                let other = Other()
                other.name = name
                return other
            }
            try session.save([items[0], others[0], items[1]])
            items[0].text = "changed"
            let log = try statements(of: session) {
                try session.save([others[1], items[3], items[1], items[0], items[2], others[0]])
            }
            #expect(log.filter { $0.hasPrefix("BEGIN") }.count == 1 && log.last == "COMMIT")
            #expect(log.filter { $0.hasPrefix("UPDATE") } == [#"UPDATE "item" SET "text" = ? WHERE "id" = ?"#])
            #expect(items.map(\.id) == [1, 2, 4, 3], "in the order of the list")
            #expect(try file.sqlite("SELECT group_concat(number) FROM item") == "0,1,3,2")
            #expect(try file.sqlite("SELECT group_concat(name) FROM other") == "a,b")
        }
    }

    @Test(arguments: [2, 9, 100, 700])
    func `changed objects are all written, in any order`(count: Int) throws {
        try withTemporarySession { session, file in
            var random = SeededGenerator(seed: UInt64(count))
            let items = Self.items(count)
            try session.save(items)
            for item in items {
                item.number = Int.random(in: 0..<1_000_000, using: &random)
                if Bool.random(using: &random) { item.text += "!" }
                if Bool.random(using: &random) { item.maybe = nil }
            }
            try session.save(items.shuffled(using: &random))
            try expect(file.sqlite("SELECT * FROM item ORDER BY id"), items.map(Self.line).joined(separator: "\n"))
        }
    }

    @Test func `a table name that another program wrote in uppercase is used with its existing rows`() throws {
        let file = try TemporaryStore()
        _ = try file.open()
        _ = try file.sqlite(
            """
            CREATE TABLE "ITEM" (id INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER, text TEXT, maybe REAL) STRICT;
            INSERT INTO ITEM (number, text) VALUES (5, 'theirs');
            """)
        try file.open().withSession { session in
            let items = Self.items(30)
            try session.save(items)
            expect(items.map(\.id), (2...31).map { $0 })
        }
    }

    @Test func `if no ids are left, the save is an error and ids do not wrap around`() throws {
        try withTemporarySession { session, file in
            try Item().save()
            _ = try file.sqlite("INSERT INTO item (id, number, text) VALUES (9223372036854775806, 1, 'x')")
            let items = Self.items(2)
            #expect(throws: StoreError.self) { try session.save(items) }
            let last = Item()
            try last.save()
            expect(last.id, .max)
            #expect(throws: StoreError.self) { try Item().save() }
            #expect(items.allSatisfy { $0.isNew })
        }
    }
}
