#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync
    import Synchronization
    import TestSupport
    import Testing

    /// A folder behind a connection that fails at certain calls.
    private final class UnreliableTransport: SyncTransport {
        enum Fault { case losesAnswers, refusesReads, refusesInvitations }

        private let folder: FolderTransport
        private let fault = Mutex<Fault?>(nil)

        init(_ folder: URL) { self.folder = .folder(folder) }

        func set(_ fault: Fault?) { self.fault.withLock { $0 = fault } }

        private func fail(if fault: Fault, _ entry: SyncEntry) throws {
            let part = fault == .refusesInvitations ? "/members/i-" : "/log/"
            guard entry.path.contains(part), self.fault.withLock({ $0 == fault }) else { return }
            throw SyncError(.notReachable, "The connection was cut")
        }

        func list(_ group: String, after cursor: String?) async throws -> SyncListing {
            try await folder.list(group, after: cursor)
        }

        func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8] {
            try fail(if: .refusesReads, entry)
            try fail(if: .refusesInvitations, entry)
            return try await folder.read(entry, from: offset)
        }

        func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws {
            try await folder.write(entry, bytes)
            try fail(if: .losesAnswers, entry)
        }

        func remove(_ entry: SyncEntry) async throws { try await folder.remove(entry) }
    }

    @Suite struct UnreliableTransportTests {
        @Test func `a device whose batch was stored without an answer keeps its identity, although reads fail next`()
            async throws
        {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            let transport = UnreliableTransport(pair.folder.appendingPathComponent("shared"))
            let ann = try Sync(
                pair.ann, through: transport, device: "Ann",
                configuration: .init(stateFolder: pair.folder.appendingPathComponent("keys")))
            try pair.insert("one", in: group)
            for fault in [UnreliableTransport.Fault.losesAnswers, .refusesReads] {
                transport.set(fault)
                expect(try await ann.meet().problems.map(\.error.code), [.notReachable])
            }
            try pair.edit(pair.ann) { $0.title = "two" }
            transport.set(nil)
            for sync in [ann, pair.bobSync, ann, pair.bobSync] { expect(try await sync.meet().problems, []) }
            expect(try pair.titles(pair.bob), ["two"])
            expect(try await group.members.map(\.name), ["Ann", "Bob"])
            let identities = try pair.ann.withSession { session in
                try session.rows("SELECT * FROM po_sync_device WHERE role = 'own'").count
            }
            expect(identities, 1)
        }

        @Test func `an invitation that could not be read for lack of a connection is not called used`() async throws {
            let pair = try StorePair()
            let code = try await pair.annSync.makeGroup("Family").invitation()
            let transport = UnreliableTransport(pair.folder.appendingPathComponent("shared"))
            let bob = try Sync(
                pair.bob, through: transport, device: "Bob",
                configuration: .init(stateFolder: pair.folder.appendingPathComponent("keys")))
            transport.set(.refusesInvitations)
            let error = await #expect(throws: SyncError.self) { try await bob.join(code) }
            expect(error?.code, .notReachable)
            transport.set(nil)
            expect(try await bob.join(code).name, "Family")
        }
    }
#endif
