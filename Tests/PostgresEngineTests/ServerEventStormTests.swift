#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    private final class Parcel: PersistentObject {
        override class var tableName: String { "parcel" }
        var number = 0
    }

    /// Four processes write, with delays and rollbacks, and the listener's connections are killed meanwhile.
    @Suite(.hangLimit, .ownThreads, .onPostgres("a file reports such commits as unknown"))
    struct ServerEventStormTests {
        private static let writers = 4

        /// The statements of one process: it inserts a row in each transaction, and rolls every tenth back.
        private static func script(_ writer: Int, _ rounds: Int) -> String {
            var random = SeededGenerator(seed: UInt64(writer))
            return (0..<rounds).map { round in
                let id = writer * 1_000_000 + round
                // Some transactions end after others that began later.
                let pause = Int.random(in: 0..<10, using: &random) == 0 ? "SELECT pg_sleep(0.003);" : ""
                let end = isRolledBack(id) ? "ROLLBACK" : "COMMIT"
                return "BEGIN; INSERT INTO parcel (id, number) VALUES (\(id), 0); \(pause) \(end);"
            }.joined(separator: "\n")
        }

        private static func isRolledBack(_ id: Int) -> Bool { id % 10 == 3 }

        @Test func `each committed row is reported once although the listener is killed`() async throws {
            let database = try PostgresDatabase()
            let store = try Store(.postgres(database.address("po", "application_name=listener")))
            defer { store.close() }
            try store.prepare(Parcel.self)
            let rounds = Scale.of(2500)
            let events = store.events
            let received = Recorder<Int>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 1...Self.writers {
                    group.addTask { _ = try database.psql(Self.script(writer, rounds)) }
                }
                group.addTask {
                    // The last events follow the end of the writers.
                    let count = (1...Self.writers).reduce(0) { count, writer in
                        count + (0..<rounds).count { !Self.isRolledBack(writer * 1_000_000 + $0) }
                    }
                    for await event in events {
                        received.add(event.kind == .inserted ? event.id.map { Int($0.value) } ?? 0 : 0)
                        if received.all.count == count { break }
                    }
                }
                // Each kill follows further events, so that the listener has been at work again.
                var kills = 0
                while kills < 8 {
                    let known = received.all.count
                    try await waitUntil {
                        received.all.count >= min(known + 20, Self.writers * rounds * 8 / 10)
                    }
                    _ = try database.psql(
                        """
                        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                        WHERE datname = current_database() AND application_name = 'listener'
                        """)
                    kills += 1
                }
                try await group.waitForAll()
            }
            let wanted = (1...Self.writers).flatMap { writer in
                (0..<rounds).map { writer * 1_000_000 + $0 }.filter { !Self.isRolledBack($0) }
            }
            #expect(received.all.sorted() == wanted)
        }
    }
#endif
