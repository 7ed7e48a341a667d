#if Sync
    import Foundation
    import Synchronization
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// A folder whose calls fail at random, and which shows some logs late.
    private final class FaultyFolder: SyncTransport {
        private struct Faults {
            var random: SeededGenerator
            var isOn = true
        }

        private let inner: FolderTransport
        private let own: DeviceID
        private let faults: Mutex<Faults>

        init(_ inner: FolderTransport, of own: DeviceID, seed: UInt64) {
            (self.inner, self.own) = (inner, own)
            faults = Mutex(Faults(random: SeededGenerator(seed: seed)))
        }

        func end() { faults.withLock { $0.isOn = false } }

        private func happens(in cases: Int) -> Bool {
            faults.withLock { $0.isOn && Int.random(in: 0..<cases, using: &$0.random) == 0 }
        }

        private func fail(in cases: Int) throws {
            if happens(in: cases) { throw SyncError(.notReachable, "stopped") }
        }

        func list(_ group: String, after cursor: String?) async throws -> SyncListing {
            var listing = try await inner.list(group, after: cursor)
            let writers = Set(listing.entries.map(\.kind)).filter { kind in
                if case .log(let writer) = kind { writer != own } else { false }
            }
            let hidden = writers.sorted { "\($0)" < "\($1)" }.filter { _ in happens(in: 3) }
            // A folder shows the files of a log in any order.
            listing.entries.removeAll { entry in
                if hidden.contains(entry.kind) { return true }
                if case .log(let writer) = entry.kind, writer != own { return happens(in: 40) }
                return false
            }
            return listing
        }

        func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8] {
            try fail(in: 60)
            return try await inner.read(entry, from: offset)
        }

        func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws {
            try fail(in: 12)
            try await inner.write(entry, bytes)
            // The device does not learn that the entry was written.
            try fail(in: 25)
        }

        func remove(_ entry: SyncEntry) async throws { try await inner.remove(entry) }
    }

    /// Random work with objects of all sizes, over a folder with faults.
    @Suite struct LargeObjectSimulationTests {
        private static let keys = (0..<5).map { ObjectKey("parent", .text(Text("\($0)"))) }

        /// Small, large and too large.
        private func value(_ random: inout SeededGenerator) -> SyncValue {
            let size = [10, 500, 3_000, 6_000, 12_000, 25_000].randomElement(using: &random) ?? 0
            return LargeWorld.bytes(size, seed: random.next())
        }

        private func edit(_ store: MemoryStore, in group: GroupID, _ random: inout SeededGenerator) {
            guard let key = Self.keys.randomElement(using: &random) else { return }
            guard let object = store.content.objects[key] else {
                return store.insert(key, value(&random), in: group)
            }
            switch Int.random(in: 0..<10, using: &random) {
            case 0: store.delete(key)
            case 1: store.content.restore(key)
            case 2: store.set(Int64.random(in: 0..<100, using: &random), of: key)
            default:
                let property: Text = Bool.random(using: &random) ? "b" : "c"
                if object.isAlive { store.set(value(&random), property, of: key) }
            }
        }

        /// What a device shows.
        private func shown(_ store: MemoryStore) -> [ObjectKey: [SyncValue?]] {
            let alive = store.content.objects.filter(\.value.isAlive)
            return alive.mapValues { object in ["a", "b", "c"].map { object.value(of: $0) } }
        }

        @Test(arguments: SeededGenerator.seeds(8))
        func `all devices show the same, whatever was interrupted`(_ seed: UInt64) async throws {
            let made = try await LargeWorld(threshold: 30_000)
            let (world, pair) = (made.world, made.pair)
            let cid = try await made.device(3, "Cid")
            try await world.meet(pair.bobDevice)
            let stores = [pair.ann, pair.bob, cid.store]
            var random = SeededGenerator(seed: seed)
            let folders = stores.map {
                FaultyFolder(FolderTransport(world.folder.path), of: $0.device, seed: random.next())
            }
            let devices = zip(stores, zip(["Ann", "Bob", "Cid"], folders)).map { world.device($0, $1.0, through: $1.1) }
            for _ in 0..<60 {
                let index = Int.random(in: 0..<3, using: &random)
                for _ in 0..<Int.random(in: 0...2, using: &random) { edit(stores[index], in: pair.group, &random) }
                _ = try? await devices[index].meet()
            }
            for folder in folders { folder.end() }
            // What waits is sent when it is smaller.
            for _ in 0..<3 {
                for device in devices { _ = try await device.meet() }
                for (store, device) in zip(stores, devices) {
                    for value in try device.currentState()[pair.group]?.withheld ?? [] where !value.isDeleted {
                        if let name = value.name { store.set(.integer(0), name, of: value.key) }
                    }
                }
            }
            for _ in 0..<3 { for device in devices { expect(try await device.meet().problems, [], "SEED=\(seed)") } }
            for store in stores { expect(shown(store), shown(stores[0]), "SEED=\(seed)") }
            for device in devices { expect(try device.unsentCount(in: pair.group), 0, "SEED=\(seed)") }
            let dan = try await made.device(4, "Dan")
            expect(shown(dan.store), shown(stores[0]), "SEED=\(seed)")
        }
    }
#endif
