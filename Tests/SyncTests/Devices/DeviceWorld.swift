#if Sync
    import Foundation
    import Synchronization
    import Testing

    @testable import PersistentSync

    /// Devices that share a folder, each with a folder for its state.
    final class DeviceWorld: Sendable {
        let root: URL
        private let time = Mutex<UInt64>(1_000_000)
        private let threshold = Mutex(SyncDevice.standardThreshold)

        /// The size of logs from which later devices write a snapshot.
        var snapshotThreshold: Int {
            get { threshold.withLock { $0 } }
            set { threshold.withLock { $0 = newValue } }
        }

        private let files = Mutex(BatchLimits())

        /// The sizes of files and objects of later devices.
        var limits: BatchLimits {
            get { files.withLock { $0 } }
            set { files.withLock { $0 = newValue } }
        }

        init() throws {
            root = FileManager.default.temporaryDirectory.appendingPathComponent(
                "po-sync-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: root) }

        var folder: URL { root.appendingPathComponent("shared") }

        func stateFolder(_ name: String) -> URL { root.appendingPathComponent("state-\(name)") }

        func device(
            _ store: MemoryStore, _ name: String, through transport: (any SyncTransport)? = nil
        ) -> SyncDevice {
            SyncDevice(
                store, through: transport ?? FolderTransport(folder.path), name: name,
                stateFolder: stateFolder(name),
                snapshotThreshold: snapshotThreshold, limits: limits, time: { self.now })
        }

        private var now: UInt64 { time.withLock { $0 } }

        func advance(_ milliseconds: UInt64) { time.withLock { $0 += milliseconds } }

        /// A device that shares nothing yet.
        func device(_ number: Int, _ name: String) -> (store: MemoryStore, device: SyncDevice) {
            let store = MemoryStore(DeviceID(UInt128(number)))
            return (store, device(store, name))
        }

        /// Founds a group on the first of two devices, and admits the second.
        func pair() async throws -> Pair {
            let pair = Pair(self)
            pair.group = try await pair.annDevice.makeGroup("Family")
            try await admit(pair.bobDevice, by: pair.annDevice, to: pair.group)
            return pair
        }

        func admit(_ other: SyncDevice, by device: SyncDevice, to group: GroupID) async throws {
            let code = try await device.invite(to: group, milliseconds: 86_400_000, uses: 1)
            _ = try await other.join(code)
            try await meet(device, other, device, other)
        }

        /// Runs rounds, in which nothing may fail.
        func meet(_ devices: SyncDevice..., sourceLocation: SourceLocation = #_sourceLocation)
            async throws
        {
            for device in devices {
                let report = try await device.meet()
                #expect(report.problems == [], sourceLocation: sourceLocation)
            }
        }

        /// The files of the shared folder whose paths contain a text.
        func files(_ part: String) throws -> [URL] {
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
                .filter { $0.contains(part) && $0.hasSuffix(".posb") }.map {
                    folder.appendingPathComponent($0)
                }
        }
    }

    /// Two members of a group.
    final class Pair {
        let ann: MemoryStore
        let annDevice: SyncDevice
        let bob: MemoryStore
        let bobDevice: SyncDevice
        var group = GroupID(0)

        init(_ world: DeviceWorld) {
            (ann, annDevice) = world.device(1, "Ann")
            (bob, bobDevice) = world.device(2, "Bob")
        }
    }

    /// A transport whose device stops after it has written a batch.
    struct FailingTransport: SyncTransport {
        private let inner: FolderTransport

        init(_ inner: FolderTransport) { self.inner = inner }

        func list(_ group: String, after cursor: String?) async throws -> SyncListing {
            try await inner.list(group, after: cursor)
        }

        func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8] {
            try await inner.read(entry, from: offset)
        }

        func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws {
            try await inner.write(entry, bytes)
            if case .log = entry.kind { throw SyncError(.notReachable, "stopped") }
        }

        func remove(_ entry: SyncEntry) async throws { try await inner.remove(entry) }
        func hints(_ groups: Set<String>) -> AsyncStream<Void> { inner.hints(groups) }
    }

    let first = ObjectKey("parent", .text("first"))
    let second = ObjectKey("parent", .text("second"))
#endif
