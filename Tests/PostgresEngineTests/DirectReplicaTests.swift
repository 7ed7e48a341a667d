#if PostgreSQL
    import Foundation
    import StoreEngine
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private final class Barge: PersistentObject {
        override class var tableName: String { "barge" }
        var cargo = 0
    }

    /// Stores that open a replica alone, without its primary.
    @Suite(.hangLimit, .onPostgres("a file has no replica")) struct DirectReplicaTests {
        @Test("a commit is seen and reported even if it leaves the replica's snapshot as it was")
        func knownSnapshot() async throws {
            let pair = try PostgresPair()
            let stores = try (1...3).map { _ in try Store(.postgres(pair.primaryAddress)) }
            let sessions = try stores.map { try Session($0) }
            let barge = Barge()
            try sessions[0].use { try sessions[0].save([barge, Barge(), Barge()]) }
            let updates = (1...3).map { "UPDATE barge SET cargo = 1 WHERE id = \(number: $0)" as SQL }
            func waitForReplica(id: Int) throws {
                // The replica does not report what it has received.
                while (try? pair.psql("SELECT cargo FROM barge WHERE id = \(id)")) != "1" { usleep(5000) }
            }
            var configuration = Store.Configuration(isReadOnly: true)
            configuration.pollInterval = .milliseconds(20)
            let reader = try Store(.postgres(pair.replicaAddress), configuration: configuration)
            let session = try Session(reader)
            // The first transaction determines the lower bound of the snapshots, and the last one their upper bound.
            for place in 0..<2 {
                try sessions[place].use {
                    try sessions[place].connection.begin()
                    try sessions[place].connection.execute(updates[place])
                }
            }
            try sessions[2].use { try sessions[2].connection.execute(updates[2]) }
            try waitForReplica(id: 3)
            let before = try pair.psql("SELECT pg_current_snapshot()")
            let found = try #require(try session.use { try Barge.find(2) })
            expect(found.cargo, 0)
            var events = reader.events.makeAsyncIterator()
            try sessions[1].use { try sessions[1].connection.commit() }
            try waitForReplica(id: 2)
            try expect(pair.psql("SELECT pg_current_snapshot()"), before)
            try expect(session.use { try Barge.where { $0.cargo == 1 }.all().map(\.cargo) }, [1, 1])
            expect(found.cargo, 1)
            let event = await events.next()
            expect(event?.kind, .unknown)
            sessions[0].use { sessions[0].connection.rollback() }
            for open in sessions + [session] { open.close() }
            for store in stores + [reader] { store.close() }
        }
    }
#endif
