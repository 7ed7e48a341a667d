#if PostgreSQL
    import Foundation
    import StoreEngine
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private final class Canoe: PersistentObject {
        override class var tableName: String { "canoe" }
        var name = ""
        var cargo = 0

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    /// The connection to the replica: it works for several schemas, is reported, and can be lost in the middle of a
    /// query.
    @Suite(.hangLimit, .onPostgres("a file has no replica")) struct ReplicaConnectionTests {
        private let pair: PostgresPair

        init() throws { pair = try PostgresPair() }

        private func makeStore(_ schema: String, _ configuration: Store.Configuration = .init()) throws -> Store {
            var configuration = configuration
            configuration.replica = .init(pair.replicaAddress, maximumLag: .seconds(600))
            return try Store(pair.primaryAddress, schema: schema, configuration: configuration)
        }

        private let clients = "pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"

        // MARK: Schemas

        @Test("stores share the connection to the replica, and nothing of a schema reaches the next one")
        func schemas() throws {
            let stores = try (1...3).map { try makeStore("t\($0)") }
            defer { for store in stores { store.close() } }
            var tokens: [WriteToken?] = []
            for (place, store) in stores.enumerated() {
                tokens.append(
                    try store.withSession { session in
                        try session.save((0...place).map { _ in Canoe("t\(place + 1)") })
                        return session.lastWrite
                    })
            }
            for round in 1...3 {
                for (place, store) in stores.enumerated() {
                    tokens[place] = try store.withSession(after: tokens[place]) { session in
                        let name = "t\(place + 1)"
                        func check() throws {
                            let all = try Canoe.all()
                            expect(all.map(\.name), (0...place).map { _ in name })
                            #expect(all.allSatisfy { $0.cargo == round - 1 })
                            expect(try session.rows("SELECT current_schema() AS s").first?["s"], .text(name))
                        }
                        // Each server answers from the schema of the store.
                        try check()
                        try session.waitForReplica()
                        try check()
                        try session.reading {
                            #expect(try session.readsReplica())
                            try check()
                        }
                        for canoe in try Canoe.all() { canoe.cargo = round }
                        try session.saveChanges()
                        expect(try Canoe.where { $0.cargo == round }.count(), place + 1)
                        return session.lastWrite
                    }
                }
            }
            try expect(pair.psql("SELECT count(*) FROM \(clients)"), "1")
            try expect(
                pair.psqlOnPrimary("SELECT count(*) FROM \(clients) AND application_name <> 'walreceiver'"), "1")
        }

        @Test("settings that a function made on the replica do not reach the next schema")
        func settings() throws {
            let stores = try (1...2).map { try makeStore("t\($0)") }
            defer { for store in stores { store.close() } }
            let values = """
                SELECT coalesce(current_setting('app.tenant', TRUE), ''), current_setting('work_mem'), \
                current_setting('search_path'), current_setting('default_transaction_read_only'), \
                pg_is_in_recovery()
                """
            for (place, store) in stores.enumerated() {
                try store.withSession { session in
                    try Canoe("t\(place + 1)").save()
                    try session.execute(
                        """
                        CREATE FUNCTION hide() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
                            PERFORM set_config('app.tenant', '1', FALSE), set_config('work_mem', '1MB', FALSE),
                                set_config('search_path', 't1', FALSE); END $$
                        """)
                }
            }
            for (place, store) in stores.enumerated() {
                try store.withSession { session in
                    try session.waitForReplica()
                    expect(
                        try session.rows(values)[0].values,
                        [.text(""), .text("4MB"), .text("t\(place + 1)"), .text("on"), .integer(1)])
                    let row = try session.rows("SELECT hide()::text, pg_is_in_recovery() AS r").first
                    expect(row?["r"], .integer(1))
                }
            }
        }

        @Test("a schema that the replica does not have yet is read on the primary, and later on the replica")
        func newSchema() throws {
            let known = try makeStore("t1")
            try known.withSession { session in
                try Canoe("t1").save()
                try session.waitForReplica()
            }
            try pair.setReplay(isPaused: true)
            let new = try makeStore("t2")
            for name in ["a", "b"] {
                try new.withSession { session in
                    try Canoe(name).save()
                    #expect(try Canoe.all().contains { $0.name == name } && !session.readsReplica())
                }
                try new.withSession { _ in expect(try Canoe.where { $0.name == "t1" }.count(), 0) }
                try known.withSession { _ in expect(try Canoe.all().map(\.name), ["t1"]) }
            }
            try pair.setReplay(isPaused: false)
            for (store, names) in [(new, ["a", "b"]), (known, ["t1"])] {
                try store.withSession { session in
                    try session.waitForReplica()
                    expect(try Canoe.query.order(by: \.name).all().map(\.name), names)
                }
                store.close()
            }
        }

        // MARK: Reports

        @Test("queries that the replica answered are reported to onQuery, once each, like those of the primary")
        func reports() throws {
            let profiles = Recorder<StatementProfile>()
            let store = try makeStore("t1", .init(onQuery: { profiles.add($0) }, showsQueryArguments: true))
            defer { store.close() }
            try store.withSession { session in
                try session.save([Canoe("a"), Canoe("b")])
                try session.waitForReplica()
                func report(_ body: () throws -> Void) rethrows -> [StatementProfile] {
                    _ = profiles.take()
                    try body()
                    return profiles.take().filter { $0.sql.contains("pg_is_in_recovery") }
                }
                let query = Canoe.where("pg_is_in_recovery() AND name <> ?", "b")
                for place in 0..<2 {
                    let found = try report {
                        if place == 0 {
                            expect(try query.all().map(\.name), ["a"])
                        } else {
                            try session.reading { expect(try query.all().map(\.name), ["a"]) }
                        }
                    }
                    expect(found.count, 1)
                    let profile = try #require(found.first)
                    #expect(profile.rows == 1 && profile.changedRows == 0 && profile.error == nil)
                    #expect(profile.arguments == [.text("b")] && profile.session == session.number)
                    expect(profile.call?.contains("all()"), true)
                }
                // The replica rejects the query, and the primary answers it.
                try pair.setReplay(isPaused: true)
                _ = try pair.psqlOnPrimary("CREATE TABLE t1.later AS SELECT 3::bigint AS n")
                _ = profiles.take()
                let sql = "SELECT n, pg_is_in_recovery() AS r FROM later"
                let found = try report {
                    let row = try session.rows(sql).first
                    #expect(row?["n"] == .integer(3) && row?["r"] == .integer(0))
                }
                expect(found.map { "\($0.sql): \($0.rows) \($0.error == nil)" }, ["\(sql): 1 true"])
                try pair.setReplay(isPaused: false)
            }
        }

        // MARK: Lost connections

        @Test("a query of many rows whose connection to the replica is lost throws, and the next one has all rows")
        func cutStream() throws {
            let store = try makeStore("t1")
            defer { store.close() }
            let sql: SQL = """
                SELECT n, pg_is_in_recovery() AS r, repeat('x', 10000) FROM generate_series(1, 20000) AS n
                """
            try store.withSession { session in
                try Canoe("a").save()
                for isInTransaction in [false, true] {
                    try session.waitForReplica()
                    let connection = session.connection
                    if isInTransaction { try connection.beginReading(mayBeEarlier: true) }
                    let statement = try connection.statement(sql)
                    statement.beginBinding()
                    #expect(try statement.step() && statement.integer(0) == 1 && statement.integer(1) == 1)
                    _ = try pair.psql("SELECT pg_terminate_backend(pid, 60000) FROM \(clients)")
                    var count = 1
                    let error = #expect(throws: StoreError.self) { () throws in
                        while try statement.step() { count += 1 }
                    }
                    statement.finish()
                    #expect(error?.code == .connectionLost && count < 20000)
                    if isInTransaction { connection.rollback() }
                    #expect(connection.busyStatementCount == 0)
                    // The primary answers the next attempt, and the replica is used again later.
                    let rows = try session.rows(
                        "SELECT n, pg_is_in_recovery() AS r, repeat('x', 10000) FROM generate_series(1, 20000) AS n")
                    #expect(rows.count == 20000 && rows.allSatisfy { $0["r"] == .integer(0) })
                }
                try session.waitForReplica()
            }
        }

        @Test("a query is answered completely, or throws, whenever the connection to the replica is lost")
        func lostConnections() async throws {
            let store = try makeStore("t1")
            defer { store.close() }
            let count = 5000
            try store.withSession { session in
                try session.save((0..<count).map { Canoe("\($0)" + String(repeating: "x", count: 1000)) })
                try session.execute("ANALYZE")
                try session.waitForReplica()
            }
            let isDone = Recorder<Bool>()
            let (pair, clients) = (pair, clients)
            let killer = Task.detached {
                while isDone.all.isEmpty { _ = try pair.psql("SELECT pg_terminate_backend(pid) FROM \(clients)") }
            }
            let codes: Set<StoreError.Code> = [.connectionLost, .busy]
            var onReplica = 0
            for _ in 0..<Scale.rounds(100) {
                try store.withSession { session in
                    func tolerate(_ body: () throws -> Void) throws {
                        do { try body() } catch let error as StoreError where codes.contains(error.code) {}
                    }
                    try tolerate { try #require(try Canoe.all().count == count) }
                    try tolerate {
                        let rows = try session.rows("SELECT name, pg_is_in_recovery() AS r FROM canoe")
                        try #require(rows.count == count)
                        if rows[0]["r"] == .integer(1) { onReplica += 1 }
                    }
                    try tolerate { try #require(try Canoe.count() == count) }
                    try tolerate { try session.reading { try #require(try Canoe.query.ids().count == count) } }
                }
            }
            isDone.add(true)
            try await killer.value
            // Otherwise nothing was tested.
            #expect(onReplica > 0)
        }
    }
#endif
