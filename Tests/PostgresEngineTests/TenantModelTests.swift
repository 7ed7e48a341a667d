#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    private final class Voucher: PersistentObject {
        override class var tableName: String { "voucher" }
        @Unique var name = ""

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    private struct Stop: Error {}

    /// Random work of many tasks in the schemas of one server, while connections are lost and tasks are cancelled.
    @Suite(.hangLimit, .onPostgres("files have no schemas")) struct TenantModelTests {
        private static let count = 5

        /// What the tasks have done.
        private struct Done: Sendable {
            /// The names of saved objects.
            let saved = Recorder<String>()
            /// The names of these objects, and of objects that may have been saved, because the call was interrupted.
            let uncertain = Recorder<String>()
        }

        /// Runs a step. Lost connections and cancellations are expected.
        ///
        /// - Returns: Whether it has succeeded.
        private static func attempt(_ body: () async throws -> Void) async throws -> Bool {
            do {
                try await body()
                return true
            } catch let error as StoreError
                where [.connectionLost, .commitUnknown, .busy, .cancelled, .cannotOpen].contains(error.code)
            {
                return false
            } catch is CancellationError { return false }
        }

        private static func save(_ name: String, in store: Store, _ done: Done) async throws {
            done.uncertain.add(name)
            let hasSaved = try await attempt { try await store.perform { _ in try Voucher(name).save() } }
            if hasSaved { done.saved.add(name) }
        }

        private static func undo(_ name: String, _ store: Store) throws {
            try store.withSession { session in
                session.recordsUndo = true
                try Voucher(name + " undone").save()
                try session.undo()
            }
        }

        private static func step(
            _ kind: Int, _ prefix: String, _ name: String, _ store: Store, _ done: Done
        ) async throws {
            switch kind {
            case 0, 1: try await save(name, in: store, done)
            case 2:
                _ = try await attempt {
                    try await store.perform { session in
                        do {
                            try session.transaction {
                                try Voucher(name + " gone").save()
                                throw Stop()
                            }
                        } catch is Stop {}
                    }
                }
            case 3:
                _ = try await attempt {
                    try await store.perform { session in
                        do {
                            try session.save([Voucher(name + " gone"), Voucher(name + " gone")])
                            Issue.record("The name \(name) is there twice")
                        } catch let error as StoreError where error.code == .notUnique {}
                        do { _ = try session.rows("SELECT missing FROM voucher") } catch let error as StoreError
                            where error.code == .invalidSQL
                        {}
                    }
                }
            case 4:
                // If the undo was interrupted, the object is still there.
                if try await !attempt({ try undo(name, store) }) { done.uncertain.add(name + " undone") }
            case 5:
                let task = Task { try await save(name, in: store, done) }
                task.cancel()
                try await task.value
            default:
                _ = try await attempt {
                    try await store.perform { _ in
                        let names = try Voucher.all().map(\.name)
                        #expect(names.allSatisfy { $0.hasPrefix(prefix) }, "\(prefix): \(names)")
                    }
                }
            }
        }

        @Test(arguments: 1...3) func `no statement reaches another schema`(_ seed: Int) async throws {
            let database = try PostgresDatabase()
            let stores = try (0..<Self.count).map { number in
                try Store(
                    database.address(), schema: "t\(number)",
                    configuration: .init(busyTimeout: .seconds(60), concurrency: 3))
            }
            defer { for store in stores { store.close() } }
            for store in stores { try store.prepare(Voucher.self) }
            let done = Done()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        var random = SeededGenerator(seed: UInt64(seed * 100 + task))
                        for step in 0..<40 {
                            let tenant = Int.random(in: 0..<Self.count, using: &random)
                            let kind = Int.random(in: 0..<7, using: &random)
                            try await Self.step(kind, "t\(tenant)/", "t\(tenant)/\(task)/\(step)", stores[tenant], done)
                        }
                    }
                }
                group.addTask {
                    for round in 1...4 {
                        try await waitUntil { done.uncertain.all.count >= round * 15 }
                        _ = try database.psql(
                            """
                            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
                            WHERE datname = current_database() AND pid <> pg_backend_pid()
                            """)
                    }
                }
                try await group.waitForAll()
            }
            // A cancelled statement may still be running when its task has ended.
            for store in stores { store.close() }
            for tenant in 0..<Self.count {
                let answer = try database.psql("SELECT name FROM t\(tenant).voucher")
                let names = answer.split(separator: "\n").map(String.init)
                let isOwn: (String) -> Bool = { $0.hasPrefix("t\(tenant)/") }
                #expect(Set(names).isSuperset(of: done.saved.all.filter(isOwn)))
                #expect(Set(done.uncertain.all.filter(isOwn)).isSuperset(of: names), "\(names)")
            }
        }
    }
#endif
