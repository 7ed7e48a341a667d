#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync
    import Synchronization
    import TestSupport
    import Testing

    /// A folder behind a connection that fails at certain calls.
    final class UnreliableTransport: SyncTransport {
        enum Fault: String {
            /// The part of the paths that it concerns.
            case refusesReads = "/log/"
            case refusesMembers = "/members/m-"
            /// Reads return ten bytes of each record of a member.
            case cutsMembers
            /// Records of members are not listed.
            case hidesMembers
            case refusesInvitations = "/members/i-"
            case refusesSnapshots = "/snapshots/"
            case losesAnswers
        }

        private let folder: FolderTransport
        private let fault = Mutex<Fault?>(nil)

        init(_ folder: URL) { self.folder = .folder(folder) }

        func set(_ fault: Fault?) { self.fault.withLock { $0 = fault } }

        private func `is`(_ fault: Fault) -> Bool { self.fault.withLock { $0 == fault } }

        private func isMember(_ entry: SyncEntry) -> Bool { entry.path.contains(Fault.refusesMembers.rawValue) }

        private func fail(_ isAffected: (Fault) -> Bool) throws {
            guard let fault = fault.withLock({ $0 }), isAffected(fault) else { return }
            throw SyncError(.notReachable, "The connection was cut")
        }

        func list(_ group: String, after cursor: String?) async throws -> SyncListing {
            let listing = try await folder.list(group, after: cursor)
            guard self.is(.hidesMembers) else { return listing }
            return SyncListing(listing.entries.filter { !isMember($0) }, cursor: listing.cursor)
        }

        func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8] {
            try fail { entry.path.contains($0.rawValue) }
            let bytes = try await folder.read(entry, from: offset)
            return self.is(.cutsMembers) && isMember(entry) ? Array(bytes.prefix(10)) : bytes
        }

        func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws {
            try await folder.write(entry, bytes)
            try fail { $0 == .losesAnswers && entry.path.contains("/log/") }
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

        @Test(arguments: [
            (UnreliableTransport.Fault.refusesMembers, SyncError.Code?.some(.notReachable)),
            (.cutsMembers, .damagedBatch), (.hidesMembers, nil),
        ])
        func `a deletion reaches a member whose admission could not be read in the round before`(
            _ fault: UnreliableTransport.Fault, _ problem: SyncError.Code?
        ) async throws {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            try pair.insert("first", in: group)
            try await pair.meet()
            // A program that was started again has not read the records yet.
            let transport = UnreliableTransport(pair.folder.appendingPathComponent("shared"))
            let ann = try Sync(
                pair.ann, through: transport, device: "Ann",
                configuration: .init(stateFolder: pair.folder.appendingPathComponent("keys")))
            transport.set(fault)
            expect(Set(try await ann.meet().problems.map(\.error.code)), problem.map { [$0] } ?? [])
            transport.set(nil)
            try pair.ann.withSession { _ in try #require(try SharedNote.all().first).delete() }
            try pair.edit(pair.bob) { $0.stars += 1 }
            for sync in [pair.bobSync, ann, pair.bobSync, ann] { expect(try await sync.meet().problems, []) }
            expect([try pair.titles(pair.ann), try pair.titles(pair.bob)], [[], []])
        }

        @Test(arguments: [UnreliableTransport.Fault.refusesReads, .refusesSnapshots])
        func `a device does not join with a part of the group's files`(
            _ fault: UnreliableTransport.Fault
        ) async throws {
            let pair = try StorePair()
            var settings = Sync.Configuration(stateFolder: pair.folder.appendingPathComponent("keys"))
            settings.snapshotThreshold = 1
            let shared = pair.folder.appendingPathComponent("shared")
            let ann = try Sync(pair.ann, through: .folder(shared), device: "Ann", configuration: settings)
            let group = try await ann.makeGroup("Family")
            try pair.insert("first", in: group)
            for _ in 1...2 { try await ann.meet() }
            let code = try await group.invitation()
            let transport = UnreliableTransport(shared)
            let bob = try Sync(pair.bob, through: transport, device: "Bob", configuration: settings)
            transport.set(fault)
            let error = await #expect(throws: SyncError.self) { try await bob.join(code) }
            expect(error?.code, .notReachable)
            expect(try pair.titles(pair.bob), [])
            transport.set(nil)
            _ = try await bob.join(code)
            expect(try pair.titles(pair.bob), ["first"])
        }
    }
#endif
