#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    private final class Item: PersistentObject {
        override class var tableName: String { "item" }
        var name = ""
        var count = 0
        var box: Box?
    }

    private final class Box: PersistentObject {
        override class var tableName: String { "box" }
        var name = ""
        @Lazy var note = ""
        var shelf: Shelf?
    }

    private final class Shelf: PersistentObject {
        override class var tableName: String { "shelf" }
        @Unique var name = ""
    }

    extension ProxyTests {
        /// Rows are written and read with a minimum of round trips, once the server has prepared the statements.
        @Suite struct RoundTripTests {
            /// A session behind a proxy, whose tables have been prepared.
            private func withProxy(_ body: (Session, PostgresProxy, PostgresProxy.Schema) throws -> Void) throws {
                let proxy = try PostgresProxy()
                let schema = try proxy.makeSchema()
                let store = try Store(.postgres(schema.address))
                defer { store.close() }
                try store.prepare(Item.self, Box.self, Shelf.self)
                try store.withSession { session in try body(session, proxy, schema) }
            }

            private func shelf(_ name: String) -> Shelf {
                let shelf = Shelf()
                shelf.name = name
                return shelf
            }

            @Test("inserting, updating or deleting an object takes one round trip")
            func one() throws {
                try withProxy { session, proxy, schema in
                    let first = shelf("a")
                    try first.save()
                    first.name = "b"
                    try first.save()
                    #expect(try proxy.trips { try shelf("c").save() } == 1)
                    let last = shelf("d")
                    #expect(try proxy.trips { try last.save() } == 1)
                    last.name = "e"
                    #expect(try proxy.trips { try last.save() } == 1)
                    #expect(try proxy.trips { try last.save() } == 0)
                    #expect(try schema.psql("SELECT string_agg(name, ',' ORDER BY id) FROM shelf") == "b,c,e")
                    try last.delete()
                    #expect(try proxy.trips { try first.delete() } == 1)
                    #expect(try schema.psql("SELECT string_agg(name, ',' ORDER BY id) FROM shelf") == "c")
                }
            }

            @Test("inserting 10,000 objects takes at most 12 round trips, also with a delay")
            func many() throws {
                try withProxy { session, proxy, schema in
                    try session.save((0..<1000).map { shelf("first \($0)") })
                    let shelves = (0..<10_000).map { shelf("\($0)") }
                    #expect(try proxy.trips { try session.save(shelves) } <= 12)
                    proxy.setDelay(.milliseconds(1))
                    let more = (0..<10_000).map { shelf("more \($0)") }
                    #expect(try proxy.trips { try session.save(more) } <= 12)
                    proxy.setDelay(.zero)
                    #expect(try schema.psql("SELECT count(DISTINCT name), count(*) FROM shelf") == "21000|21000")
                }
            }

            @Test("updating 1,000 objects takes one round trip, and deleting 500 at most two")
            func changes() throws {
                try withProxy { session, proxy, schema in
                    let shelves = (0..<1000).map { shelf("\($0)") }
                    try session.save(shelves)
                    for (place, shelf) in shelves.enumerated() { shelf.name = "changed \(place)" }
                    try session.save(shelves)
                    for (place, shelf) in shelves.enumerated() { shelf.name = "again \(place)" }
                    #expect(try proxy.trips { try session.save(shelves) } == 1)
                    #expect(try schema.psql("SELECT count(*) FROM shelf WHERE name LIKE 'again %'") == "1000")
                    try session.delete(Array(shelves.prefix(500)))
                    #expect(try proxy.trips { try session.delete(Array(shelves.dropFirst(500))) } <= 2)
                    #expect(try Shelf.count() == 0)
                }
            }

            @Test("a conflict takes three round trips: the failed write, the read and the second write")
            func conflict() throws {
                try withProxy { session, proxy, schema in
                    let (box, item) = (Box(), Item())
                    try session.save([box, item])
                    func change(_ sql: String) throws -> Int {
                        item.count += 1
                        try item.save()
                        item.count += 1
                        _ = try schema.psql(sql)
                        return try proxy.trips { try item.save() }
                    }
                    _ = try change("UPDATE item SET name = 'x'")
                    #expect(try change("UPDATE item SET name = 'y'") <= 3)
                    #expect(item.name == "y")
                    #expect(try schema.psql("SELECT name, count FROM item") == "y|4")
                    let error = #expect(throws: StoreError.self) { () throws in
                        _ = try change("UPDATE item SET count = 100")
                    }
                    #expect(error?.code == .staleObject && error?.conflicts.map(\.property) == ["count"])
                    #expect(try schema.psql("SELECT name, count FROM item") == "y|100")
                }
            }

            @Test(
                "changes by a nested transaction that was open when the row was read are detected as a conflict"
            )
            func partsOfTransactions() throws {
                try withProxy { session, proxy, schema in
                    let item = Item()
                    try item.save()
                    let other = try Store(.postgres(schema.address))
                    defer { other.close() }
                    try other.withSession { others in
                        func change() throws {
                            try others.transaction {
                                try others.transaction { try others.execute("UPDATE item SET name = 'others'") }
                                item.count = 1
                                try item.reload()
                                item.count = 2
                            }
                        }
                        try change()
                    }
                    try item.save()
                    #expect(item.name == "others")
                    #expect(try schema.psql("SELECT name, count FROM item") == "others|2")
                }
            }

            @Test("fetching an object takes one round trip, a graph one per level, lazy strings of siblings one")
            func reading() throws {
                try withProxy { session, proxy, _ in
                    func make() throws {
                        let shelf = shelf("s")
                        let items = (0..<20).map { _ in
                            let (item, box) = (Item(), Box())
                            (box.shelf, box.note, item.box) = (shelf, "n", box)
                            return item
                        }
                        try session.save(items)
                    }
                    func read(_ counts: (Int) -> Void) throws {
                        counts(try proxy.trips { () throws in #expect(try Shelf.find(1)?.name == "s") })
                        counts(
                            try proxy.trips { () throws in
                                let items = try Item.all()
                                #expect(items.count == 20 && items[0].box?.shelf?.name == "s")
                            })
                        let boxes = try Box.all()
                        counts(proxy.trips { for box in boxes { #expect(box.note == "n") } })
                    }
                    try make()
                    try read { _ in }
                    var counts: [Int] = []
                    try read { counts.append($0) }
                    #expect(counts == [1, 3, 1])
                }
            }

            @Test("a transaction with a save takes two round trips: the save and the commit")
            func transactions() throws {
                try withProxy { session, proxy, _ in
                    func write() throws { try session.transaction { try Item().save() } }
                    try write()
                    try write()
                    #expect(try proxy.trips(write) == 2)
                }
            }
        }
    }
#endif
