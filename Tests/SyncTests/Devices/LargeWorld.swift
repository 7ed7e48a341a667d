#if Sync
    import Foundation
    import Synchronization
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Devices that divide objects of more than 4,000 bytes into pieces of 1,000 bytes, and send none of more than 20,000.
    struct LargeWorld {
        let world: DeviceWorld
        let pair: Pair

        init(threshold: Int = SyncDevice.standardThreshold) async throws {
            world = try DeviceWorld()
            world.limits.file = 4_000
            world.limits.piece = 1_000
            world.limits.object = 20_000
            world.snapshotThreshold = threshold
            pair = try await world.pair()
        }

        /// Different bytes for each seed, which no compression makes smaller.
        static func bytes(_ count: Int, seed: UInt64 = 1) -> SyncValue {
            var random = SeededGenerator(seed: seed)
            return .bytes((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        }

        func device(_ number: Int, _ name: String) async throws -> (store: MemoryStore, device: SyncDevice) {
            let other = world.device(number, name)
            try await world.admit(other.device, by: pair.annDevice, to: pair.group)
            return other
        }

        /// The pieces in the logs.
        func pieces() throws -> [URL] { try world.files("-p-") }

        /// The bytes of all files whose paths contain a text.
        func size(_ part: String) throws -> Int {
            try world.files(part).reduce(0) { try $0 + (#require($1.resourceValues(forKeys: [.fileSizeKey]).fileSize)) }
        }
    }

    extension MemoryStore {
        func insert(_ key: ObjectKey, _ large: SyncValue, in group: GroupID) {
            content.insert(key, ["a": .integer(1), "b": large], in: group)
        }

        func set(_ value: SyncValue, _ property: Text = "b", of key: ObjectKey) {
            content.set(property, of: key, to: value)
        }

        func value(_ property: Text, of key: ObjectKey) -> SyncValue? {
            content.objects[key]?.properties[property]?.value
        }
    }

    /// A folder whose writes fail, or whose calls are recorded.
    final class WatchedFolder: SyncTransport {
        private let inner: FolderTransport
        let written = Recorder<String>()
        let read = Recorder<String>()
        /// How many writes succeed before one fails; nil if none fails.
        let remaining = Mutex<Int?>(nil)
        /// Called after each write.
        let afterWrite = Mutex<[@Sendable (SyncEntry) -> Void]>([])
        /// How many reads succeed before one fails; nil if none fails.
        let readable = Mutex<Int?>(nil)

        init(_ inner: FolderTransport) { self.inner = inner }

        private static func count(_ count: borrowing Mutex<Int?>) throws {
            try count.withLock { count in
                guard let left = count else { return }
                count = left > 0 ? left - 1 : nil
                if left == 0 { throw SyncError(.notReachable, "stopped") }
            }
        }

        func list(_ group: String, after cursor: String?) async throws -> SyncListing {
            try await inner.list(group, after: cursor)
        }

        func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8] {
            try Self.count(readable)
            read.add(entry.path)
            return try await inner.read(entry, from: offset)
        }

        func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws {
            try Task.checkCancellation()
            try Self.count(remaining)
            try await inner.write(entry, bytes)
            written.add(entry.path)
            for call in afterWrite.withLock({ $0 }) { call(entry) }
        }

        func remove(_ entry: SyncEntry) async throws { try await inner.remove(entry) }
    }
#endif
