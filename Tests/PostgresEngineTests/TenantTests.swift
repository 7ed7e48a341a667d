#if PostgreSQL
    import Foundation
    import PersistentObjects
    import PersistentTransfer
    import TestSupport
    import Testing

    private final class Tenancy: PersistentObject {
        override class var tableName: String { "tenancy" }
        override class var keepsHistory: Bool { true }
        @Unique var name = ""
        var tags: Set<String> = []
        @Inverse(\Rent.tenancy) var rents: [Rent] = []

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    private final class Rent: PersistentObject {
        override class var tableName: String { "rent" }
        var amount = 0
        var tenancy: Tenancy?
    }

    /// Two stores in schemas of one database, with the same classes. A call on one of them never touches the other.
    @Suite(.hangLimit, .onPostgres("files have no schemas")) struct TenantTests {
        /// A database with the stores of `t7` and `t8`.
        private struct Pair {
            let database: PostgresDatabase
            let seven: Store
            let eight: Store

            init(_ configuration: Store.Configuration = .init()) throws {
                database = try PostgresDatabase()
                seven = try Store(database.address(), schema: "t7", configuration: configuration)
                eight = try Store(.postgres(database.address(), schema: "t8"), configuration: configuration)
            }

            /// Closes the stores before the database is dropped.
            func close() {
                for store in [seven, eight] { store.close() }
                withExtendedLifetime(database) {}
            }

            /// The names in the tables, one line for each tenant.
            var names: String {
                get throws {
                    try database.psql(
                        ["t7", "t8"].map { "SELECT '\($0) ' || string_agg(name, ',' ORDER BY id) FROM \($0).tenancy" }
                            .joined(separator: ";"))
                }
            }
        }

        private static func save(_ names: String..., in store: Store) throws {
            try store.withSession { session in try session.save(names.map { Tenancy($0) }) }
        }

        @Test func `each schema has its own tables, ids and unique values`() throws {
            let pair = try Pair()
            defer { pair.close() }
            for (store, name) in [(pair.seven, "a"), (pair.eight, "b")] {
                try store.withSession { session in
                    let (first, second) = (Tenancy(name), Tenancy("both"))
                    first.tags = ["\(name)1", "\(name)2"]
                    let rent = Rent()
                    (rent.amount, rent.tenancy) = (name == "a" ? 7 : 8, first)
                    try session.save([first, second])
                    try session.save(rent)
                }
            }
            for (store, name, amount) in [(pair.seven, "a", 7), (pair.eight, "b", 8), (pair.seven, "a", 7)] {
                try store.withSession { session in
                    let first = try #require(try Tenancy.find(1))
                    expect(first.name, name)
                    expect(first.tags, ["\(name)1", "\(name)2"])
                    expect(first.rents.map(\.amount), [amount])
                    #expect(try Tenancy.findByName("both").first === Tenancy.find(2))
                    expect(try Tenancy.count(), 2)
                    let sum = try session.rows("SELECT sum(amount)::bigint FROM rent").map { $0[0] }
                    expect(sum, [.integer(Int64(amount))])
                }
            }
            expect(try pair.names, "t7 a,both\nt8 b,both")
            expect(try pair.database.psql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "0")
        }

        @Test func `errors and rollbacks in one schema leave the other as it is`() throws {
            struct Stop: Error {}
            let pair = try Pair()
            defer { pair.close() }
            for store in [pair.seven, pair.eight] { try Self.save("a", in: store) }
            for round in 1...3 {
                try pair.seven.withSession { session in
                    let error = #expect(throws: StoreError.self) { try Tenancy("a").save() }
                    #expect(error?.code == .notUnique)
                    #expect(throws: Stop.self) {
                        try session.transaction {
                            try Tenancy("gone").save()
                            throw Stop()
                        }
                    }
                    #expect(throws: StoreError.self) { try session.execute("SELECT * FROM missing") }
                }
                try Self.save("eight \(round)", in: pair.eight)
                try Self.save("seven \(round)", in: pair.seven)
            }
            expect(try pair.names, "t7 a,seven 1,seven 2,seven 3\nt8 a,eight 1,eight 2,eight 3")
        }

        @Test func `a call after a lost connection is in the same schema`() throws {
            let pair = try Pair()
            defer { pair.close() }
            for store in [pair.seven, pair.eight] { try Self.save("a", in: store) }
            try pair.eight.withSession { _ in
                let eight = try #require(try Tenancy.find(1))
                try pair.seven.withSession { _ in
                    let seven = try #require(try Tenancy.find(1))
                    for connections in [false, true] { try pair.database.setConnections(areAllowed: connections) }
                    (seven.name, eight.name) = ("seven", "eight")
                    // The first call may be the call that detects the loss.
                    do { try seven.save() } catch let error as StoreError where error.code == .connectionLost {
                        try seven.save()
                    }
                }
                do { try eight.save() } catch let error as StoreError where error.code == .connectionLost {
                    try eight.save()
                }
            }
            expect(try pair.names, "t7 seven\nt8 eight")
        }

        @Test func `events report the commits of their schema only`() async throws {
            let pair = try Pair()
            defer { pair.close() }
            for store in [pair.seven, pair.eight] { try store.prepare(Tenancy.self) }
            var seven = pair.seven.events.makeAsyncIterator()
            var eight = pair.eight.events.makeAsyncIterator()
            try Self.save("a", in: pair.eight)
            try Self.save("b", "c", in: pair.eight)
            try Self.save("d", in: pair.seven)
            // Ids are allocated per schema, so both schemas have the id 1.
            _ = try pair.database.psql(
                """
                INSERT INTO t8.tenancy (id, name) VALUES (900, 'x');
                INSERT INTO t7.tenancy (id, name) VALUES (901, 'y')
                """)
            for id in [Int64(1), 901] { expect(await seven.next()?.id?.value, id) }
            for id in [Int64(1), 2, 3, 900] { expect(await eight.next()?.id?.value, id) }
        }

        @Test func `undo and history are those of the schema`() throws {
            let pair = try Pair()
            defer { pair.close() }
            for round in 1...2 {
                for (store, name) in [(pair.seven, "seven"), (pair.eight, "eight")] {
                    try store.withSession { session in
                        session.recordsUndo = true
                        let renamed = Tenancy("\(name) \(round)")
                        try renamed.save()
                        renamed.name = "renamed"
                        try renamed.save()
                        try session.undo()
                        expect(renamed.name, "\(name) \(round)")
                    }
                }
            }
            expect(try pair.names, "t7 seven 1,seven 2\nt8 eight 1,eight 2")
            let entries = ["t7", "t8"].map { "SELECT count(*) > 3 FROM \($0).po_history_entry" }
            expect(try pair.database.psql(entries.joined(separator: ";")), "t\nt")
        }

        @Test func `a tenant is copied to another schema, with its ids, elements and history`() throws {
            let pair = try Pair()
            defer { pair.close() }
            try Self.save("gone", "kept", in: pair.seven)
            try pair.seven.withSession { _ in
                try Tenancy.find(1)?.delete()
                let kept = try #require(try Tenancy.find(2))
                (kept.name, kept.tags) = ("renamed", ["a", "b"])
                let rent = Rent()
                (rent.amount, rent.tenancy) = (7, kept)
                try rent.save()
            }
            expect(try pair.seven.copy([Tenancy.self, Rent.self], to: pair.eight), 2)
            // Both tenants go on, each with ids of its own.
            for store in [pair.seven, pair.eight] { try Self.save("next", in: store) }
            expect(try pair.names, "t7 renamed,next\nt8 renamed,next")
            try pair.eight.withSession { _ in
                let copy = try #require(try Tenancy.find(2))
                expect(copy.tags, ["a", "b"])
                expect(copy.rents.map(\.amount), [7])
                expect(try copy.history.all().map(\.change), [.created, .changed])
                // The sequence goes on after the copied ids.
                #expect(try #require(Tenancy.findByName("next").first?.id) > 2)
            }
        }

        @Test func `a schema is migrated when its store uses a class for the first time`() throws {
            let pair = try Pair()
            defer { pair.close() }
            for store in [pair.seven, pair.eight] { try Self.save("a", in: store) }
            _ = try pair.database.psql("ALTER TABLE t7.rent DROP COLUMN amount; ALTER TABLE t8.rent DROP COLUMN amount")
            let columns = """
                SELECT table_schema FROM information_schema.columns WHERE table_name = 'rent' AND column_name = 'amount'
                """
            expect(try pair.database.psql(columns), "")
            let again = try Store(pair.database.address(), schema: "t8")
            defer { again.close() }
            try again.withSession { _ in expect(try Rent.count(), 0) }
            expect(try pair.database.psql(columns), "t8")
        }
    }
#endif
