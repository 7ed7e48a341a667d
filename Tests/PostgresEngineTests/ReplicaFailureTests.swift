#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    private final class Ferry: PersistentObject {
        override class var tableName: String { "ferry" }
        var name = ""
        var cargo = 0
    }

    /// Servers that fail: queries have right answers, or errors with a code.
    @Suite(.hangLimit, .onPostgres("a file has no replica")) struct ReplicaFailureTests {
        /// Calls `body` with a session that reads from a replica with one ferry.
        private func withReplica(
            followsPrimary: Bool = false, maximumLag: Duration = .seconds(600),
            _ body: (Session, PostgresPair, Ferry) throws -> Void
        ) throws {
            let pair = try PostgresPair()
            let configuration = Store.Configuration(
                busyTimeout: .milliseconds(500), replica: .init(pair.replicaAddress, maximumLag: maximumLag))
            let store = try Store(
                .postgres(followsPrimary ? pair.address : pair.primaryAddress), configuration: configuration)
            defer { store.close() }
            try store.withSession { session in
                let ferry = Ferry()
                try ferry.save()
                try session.waitForReplica()
                try body(session, pair, ferry)
            }
        }

        @Test("a replica that stops, or ends the connection, is replaced by the primary until it is back")
        func stoppedReplica() throws {
            try withReplica { session, pair, ferry in
                let others = "pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
                _ = try pair.psql("SELECT pg_terminate_backend(pid, 60000) FROM \(others)")
                #expect(try Ferry.count() == 1)
                try session.waitForReplica()
                try pair.stopReplica()
                for number in 1...10 {
                    ferry.cargo = number
                    try ferry.save()
                    #expect(try Ferry.all().map(\.cargo) == [number])
                    #expect(try Ferry.where { $0.cargo == number }.count() == 1)
                    #expect(try session.reading { try Ferry.count() } == 1)
                }
                #expect(try !session.readsReplica())
                try pair.startReplica()
                try session.waitForReplica()
                #expect(try Ferry.all().map(\.cargo) == [10])
            }
        }

        @Test("a store opens without its replica")
        func opening() throws {
            try withReplica { _, pair, _ in
                try pair.stopReplica()
                let store = try Store(
                    .postgres(pair.primaryAddress), configuration: .init(replica: .init(pair.replicaAddress)))
                defer { store.close() }
                #expect(try store.withSession { _ in try Ferry.count() } == 1)
            }
        }

        @Test("without the primary, queries are answered within the lag, and then throw")
        func stoppedPrimary() throws {
            try withReplica(maximumLag: .seconds(3)) { session, pair, ferry in
                ferry.cargo = 9
                try ferry.save()
                try session.waitForReplica()
                try pair.endPrimary()
                let codes: Set<StoreError.Code> = [.connectionLost, .cannotOpen]
                ferry.cargo = 10
                let unsaved = #expect(throws: StoreError.self) { () throws in try ferry.save() }
                #expect(unsaved.map { codes.contains($0.code) || $0.code == .commitUnknown } ?? false)
                #expect(ferry.cargo == 10 && ferry.hasChanges)
                // The answers are right as long as there are any.
                var failure: (any Error)?
                while failure == nil {
                    do {
                        let found = try Ferry.where { $0.cargo == 9 }.count()
                        try #require(found == 1)
                        // Nothing reports that the lag has passed, so the query is repeated.
                        usleep(50_000)
                    } catch { failure = error }
                }
                let code = try #require(failure as? StoreError).code
                #expect(codes.contains(code))
                #expect(throws: StoreError.self) { () throws in try session.reading { _ = try Ferry.count() } }
                try pair.promoteReplica()
                // The store knows only the primary's address.
                #expect(throws: StoreError.self) { () throws in _ = try Ferry.count() }
            }
        }

        @Test("a replica that was promoted while the primary works is not read any more")
        func promotedReplica() throws {
            try withReplica { session, pair, ferry in
                ferry.cargo = 1
                try ferry.save()
                try session.waitForReplica()
                try pair.promoteReplica()
                _ = try pair.psql("UPDATE ferry SET cargo = 100")
                // The log of the promoted server soon has a greater position than the primary's.
                _ = try pair.psql("SELECT pg_switch_wal(), pg_logical_emit_message(true, '', repeat('x', 100000))")
                for number in 2...20 {
                    #expect(try Ferry.all().map(\.cargo) == [number - 1])
                    #expect(try Ferry.where { $0.cargo == 100 }.count() == 0)
                    ferry.cargo = number
                    try ferry.save()
                }
                #expect(try !session.readsReplica())
            }
        }

        @Test("after a failover to the replica, all queries go to it as the primary")
        func failover() throws {
            try withReplica(followsPrimary: true) { session, pair, ferry in
                ferry.cargo = 1
                try ferry.save()
                let token = session.lastWrite
                try session.waitForReplica()
                try pair.endPrimary()
                try pair.promoteReplica()
                #expect(try Ferry.all().map(\.cargo) == [1])
                #expect(try !session.readsReplica())
                ferry.cargo = 2
                try ferry.save()
                #expect(try Ferry.where { $0.cargo == 2 }.all() == [ferry])
                #expect(token?.timeline == 1 && session.lastWrite?.timeline == 2)
                // The token of the former log is valid: the new log contains the write.
                #expect(try session.store.withSession(after: token) { _ in try Ferry.all().map(\.cargo) } == [2])
            }
        }

        @Test("a second replica answers queries before and after it follows the promoted one")
        func secondReplica() throws {
            let pair = try PostgresPair()
            let second = try pair.startSecondReplica()
            let store = try Store(
                .postgres(pair.address),
                configuration: .init(
                    busyTimeout: .milliseconds(500), replica: .init(second, maximumLag: .seconds(600))))
            defer { store.close() }
            try store.withSession { session in
                let ferry = Ferry()
                try ferry.save()
                try session.waitForReplica()
                ferry.cargo = 1
                try ferry.save()
                let token = session.lastWrite
                try session.waitForReplica()
                #expect(try Ferry.where { $0.cargo == 1 }.count() == 1)
                try pair.endPrimary()
                try pair.promoteReplica()
                // The second replica may not follow the new primary yet, and never shows an earlier state.
                for number in 2...20 {
                    #expect(try Ferry.all().map(\.cargo) == [number - 1])
                    ferry.cargo = number
                    try ferry.save()
                    #expect(try Ferry.where { $0.cargo == number }.count() == 1)
                    #expect(try session.reading { try Ferry.where { $0.cargo == number }.count() } == 1)
                }
                #expect(session.lastWrite?.timeline == 2)
                while try !session.readsReplica() {
                    try pair.writeCheckpoints()
                    // Nothing reports that the second replica follows the promoted one.
                    usleep(5000)
                }
                #expect(try Ferry.all().map(\.cargo) == [20])
                #expect(try session.reading { try Ferry.where("cargo = 20 AND pg_is_in_recovery()").count() } == 1)
                ferry.cargo = 21
                try ferry.save()
                #expect(try Ferry.where { $0.cargo == 21 }.all() == [ferry])
                // Tokens of both logs are valid.
                for token in [token, session.lastWrite] {
                    #expect(try store.withSession(after: token) { _ in try Ferry.all().map(\.cargo) } == [21])
                }
            }
        }
    }
#endif
