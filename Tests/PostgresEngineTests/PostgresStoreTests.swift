#if PostgreSQL
    import Foundation
    import PersistentObjects
    import StoreEngine
    import Synchronization
    import TestSupport
    import Testing

    private final class Counter: PersistentObject {
        override class var tableName: String { "counter" }
        var name = ""
        var count = 0
        var next: Counter?
    }

    /// A table with several triggers and references.
    private final class RecordedOnce: PersistentObject {
        override class var tableName: String { "recorded_once" }
        override class var keepsHistory: Bool { true }
        @Searchable var title = ""
        var tags: [String] = []
        var last: Counter?
        var first: Counter?
    }

    /// Situations that occur only with a server.
    @Suite(.onPostgres("servers have connections to end, and rows that others lock")) struct PostgresStoreTests {
        private func integer(_ sql: String, _ session: Session) throws -> Int64? {
            guard case .integer(let number)? = try session.rows(sql).first?[0] else { return nil }
            return number
        }

        @Test("the call after a lost connection reconnects, and objects keep their edits")
        func lostConnection() throws {
            try withTemporarySession { session, _ in
                let counter = Counter()
                counter.name = "a"
                try counter.save()
                let process = try #require(try integer("SELECT pg_backend_pid()", session))
                try withTemporarySession { other, _ in
                    _ = try other.rows("SELECT pg_terminate_backend(?::int)::int AS ended", process)
                }
                counter.count = 1
                // The first call may be the call that detects the loss.
                do { try counter.save() } catch let error as StoreError where error.code == .connectionLost {
                    #expect(counter.hasChanges)
                    try counter.save()
                }
                #expect(!counter.hasChanges)
                #expect(try integer("SELECT count FROM counter", session) == 1)
                #expect(try Counter.findByName("a").first === counter)
            }
        }

        @Test("a connection lost inside a transaction restores memory")
        func lostTransaction() throws {
            try withTemporarySession { session, _ in
                let counter = Counter()
                try counter.save()
                func run() throws {
                    try session.transaction {
                        counter.count = 5
                        try counter.save()
                        let process = try integer("SELECT pg_backend_pid()", session)
                        try withTemporarySession { other, _ in
                            _ = try other.rows("SELECT pg_terminate_backend(?::int)::int AS ended", process)
                        }
                        counter.count = 6
                        try counter.save()
                    }
                }
                let error = #expect(throws: StoreError.self) { () throws in try run() }
                #expect(error?.code == .connectionLost)
                #expect(counter.count == 0)
                counter.count = 7
                try counter.save()
                #expect(try integer("SELECT count FROM counter", session) == 7)
            }
        }

        @Test("stores that increment the same row lose no update")
        func counting() async throws {
            let file = try TemporaryStore()
            let store = try file.open()
            try store.withSession { _ in try Counter().save() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        // The stores wait for each other, on a busy machine for seconds.
                        let own = try file.open(configuration: .init(busyTimeout: .seconds(600)))
                        defer { own.close() }
                        for _ in 0..<25 {
                            try own.withSession { session in
                                try session.transaction(retries: 1) {
                                    let counter = try #require(try Counter.find(1))
                                    counter.count += 1
                                    try counter.save()
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try store.withSession { _ in try Counter.find(1)?.count } == 100)
        }

        @Test("several connections never assign the same id, even after rollbacks")
        func ids() throws {
            struct Stop: Error {}
            let file = try TemporaryStore()
            let stores = try (0..<3).map { _ in try file.open() }
            for round in 0..<30 {
                try stores[round % 3].withSession { session in
                    func undone() throws {
                        try session.transaction {
                            try session.save((0..<5).map { _ in Counter() })
                            throw Stop()
                        }
                    }
                    #expect(throws: Stop.self) { () throws in try undone() }
                    try session.save((0..<(round * 7 % 90 + 1)).map { _ in Counter() })
                }
            }
            let ids = try stores[0].withSession { _ in try Counter.all().compactMap(\.id) }
            #expect(ids.count == (0..<30).reduce(0) { $0 + $1 * 7 % 90 + 1 })
            #expect(Set(ids).count == ids.count)
        }

        @Test("values and features that the server does not support are rejected")
        func refusals() throws {
            try withTemporarySession { session, _ in
                let counter = Counter()
                counter.name = "a\0b"
                let text = #expect(throws: StoreError.self) { () throws in try counter.save() }
                #expect(text?.code == .notRepresentable)
                #expect(text?.className == "Counter" && text?.property == "name")
                #expect(counter.isNew && counter.name == "a\0b")
                counter.name = "ab"
                try counter.save()
                let plan = #expect(throws: StoreError.self) { () throws in _ = try Counter.query.explain() }
                #expect(plan?.code == .unsupported)
            }
        }

        @Test("strings sort by their UTF-8 bytes, regardless of the server's collation")
        func order() throws {
            try withTemporarySession { session, _ in
                var state: UInt64 = 7
                func next(_ limit: UInt32) -> UInt32 {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt32(truncatingIfNeeded: state >> 33) % limit
                }
                func text() -> String {
                    var scalars = String.UnicodeScalarView()
                    for _ in 0..<next(6) {
                        let range: UInt32 = [0x80, 0x500, 0x3000, 0x11_0000][Int(next(4))]
                        if let scalar = Unicode.Scalar(next(range - 1) + 1) { scalars.append(scalar) }
                    }
                    return String(scalars)
                }
                let counters = (0..<5000).map { _ in
                    let counter = Counter()
                    counter.name = text()
                    return counter
                }
                try session.save(counters)
                let names = try Counter.query.order(by: \.name).all().map(\.name)
                let wanted = counters.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                #expect(names.elementsEqual(wanted) { $0.utf8.elementsEqual($1.utf8) })
            }
        }

        @Test func `a class is recorded once, in whatever order the server's plans read the catalog`() throws {
            let database = try PostgresDatabase()
            let first = try Store(.postgres(database.address()))
            try first.prepare(RecordedOnce.self)
            first.close()
            let rows = "SELECT count(*), string_agg(name || xmin::text, ' ' ORDER BY name) FROM po_class"
            let recorded = try database.psql(rows)
            #expect(recorded.contains("RecordedOnce"))
            for refused in [["seqscan", "hashjoin"], ["indexscan", "bitmapscan"], ["nestloop", "mergejoin", "sort"]] {
                let settings = refused.map { "-cenable_\($0)%3Doff" }.joined(separator: "%20")
                let store = try Store(.postgres(database.address("po", "options=\(settings)")))
                defer { store.close() }
                try store.prepare(RecordedOnce.self)
                try expect(database.psql(rows), recorded, "\(refused)")
            }
        }
    }
#endif
