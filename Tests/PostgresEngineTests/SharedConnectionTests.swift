#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    private final class Overnight: PersistentObject {
        override class var tableName: String { "overnight" }
        @Unique var name = ""

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    /// The stores of one server share connections, and nothing of one store reaches another.
    @Suite(.hangLimit, .onPostgres("files have no schemas")) struct SharedConnectionTests {
        private static func stores(
            _ database: PostgresDatabase, _ count: Int, _ configuration: Store.Configuration = .init()
        ) throws -> [Store] {
            try (1...count).map { number in
                try Store(database.address(), schema: "t\(number)", configuration: configuration)
            }
        }

        /// The number of connections to the database.
        private static func connectionCount(_ database: PostgresDatabase) throws -> Int {
            let sql = """
                SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = \
                'client backend' AND pid <> pg_backend_pid()
                """
            return try Int(database.psql(sql)) ?? -1
        }

        /// The names in the tables of the schemas.
        private static func names(_ database: PostgresDatabase, _ count: Int) throws -> [String] {
            let all = (1...count).map { "SELECT coalesce(string_agg(name, ' ' ORDER BY id), '') FROM t\($0).overnight" }
            return try database.psql(all.joined(separator: ";")).components(separatedBy: "\n")
        }

        @Test func `stores that are used one after the other need one connection, however many they are`() throws {
            let database = try PostgresDatabase()
            let count = Scale.of(300)
            let stores = try Self.stores(database, count)
            defer { for store in stores { store.close() } }
            for round in 1...3 {
                for (place, store) in stores.enumerated() {
                    try store.withSession { _ in
                        try Overnight("t\(place + 1)r\(round)").save()
                        expect(try Overnight.count(), round)
                    }
                }
            }
            expect(try Self.connectionCount(database), 1)
            // Ids of a schema are consecutive, although the connection has worked for other schemas meanwhile.
            expect(try database.psql("SELECT min(id), max(id) FROM t1.overnight"), "1|3")
            expect(try Self.names(database, count), (1...count).map { "t\($0)r1 t\($0)r2 t\($0)r3" })
            for store in stores.dropLast() { store.close() }
            try stores[count - 1].withSession { _ in expect(try Overnight.count(), 3) }
            expect(try Self.connectionCount(database), 1)
        }

        @Test func `nothing of a server's session reaches the next schema`() throws {
            let database = try PostgresDatabase()
            let role = try database.role("other")
            let address = database.address("po", "options=-cstatement_timeout%3D90000%20-cwork_mem%3D5MB")
            let stores = try ["t1", "t2"].map { try Store(address, schema: $0) }
            defer { for store in stores { store.close() } }
            func value(_ session: Session, _ sql: String) throws -> String { try session.rows(sql)[0].value(0) }
            for store in stores { try store.withSession { _ in try Overnight("own").save() } }
            let process = try stores[0].withSession { session in
                try session.execute(
                    """
                    CREATE FUNCTION hide() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
                        CREATE TEMP TABLE overnight (id bigint, name text); EXECUTE 'LISTEN hidden'; END $$
                    """)
                for sql in [
                    "SELECT set_config('search_path', 't1', FALSE)", "SELECT set_config('app.tenant', '1', FALSE)",
                    "SELECT set_config('work_mem', '1MB', FALSE)", "SELECT pg_advisory_lock(5)::text",
                    "SELECT nextval('po_listening')", "SELECT hide()::text",
                    "SELECT set_config('role', '\(role)', FALSE)",
                ] { _ = try session.rows(sql) }
                return try value(session, "SELECT pg_backend_pid()::text")
            }
            try stores[1].withSession { session in
                expect(try value(session, "SELECT pg_backend_pid()::text"), process)
                expect(try value(session, "SELECT current_setting('search_path')"), "t2")
                expect(try value(session, "SELECT coalesce(current_setting('app.tenant', TRUE), '')"), "")
                expect(try value(session, "SELECT current_setting('work_mem')"), "5MB")
                expect(try value(session, "SELECT current_setting('client_min_messages')"), "warning")
                expect(try value(session, "SELECT current_user::text"), "po")
                let locks = "SELECT count(*)::text FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
                expect(try value(session, locks), "0")
                expect(try value(session, "SELECT count(*)::text FROM pg_listening_channels()"), "0")
                let table = "SELECT relnamespace::regnamespace::text FROM pg_class WHERE oid = 'overnight'::regclass"
                expect(try value(session, table), "t2")
                #expect(throws: StoreError.self) { _ = try value(session, "SELECT lastval()::text") }
                expect(try Overnight.all().map(\.name), ["own"])
            }
            expect(try Self.connectionCount(database), 1)
        }

        @Test func `a connection keeps at most 200 statements`() throws {
            let database = try PostgresDatabase()
            let stores = try Self.stores(database, 20)
            defer { for store in stores { store.close() } }
            var kept: [Int] = []
            for round in 0..<2 {
                for store in stores {
                    try store.withSession { session in
                        try Overnight("b\(round)").save()
                        expect(try Overnight.findByName("b\(round)").count, 1)
                        expect(try Overnight.where { $0.name != "x" }.count(), round + 1)
                        let rows = try session.rows("SELECT count(*) FROM pg_prepared_statements")
                        kept.append(try rows[0].value(0, as: Int.self))
                    }
                }
            }
            // The connection has a statement for snapshots, and this query is a statement, too.
            #expect(kept.allSatisfy { $0 <= 202 } && kept.suffix(20).allSatisfy { $0 > 100 }, "\(kept)")
            expect(try Self.connectionCount(database), 1)
        }

        @Test func `a schema that was dropped and created again is a new one`() throws {
            let database = try PostgresDatabase()
            let stores = try Self.stores(database, 2)
            defer { for store in stores { store.close() } }
            for store in stores { try store.withSession { _ in try Overnight("old").save() } }
            _ = try database.psql("SET client_min_messages = warning; DROP SCHEMA t1 CASCADE")
            // The functions of the schema are missing, too.
            let again = try Store(database.address(), schema: "t1")
            defer { again.close() }
            try again.withSession { _ in
                try Overnight("new").save()
                expect(try Overnight.all().map { "\($0.name) \($0.persistentID?.value ?? 0)" }, ["new 1"])
            }
            expect(try Self.names(database, 2), ["new", "old"])
            expect(try Self.connectionCount(database), 1)
        }

        @Test func `stores with different options do not share connections`() throws {
            let database = try PostgresDatabase()
            let stores = try Self.stores(database, 2)
            let readers = try Self.stores(database, 2, .init(isReadOnly: true))
            defer { for store in stores + readers { store.close() } }
            for store in stores { try store.withSession { _ in try Overnight("a").save() } }
            for reader in readers {
                try reader.withSession { session in
                    expect(try Overnight.count(), 1)
                    #expect(throws: StoreError.self) { try session.execute("DELETE FROM overnight") }
                }
            }
            for store in stores { try store.withSession { _ in try Overnight("b").save() } }
            expect(try Self.connectionCount(database), 2)
            stores[0].configuration.queryTimeout = .seconds(50)
            try stores[0].withSession { session in
                expect(try session.rows("SHOW statement_timeout")[0].value(0), "50s")
            }
            try stores[1].withSession { session in
                expect(try session.rows("SHOW statement_timeout")[0].value(0), "0")
            }
        }

        @Test func `a session waits for a connection of another store if the server accepts no more`() async throws {
            let database = try PostgresDatabase()
            let role = try database.role("app", "CONNECTION LIMIT 1")
            _ = try database.psql("CREATE SCHEMA t1 AUTHORIZATION \(role); CREATE SCHEMA t2 AUTHORIZATION \(role)")
            let stores = try ["t1", "t2"].map { try Store(database.address(role), schema: $0) }
            defer { for store in stores { store.close() } }
            for store in stores { try store.prepare(Overnight.self) }
            let (began, end) = (Recorder<Bool>(), Recorder<Bool>())
            let first = Task.detached {
                try await stores[0].withSession { _ in
                    began.add(true)
                    try await waitUntil { !end.all.isEmpty }
                    try Overnight("first").save()
                }
            }
            try await waitUntil { !began.all.isEmpty }
            let second = Task.detached { try await stores[1].perform { _ in try Overnight("second").save() } }
            end.add(true)
            try await first.value
            try await second.value
            expect(try Self.names(database, 2), ["first", "second"])
            for store in stores { store.close() }
            _ = try database.psql("DROP OWNED BY \(role) CASCADE")
        }
    }
#endif
