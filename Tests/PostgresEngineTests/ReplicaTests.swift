#if PostgreSQL
    import Foundation
    import PersistentObjects
    import StoreEngine
    import TestSupport
    import Testing

    private final class Harbour: PersistentObject {
        override class var tableName: String { "harbour" }
        var name = ""
    }

    private final class Boat: PersistentObject {
        override class var tableName: String { "boat" }
        var name = ""
        var cargo = 0
        var harbour: Harbour?

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    /// Queries outside transactions go to a replica, and sessions see their own writes and no earlier state than before.
    ///
    /// One pair of servers serves all tests, which stop and continue its replay. Each test has a separate schema.
    @Suite(.serialized, .hangLimit, .onPostgres("a file has no replica")) struct ReplicaTests {
        private static let pair = Result { try PostgresPair() }
        private let pair: PostgresPair
        private let schema: String

        init() throws {
            pair = try Self.pair.get()
            schema = "s\(UUID().uuidString.prefix(8).lowercased())"
            try pair.setReplay(isPaused: false)
        }

        private func makeStore(maximumLag: Duration = .seconds(600)) throws -> Store {
            let replica = Store.Configuration.Replica(pair.replicaAddress, maximumLag: maximumLag)
            return try Store(pair.primaryAddress, schema: schema, configuration: .init(replica: replica))
        }

        /// A store with one boat, which the replica has received.
        private func makeBoat(_ store: Store) throws -> Int64 {
            let id = try store.withSession { session in
                let boat = Boat("Ann")
                try boat.save()
                try session.waitForReplica()
                return boat.id
            }
            return try #require(id)
        }

        private func onPrimary(_ sql: String) throws -> String {
            try pair.psqlOnPrimary("SET search_path = \(schema); \(sql)")
        }

        @Test("queries, graphs and readings go to the replica, transactions and saves to the primary")
        func routing() throws {
            let store = try makeStore()
            defer { store.close() }
            try store.withSession { session in
                let (harbour, boat) = (Harbour(), Boat("Ann"))
                harbour.name = "Home"
                boat.harbour = harbour
                try boat.save()
                try session.waitForReplica()
                let isReplica = "pg_is_in_recovery()"
                #expect(try Boat.where(isReplica).count() == 1)
                #expect(try Boat.where(isReplica).all() == [boat])
                #expect(try Boat.where(isReplica).all().first?.harbour === harbour)
                #expect(try session.reading { try session.readsReplica() })
                #expect(try session.reading { try Boat.where(isReplica).count() } == 1)
                #expect(try session.transaction { try !session.readsReplica() })
                #expect(try session.transaction { try Boat.where(isReplica).count() } == 0)
                boat.cargo = 1
                try boat.save()
                #expect(try onPrimary("SELECT cargo FROM boat") == "1")
            }
        }

        @Test("a session sees its own write, and no earlier state than it has seen")
        func ownWrites() throws {
            let store = try makeStore()
            defer { store.close() }
            let id = try makeBoat(store)
            try pair.setReplay(isPaused: true)
            try store.withSession { session in
                #expect(try session.readsReplica())
                let boat = try #require(try Boat.find(id))
                boat.cargo = 1
                try boat.save()
                #expect(try Boat.where { $0.cargo == 1 }.all() == [boat] && boat.cargo == 1)
                #expect(try !session.readsReplica())
            }
            try store.withSession { session in
                // The earlier state is within the lag.
                #expect(try session.readsReplica())
                let boat = try #require(try Boat.find(id))
                #expect(boat.cargo == 0)
                _ = try onPrimary("UPDATE boat SET cargo = 2")
                #expect(try session.transaction { try Boat.where { $0.cargo == 2 }.count() } == 1)
                #expect(try Boat.all().map(\.cargo) == [2] && boat.cargo == 2)
                try pair.setReplay(isPaused: false)
                try session.waitForReplica()
                #expect(try Boat.all().map(\.cargo) == [2])
            }
        }

        @Test("a session that starts after a write sees it")
        func tokens() async throws {
            let store = try makeStore()
            defer { store.close() }
            let id = try makeBoat(store)
            try pair.setReplay(isPaused: true)
            let text = try store.withSession { session in
                #expect(session.lastWrite == nil)
                let boat = try #require(try Boat.find(id))
                boat.cargo = 7
                try boat.save()
                return try JSONEncoder().encode(session.lastWrite)
            }
            let token = try JSONDecoder().decode(WriteToken.self, from: text)
            #expect(token.timeline == 1 && token.lsn > 0)
            // Without the token, the session reads the replica.
            #expect(try store.withSession { _ in try Boat.find(id)?.cargo } == 0)
            #expect(try store.withSession(after: token) { _ in try Boat.find(id)?.cargo } == 7)
            #expect(try await store.perform(after: token) { _ in try Boat.find(id)?.cargo } == 7)
            let task = try await store.withSession(after: token) { _ in
                await Task.yield()
                return try Boat.find(id)?.cargo
            }
            #expect(task == 7)
            // Positions of another log cannot be compared.
            let other = WriteToken(lsn: 0, timeline: 9)
            #expect(try store.withSession(after: other) { _ in try Boat.find(id)?.cargo } == 7)
            try pair.setReplay(isPaused: false)
            try store.withSession(after: token) { session in
                try session.waitForReplica()
                #expect(try Boat.find(id)?.cargo == 7)
            }
        }

        @Test("no read after a write is stale")
        func readsAfterWrites() throws {
            let store = try makeStore(maximumLag: .seconds(1))
            defer { store.close() }
            let id = try makeBoat(store)
            var onReplica = 0
            func read(_ session: Session, _ expected: Int) throws {
                let row = try session.rows("SELECT cargo, pg_is_in_recovery() AS r FROM boat").first
                try #require(row?["cargo"] == .integer(Int64(expected)))
                onReplica += row?["r"] == .integer(1) ? 1 : 0
            }
            var token: WriteToken?
            for round in 1...Scale.rounds(2000) {
                // Three reads in the writing session, which reach the replica sooner or later, and two in the next one.
                token = try store.withSession(after: token) { session in
                    let boat = try #require(try Boat.find(id))
                    try #require(boat.cargo == round - 1)
                    boat.cargo = round
                    try boat.save()
                    for place in 0..<3 {
                        // The later reads come while the replica receives the write, or after it.
                        if place > 0 { usleep(3000) }
                        try read(session, round)
                    }
                    return session.lastWrite
                }
                try store.withSession(after: token) { session in
                    try #require(try Boat.find(id)?.cargo == round)
                    try read(session, round)
                }
            }
            // Otherwise nothing was tested.
            #expect(onReplica > 0)
        }

        @Test("a replica that is too far behind is not used")
        func lag() throws {
            let store = try makeStore(maximumLag: .milliseconds(300))
            defer { store.close() }
            let id = try makeBoat(store)
            try pair.setReplay(isPaused: true)
            _ = try onPrimary("UPDATE boat SET cargo = 5")
            // From now on, the replica's state is older than the lag.
            usleep(400_000)
            for _ in 0..<20 { #expect(try store.withSession { _ in try Boat.find(id)?.cargo } == 5) }
        }

        @Test("the settings of a connection keep its queries on the primary")
        func settings() throws {
            let store = try makeStore()
            defer { store.close() }
            _ = try makeBoat(store)
            try store.withSession { session in
                try session.waitForReplica()
                _ = try session.rows("SELECT set_config('TimeZone', 'Asia/Tokyo', false)")
                #expect(try session.rows("SELECT current_setting('TimeZone') AS z").first?["z"] == .text("Asia/Tokyo"))
                #expect(try !session.readsReplica())
            }
        }

        @Test("a query that the replica cannot answer goes to the primary")
        func refusedQueries() throws {
            let store = try makeStore()
            defer { store.close() }
            _ = try makeBoat(store)
            try store.withSession { session in
                try session.waitForReplica()
                _ = try onPrimary("CREATE SEQUENCE number")
                #expect(try session.rows("SELECT nextval('number') AS n").first?["n"] == .integer(1))
                try pair.setReplay(isPaused: true)
                _ = try onPrimary("CREATE TABLE later (n bigint); INSERT INTO later VALUES (3)")
                #expect(try session.rows("SELECT n FROM later").first?["n"] == .integer(3))
            }
        }

        @Test("a subscriber finds the changes of which it is notified, although the replica does not have them")
        func events() async throws {
            let store = try makeStore()
            defer { store.close() }
            let id = try makeBoat(store)
            var events = store.events.makeAsyncIterator()
            try pair.setReplay(isPaused: true)
            let session = try Session(store)
            defer { session.close() }
            #expect(try session.use { try Boat.find(id)?.cargo } == 0)
            _ = try onPrimary("UPDATE boat SET cargo = 3")
            while let event = await events.next(), event.kind != .updated {}
            #expect(try session.use { try Boat.all().first?.cargo } == 3)
            try store.withSession { _ in
                let boat = try #require(try Boat.find(id))
                boat.cargo = 4
                try boat.save()
            }
            #expect(try session.use { try Boat.all().first?.cargo } == 4)
        }

        // MARK: Refused configurations

        @Test("a file, another address and another server are refused")
        func refusals() throws {
            func error(_ body: () throws -> Void) -> String {
                do { try body() } catch let error as StoreError { return "\(error.code): \(error.message)" } catch {
                    return "\(error)"
                }
                return "none"
            }
            let file = FileManager.default.temporaryDirectory.appending(path: "replica-\(UUID()).sqlite").path()
            #expect(
                error {
                    _ = try Store(
                        file, configuration: .init(replica: .init(pair.replicaAddress)), engine: SQLiteEngine())
                } == """
                    unsupported: The engine SQLite has no replicas. Remove replica from the configuration, or open the \
                    address of a server
                    """)
            #expect(!FileManager.default.fileExists(atPath: file))
            func open(_ replica: String) throws {
                try Store(pair.primaryAddress, schema: schema, configuration: .init(replica: .init(replica))).close()
            }
            #expect(
                error { try open("replica.example.org") }
                    == "misuse: The address of a replica must begin with postgres://")
            let other = try PostgresDatabase()
            #expect(
                error { try open(other.address()) } == """
                    misuse: The server that the configuration names as the replica is not a replica of this database. \
                    Name a streaming replica of the store's server, with the same database
                    """)
            // A store of the replica alone cannot wait for a write.
            let reader = try Store(pair.replicaAddress, configuration: .init(isReadOnly: true))
            defer { reader.close() }
            #expect(
                error { try reader.withSession(after: WriteToken(lsn: 1, timeline: 1)) { _ in } } == """
                    unsupported: This server is a replica, which may not have the write yet. Open the store with the \
                    address of the server that can be written, and name the replica in its configuration
                    """)
        }
    }
#endif
