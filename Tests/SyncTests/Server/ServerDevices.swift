#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync
    import Synchronization
    import TestSupport

    /// Several clients of one place, which take turns: each call is made by the next one.
    struct TurningTransport: SyncTransport {
        private final class Turn: Sendable {
            let count = Atomic(0)
        }

        let clients: [StoreTransport]
        private let turn = Turn()

        init(_ clients: [StoreTransport]) { self.clients = clients }

        private var next: StoreTransport {
            clients[turn.count.add(1, ordering: .relaxed).newValue % clients.count]
        }

        func list(_ group: String, after cursor: String?) async throws -> SyncListing {
            try await next.list(group, after: cursor)
        }

        func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8] {
            try await next.read(entry, from: offset)
        }

        func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws { try await next.write(entry, bytes) }

        func remove(_ entry: SyncEntry) async throws { try await next.remove(entry) }

        func hints(_ groups: Set<String>) -> AsyncStream<Void> { next.hints(groups) }
    }

    /// A device with a file, whose rounds only a call, a commit or a hint causes.
    final class ServerDevice: Sendable {
        let store: Store
        let sync: Sync

        init(_ name: String, _ transport: some SyncTransport, in folder: URL) throws {
            store = try Store(folder.appending(path: "\(name).sqlite").path)
            try store.prepare(Memo.self)
            let settings = Sync.Configuration(
                stateFolder: folder.appending(path: "keys-\(name)"), interval: .seconds(3600))
            sync = try Sync(store, through: transport, device: name, configuration: settings)
        }

        func insert(_ title: String, in group: SyncGroup) throws {
            try store.withSession { _ in
                let memo = Memo()
                memo.title = title
                try memo.save()
                try group.add(memo)
            }
        }

        var titles: [String] {
            get throws { try store.withSession { _ in try Memo.all().map(\.title).sorted() } }
        }

        /// Waits until the device has these titles. Among thousands of other tests, each step of a round waits for its turn.
        func wait(for titles: [String]) async throws {
            while try self.titles != titles { try await Task.sleep(for: .milliseconds(20)) }
        }
    }
#endif
