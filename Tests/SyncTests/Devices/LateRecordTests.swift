#if Sync
    import Foundation
    import Synchronization
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// A folder in which some files have not arrived yet: they are not listed, or cut short.
    final class LateFolder: SyncTransport {
        enum Fault: CaseIterable { case hides, cuts }

        private let inner: FolderTransport
        private let fault: Fault
        private let names = Mutex<Set<String>>([])

        init(_ inner: FolderTransport, _ fault: Fault) { (self.inner, self.fault) = (inner, fault) }

        /// The files that have not arrived.
        func withhold(_ files: [URL]) {
            names.withLock { $0 = Set(files.map { $0.deletingPathExtension().lastPathComponent }) }
        }

        private func isAffected(_ entry: SyncEntry, by fault: Fault) -> Bool {
            fault == self.fault && names.withLock { $0.contains(entry.name) }
        }

        func list(_ group: String, after cursor: String?) async throws -> SyncListing {
            let listing = try await inner.list(group, after: cursor)
            return SyncListing(listing.entries.filter { !isAffected($0, by: .hides) }, cursor: listing.cursor)
        }

        func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8] {
            let bytes = try await inner.read(entry, from: offset)
            return isAffected(entry, by: .cuts) ? Array(bytes.prefix(10)) : bytes
        }

        func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws { try await inner.write(entry, bytes) }
        func remove(_ entry: SyncEntry) async throws { try await inner.remove(entry) }
    }

    /// A deletion is forgotten when all members have it, also the members whose records a device has not seen.
    @Suite struct LateRecordTests {
        /// Writes an object again and again, so that logs are replaced by snapshots.
        private func edit(
            _ world: DeviceWorld, _ store: MemoryStore, _ devices: [SyncDevice], _ count: Int = 40
        ) async throws {
            for number in 0..<count {
                store.set(Int64(number), of: second)
                for device in devices { try await world.meet(device) }
            }
        }

        @Test(arguments: LateFolder.Fault.allCases, [false, true])
        func `a member whose record arrives late receives a deletion, and is not reset`(
            _ fault: LateFolder.Fault, _ isKnownAtFirst: Bool
        ) async throws {
            let world = try DeviceWorld()
            world.snapshotThreshold = 3_000
            let pair = try await world.pair()
            for key in [first, second] { pair.ann.insert(key, 1, in: pair.group) }
            try await world.meet(pair.annDevice, pair.bobDevice, pair.annDevice)
            let folder = LateFolder(FolderTransport(world.folder.path), fault)
            let others = Set(try world.files("/members/m-"))
            let cid = world.device(3, "Cid")
            try await world.admit(cid.device, by: pair.annDevice, to: pair.group)
            if isKnownAtFirst { try await world.meet(pair.bobDevice, pair.annDevice) }
            let record = try world.files("/members/m-").filter { !others.contains($0) }
            expect(record.count, 1)
            folder.withhold(record)
            // A program that was started again has not read the records yet.
            let bob = world.device(pair.bob, "Bob", through: folder)
            let problems: [SyncError.Code] = fault == .cuts ? [.damagedBatch] : []
            expect(try await bob.meet().problems.map(\.error.code), problems)
            pair.bob.delete(first)
            let former = cid.store.device
            cid.store.set(50, of: first)
            for number in 0..<40 {
                pair.ann.set(Int64(number), of: second)
                expect(try await bob.meet().problems.map(\.error.code), problems)
                try await world.meet(pair.annDevice)
            }
            for store in [pair.ann, pair.bob] {
                #expect(store.content.objects[first]?.isDeleted == true, "The deletion is kept for the third member.")
            }
            folder.withhold([])
            for _ in 0..<2 { try await world.meet(cid.device, pair.annDevice, bob) }
            expect([pair.ann, pair.bob, cid.store].map { $0.value(of: first) }, [nil, nil, nil])
            expect(cid.store.device, former)
            try await edit(world, pair.ann, [bob, pair.annDevice, cid.device], 4)
            try await world.meet(bob)
            for store in [pair.ann, pair.bob, cid.store] {
                expect(Array(store.content.objects.keys), [second])
                expect(store.value(of: second), 3)
            }
        }

        @Test func `a founder who left is not awaited, also by a member that joined later`() async throws {
            let world = try DeviceWorld()
            world.snapshotThreshold = 3_000
            let pair = try await world.pair()
            for key in [first, second] { pair.ann.insert(key, 1, in: pair.group) }
            try await world.meet(pair.annDevice, pair.bobDevice, pair.annDevice)
            try await pair.annDevice.leave(pair.group, droppingUnsent: false)
            try await world.meet(pair.bobDevice)
            let cid = world.device(3, "Cid")
            try await world.admit(cid.device, by: pair.bobDevice, to: pair.group)
            expect(cid.store.content.groups[pair.group]?.members, [pair.bob.device, cid.store.device])
            pair.bob.delete(first)
            try await edit(world, cid.store, [pair.bobDevice, cid.device])
            for store in [pair.bob, cid.store] { expect(Array(store.content.objects.keys), [second]) }
        }
    }
#endif
