#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    private final class Meter: PersistentObject {
        override class var tableName: String { "meter" }
        var count = 0
    }

    /// A server that ends all connections and refuses new ones for a while, as during a restart, while tasks write.
    @Suite(.onPostgres("a file has no server"), .ownThreads) struct RestartTests {
        private static let rounds = 20

        private static func write(_ number: Int, _ store: Store, _ done: Recorder<Int>) async throws {
            for _ in 0..<rounds {
                try await store.perform { session in
                    // On a busy machine, a restart can end more than one attempt.
                    try session.transaction(retries: 20) {
                        let meter = try #require(try Meter.find(Int64(number + 1)))
                        meter.count += 1
                        try meter.save()
                    }
                }
                done.add(number)
            }
        }

        @Test(.hangLimit) func `transactions with retries survive a restart, and none is made twice`() async throws {
            let database = try PostgresDatabase()
            let configuration = Store.Configuration(busyTimeout: .seconds(60), onNote: { _ in })
            let store = try Store(.postgres(database.address()), configuration: configuration)
            defer { store.close() }
            let tasks = 16
            try store.withSession { session in try session.save((0..<tasks).map { _ in Meter() }) }
            let done = Recorder<Int>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<tasks { group.addTask { try await Self.write(number, store, done) } }
                // The first restart is in the middle of the work.
                try await waitUntil { done.all.count >= tasks }
                for _ in 0..<3 {
                    try database.setConnections(areAllowed: false)
                    // How long the server is away.
                    try await Task.sleep(for: .milliseconds(200))
                    try database.setConnections(areAllowed: true)
                }
                try await group.waitForAll()
            }
            let counts = try store.withSession { _ in try Meter.all().map(\.count) }
            #expect(counts == Array(repeating: Self.rounds, count: tasks))
        }

        @Test("64 tasks with retries do not notice that the server is restarted", .hangLimit)
        func restarted() async throws {
            let server = try RestartablePostgres()
            // One transaction at a time, so that only the restart ends transactions.
            let configuration = Store.Configuration(busyTimeout: .seconds(3600), isolation: .exclusive)
            let store = try Store(.postgres(server.address), configuration: configuration)
            defer { store.close() }
            let (tasks, rounds) = (64, 4)
            try store.withSession { session in try session.save((0...tasks).map { _ in Meter() }) }
            let done = Recorder<Int>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...tasks {
                    group.addTask {
                        for _ in 0..<rounds {
                            try await store.perform { session in
                                try session.transaction(retries: 3) {
                                    for id in [number, tasks + 1] {
                                        let meter = try #require(try Meter.find(Int64(id)))
                                        meter.count += 1
                                        try meter.save()
                                    }
                                }
                            }
                            done.add(number)
                        }
                    }
                }
                // The restart is in the middle of the work.
                try await waitUntil { done.all.count >= tasks }
                try server.restart()
                try await group.waitForAll()
            }
            let counts = try store.withSession { _ in try Meter.all().map(\.count) }
            #expect(counts == Array(repeating: rounds, count: tasks) + [tasks * rounds])
        }

        /// Returns the error of a transaction in which all connections end for good, and the number of its runs.
        private func runs(
            _ session: Session, _ meter: Meter, _ database: PostgresDatabase
        ) throws -> (code: StoreError.Code?, count: Int) {
            var count = 0
            do {
                try session.transaction(retries: 2) {
                    count += 1
                    meter.count += 1
                    try meter.save()
                    try database.setConnections(areAllowed: false)
                    _ = try Meter.count()
                }
            } catch let error as StoreError { return (error.code, count) }
            return (nil, count)
        }

        @Test func `a server that stays away is reported after the busy timeout`() throws {
            let database = try PostgresDatabase()
            let store = try Store(.postgres(database.address()), configuration: .init(busyTimeout: .milliseconds(200)))
            defer { store.close() }
            try store.withSession { session in
                let meter = Meter()
                try meter.save()
                let failed = try runs(session, meter, database)
                expect(failed.code, .cannotOpen)
                expect(failed.count, 1)
                expect(meter.count, 0)
                try database.setConnections(areAllowed: true)
                try session.transaction(retries: 1) {
                    meter.count += 1
                    try meter.save()
                }
                expect(try database.psql("SELECT count FROM meter"), "1")
            }
        }
    }
#endif
