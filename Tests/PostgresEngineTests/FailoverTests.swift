#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    private final class Ship: PersistentObject {
        override class var tableName: String { "ship" }
        var name = ""
        var cargo = 0
    }

    /// A replica replaces a server that failed, and the store continues with the replica.
    @Suite(.onPostgres("a file has no replica")) struct FailoverTests {
        private func withPair(_ body: (Session, PostgresPair) throws -> Void) throws {
            let pair = try PostgresPair()
            let store = try Store(.postgres(pair.address), configuration: .init(busyTimeout: .milliseconds(500)))
            defer { store.close() }
            try store.withSession { session in try body(session, pair) }
        }

        @Test("after a failover the store loses nothing, assigns no id twice, and reads the replica's rows")
        func failover() throws {
            try withPair { session, pair in
                let ships = (0..<10).map { _ in Ship() }
                try session.save(ships)
                let ship = ships[0]
                try pair.endPrimary()
                // No server is available. Memory stays unchanged.
                ship.cargo = 1
                let gone = #expect(throws: StoreError.self) { () throws in try ship.save() }
                #expect(gone?.code == .connectionLost || gone?.code == .cannotOpen || gone?.code == .commitUnknown)
                #expect(ship.cargo == 1 && ship.hasChanges)
                #expect(throws: StoreError.self) { () throws in _ = try Ship.all() }
                try pair.promoteReplica()
                _ = try pair.psql("UPDATE ship SET name = 'theirs' WHERE id = \(ship.id ?? 0)")
                // The row is read again before it is written, and changes made elsewhere are kept.
                try ship.save()
                #expect(ship.name == "theirs" && ship.cargo == 1)
                #expect(try pair.psql("SELECT name, cargo FROM ship WHERE id = \(ship.id ?? 0)") == "theirs|1")
                // The replica may treat the reserved ids as assigned.
                let others = (0..<100).map { _ in Ship() }
                try session.save(others)
                #expect(Set((ships + others).compactMap(\.id)).count == 110)
                #expect(try pair.psql("SELECT count(*) FROM ship") == "110")
                #expect(try Ship.count() == 110)
                #expect(try Ship.find(try #require(ship.id)) === ship)
            }
        }

        @Test("a replica can be opened for reading only")
        func replica() throws {
            try withPair { session, pair in
                try Ship().save()
                let error = #expect(throws: StoreError.self) { () throws in
                    _ = try Store(.postgres(pair.replicaAddress)).withSession { _ in try Ship.count() }
                }
                #expect(error?.code == .readOnly)
                #expect(
                    error?.message == """
                        This server is a replica, and a replica cannot be written. Open the store with isReadOnly, or \
                        add target_session_attrs=read-write and the primary's name to the address
                        """)
                // The replica may lag.
                try pair.endPrimary()
                let reader = try Store(.postgres(pair.replicaAddress), configuration: .init(isReadOnly: true))
                #expect(try reader.withSession { _ in try Ship.count() } == 1)
                reader.close()
            }
        }

        @Test("a transaction during which the server failed has no effect")
        func transaction() throws {
            try withPair { session, pair in
                let ship = Ship()
                try ship.save()
                func sail() throws {
                    ship.cargo = 7
                    try ship.save()
                    try pair.endPrimary()
                    _ = try Ship.count()
                }
                var code: StoreError.Code?
                do { try session.transaction(sail) } catch let error as StoreError { code = error.code }
                #expect(code == .connectionLost)
                #expect(ship.cargo == 0 && !ship.hasChanges)
                try pair.promoteReplica()
                ship.cargo = 8
                try session.transaction { try ship.save() }
                #expect(try pair.psql("SELECT cargo FROM ship") == "8")
            }
        }
    }
#endif
