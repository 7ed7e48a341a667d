#if Sync
    import Foundation
    import PersistentObjects
    import PersistentObjectsTesting
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// A store in a file as transport.
    @Suite(.ownThreads) struct StoreTransportTests {
        private let group = String(repeating: "3c", count: 16)

        private func entry(_ name: String, _ size: Int = 1, of group: String? = nil) throws -> SyncEntry {
            try #require(SyncEntry(path: "\(group ?? self.group)/members/\(name)", size: size))
        }

        @Test func `two stores on one file satisfy the rules of transports, and keep no entries`() async throws {
            let file = try TemporaryStore()
            let stores = try (0..<2).map { _ in try Store(file.path) }
            defer { for store in stores { store.close() } }
            try await checkTransport(TurningTransport(stores.map { .store($0) }))
            expect(try file.sqlite("SELECT count(*) FROM transport_entry"), "0")
        }

        @Test func `two devices meet through a file, and the entries have none of their words`() async throws {
            let file = try TemporaryStore()
            let places = try (0..<2).map { _ in try Store(file.path) }
            let ann = try ServerDevice("Ann", .store(places[0]), in: file.folder)
            let bob = try ServerDevice("Bob", .store(places[1]), in: file.folder)
            let group = try await ann.sync.makeGroup("Family")
            try ann.insert("first", in: group)
            try await ann.sync.meet()
            _ = try await bob.sync.join(try await group.invitation())
            for device in [ann, bob, ann] { expect(try await device.sync.meet().problems, []) }
            expect(try bob.titles, ["first"])
            for ending in ["", "-wal"] {
                let bytes = try? Data(contentsOf: URL(filePath: file.path + ending))
                for word in ["first", "memo", "Family", "Ann"] {
                    #expect(bytes?.range(of: Data(word.utf8)) == nil, "\(word) is in the file\(ending)")
                }
            }
        }

        @Test func `a group that is full accepts no batches, but members, and space is given back`() async throws {
            let file = try TemporaryStore()
            let store = try Store(file.path)
            defer { store.close() }
            let transport = StoreTransport(store, bytesPerGroup: 1000)
            func batch(_ name: String, _ size: Int, of group: String? = nil) throws -> SyncEntry {
                let device = String(repeating: "01", count: 16)
                return try #require(SyncEntry(path: "\(group ?? self.group)/log/\(device)/\(name)", size: size))
            }
            func write(_ entry: SyncEntry) async throws {
                try await transport.write(entry, [UInt8](repeating: 1, count: entry.size))
            }
            try await write(try batch("a", 600))
            try await write(try batch("a", 600))
            let error = await #expect(throws: SyncError.self) { try await write(try batch("b", 401)) }
            expect(error?.code, .quota)
            try await write(try entry("m", 401))
            try await write(try batch("b", 401, of: String(repeating: "4d", count: 16)))
            expect(try await transport.list(group, after: nil).entries.count, 2)
            try await transport.remove(try batch("a", 600))
            try await write(try batch("b", 401))
        }

        @Test func `hints report new entries of their groups only, of this store and of other ones`() async throws {
            let file = try TemporaryStore()
            let (store, other) = (try Store(file.path), try Store(file.path))
            let transport = StoreTransport(store)
            try await transport.write(try entry("a"), [1])
            let hints = Recorder<Int>()
            let reader = Task { [group] in
                for await _ in transport.hints([group]) { hints.add(hints.all.count) }
            }
            try await waitUntil { hints.all.count == 1 }
            // Entries of other groups, and removals, are not reported.
            let otherGroup = String(repeating: "4d", count: 16)
            try await transport.write(try entry("b", of: otherGroup), [1])
            try await transport.write(try entry("c", of: otherGroup), [1])
            try await transport.remove(try entry("a"))
            try await Task.sleep(for: .milliseconds(200))
            expect(hints.all.count, 1)
            try await transport.write(try entry("d"), [1])
            try await waitUntil { hints.all.count >= 2 }
            try await StoreTransport(other).write(try entry("e"), [1])
            try await waitUntil { hints.all.count > 2 }
            reader.cancel()
            await reader.value
            for store in [store, other] { store.close() }
        }

        @Test func `a place that cannot be used is reported with its reason`() async throws {
            let file = try TemporaryStore()
            let entry = try entry("a")
            let closed = try Store(file.path)
            closed.close()
            for (transport, code) in [
                (StoreTransport(closed), SyncError.Code.notReachable),
                (StoreTransport.postgres("localhost"), .unsupported),
                (.postgres("postgres://nobody@localhost:1/nothing?connect_timeout=2"), Self.unreachable),
            ] {
                let calls: [() async throws -> Void] = [
                    { _ = try await transport.list(group, after: nil) },
                    { _ = try await transport.read(entry, from: 0) },
                    { try await transport.write(entry, [1]) }, { try await transport.remove(entry) },
                ]
                for call in calls {
                    let error = await #expect(throws: SyncError.self) { try await call() }
                    expect(error?.code, code)
                    #expect(error?.message.contains("The store of the transport cannot be used: ") == true)
                }
            }
        }

        #if PostgreSQL
            private static let unreachable = SyncError.Code.notReachable
        #else
            private static let unreachable = SyncError.Code.unsupported
        #endif

        @Test func `a call that waits for a server that does not answer ends when its task is cancelled`()
            async throws
        {
            let server = try SilentServer()
            let transport = StoreTransport.postgres("postgres://po@127.0.0.1:\(server.port)/po")
            let (entry, group) = (try entry("a"), group)
            let calls: [@Sendable () async throws -> Void] = [
                { _ = try await transport.list(group, after: nil) }, { try await transport.write(entry, [1]) },
                { for await _ in transport.hints([group]) {} },
            ]
            for call in calls {
                let delay = try await cancellationDelay(start: .milliseconds(50)) { _ in try? await call() }
                #expect(delay <= .milliseconds(100))
            }
        }
    }
#endif
