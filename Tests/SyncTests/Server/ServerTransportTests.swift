#if Sync && PostgreSQL
    import Foundation
    import PersistentObjects
    import PersistentObjectsTesting
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// A PostgreSQL server as transport. The devices are files.
    @Suite(.ownThreads, .onSQLite("the devices are files")) struct ServerTransportTests {
        private let group = String(repeating: "5e", count: 16)

        private func entry(_ name: String) throws -> SyncEntry {
            try #require(SyncEntry(path: "\(group)/members/\(name)", size: 1))
        }

        @Test func `three clients of a server satisfy the rules of transports, and leave no entries`() async throws {
            let database = try PostgresDatabase()
            let clients = (0..<3).map { _ in StoreTransport.postgres(database.address()) }
            try await checkTransport(TurningTransport(clients))
            expect(try database.psql("SELECT count(*) FROM transport_entry"), "0")
        }

        @Test func `two devices meet over a server, also after it was restarted, and hints cause rounds`()
            async throws
        {
            let server = try RestartablePostgres()
            let folder = try TemporaryStore()
            let ann = try ServerDevice("Ann", .postgres(server.address), in: folder.folder)
            let bob = try ServerDevice("Bob", .postgres(server.address), in: folder.folder)
            let group = try await ann.sync.makeGroup("Family")
            try ann.insert("first", in: group)
            expect(try await ann.sync.meet().problems, [])
            _ = try await bob.sync.join(try await group.invitation())
            for device in [ann, bob, ann] { expect(try await device.sync.meet().problems, []) }
            expect(try bob.titles, ["first"])

            try server.restart()
            try ann.insert("second", in: group)
            for device in [ann, bob] { expect(try await device.sync.meet().problems, []) }
            expect(try bob.titles, ["first", "second"])

            // The interval is an hour: hints cause the rounds, before and after a restart.
            try ann.sync.start()
            try bob.sync.start()
            defer { for device in [ann, bob] { device.sync.stop() } }
            // The devices listen then.
            try await Task.sleep(for: .seconds(1))
            try ann.insert("third", in: group)
            try await bob.wait(for: ["first", "second", "third"])
            try server.restart()
            try bob.insert("fourth", in: group)
            try await ann.wait(for: ["first", "fourth", "second", "third"])

            let words = "SELECT count(*) FROM transport_entry WHERE position(convert_to('first', 'UTF8') IN bytes) > 0"
            expect(try server.psql(words), "0")
        }

        @Test func `an entry that is committed late gets a number after all that were listed before`() async throws {
            let database = try PostgresDatabase()
            let stores = try (0..<2).map { _ in try Store(.postgres(database.address())) }
            defer { withExtendedLifetime(database) { for store in stores { store.close() } } }
            for store in stores { try StoredEntries.prepare(store) }
            let (slow, quick) = (StoreTransport(stores[0]), StoreTransport(stores[1]))
            try await quick.write(try entry("first"), [1])
            let events = Recorder<String>()
            let (late, group) = (try entry("late").path, group)
            let writer = Task {
                try await stores[0].perform { session in
                    try session.transaction {
                        try Self.add(late, of: group)
                        events.add("added")
                        // Meanwhile the other client tries to add an entry.
                        while !events.all.contains("listed") { usleep(10_000) }
                        usleep(300_000)
                        events.add("committed")
                    }
                }
            }
            try await waitUntil { events.all.contains("added") }
            let listed = try await slow.list(group, after: nil)
            expect(listed.entries.map(\.path), [try entry("first").path])
            let other = Task {
                try await quick.write(try entry("other"), [1])
                events.add("other")
            }
            events.add("listed")
            try await writer.value
            try await other.value
            expect(events.all, ["added", "listed", "committed", "other"])
            let news = try await quick.list(group, after: listed.cursor).entries.map(\.path)
            expect(news, [late, try entry("other").path])
        }

        /// Adds an entry in the current transaction.
        private static func add(_ path: String, of group: String) throws {
            let counter = try #require(try TransportGroup.where { $0.name == group }.first())
            counter.last += 1
            try counter.save()
            let entry = TransportEntry()
            (entry.path, entry.groupName, entry.number) = (path, group, counter.last)
            (entry.size, entry.bytes) = (1, [1])
            try entry.save()
        }

        @Test func `a role that may not write is told so, and a store on a server is not a device`() async throws {
            let database = try PostgresDatabase()
            let owner = StoreTransport.postgres(database.address())
            try await owner.write(try entry("a"), [1])
            let role = try database.role("reader")
            _ = try database.psql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(role)")
            let reader = StoreTransport.postgres(database.address(role))
            expect(try await reader.read(try entry("a"), from: 0), [1])
            let error = await #expect(throws: SyncError.self) { try await reader.write(try entry("b"), [1]) }
            expect(error?.code, .notAuthorised)

            let server = try Store(.postgres(database.address()))
            defer { server.close() }
            let refused = #expect(throws: SyncError.self) { _ = try Sync(server, through: owner, device: "server") }
            expect(refused?.code, .unsupported)
        }
    }
#endif
