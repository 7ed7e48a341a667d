#if Sync
    import PersistentSync
    import Synchronization

    /// A transport in memory.
    final class MemoryTransport: SyncTransport {
        private struct Files {
            /// In the order in which they were written.
            var entries: [SyncEntry] = []
            var bytes: [SyncEntry: [UInt8]] = [:]
            var listeners: [AsyncStream<Void>.Continuation] = []
        }

        private let files = Mutex(Files())

        func list(_ group: GroupID, after cursor: [UInt8]?) async throws -> SyncListing {
            files.withLock { files in
                let start = min(cursor.map { $0.reduce(0) { $0 << 8 | Int($1) } } ?? 0, files.entries.count)
                let count = files.entries.count
                let found = files.entries[start...].filter { $0.group == group && files.bytes[$0] != nil }
                return SyncListing(Array(found), cursor: [UInt8(count >> 8 & 255), UInt8(count & 255)])
            }
        }

        func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8] {
            try files.withLock { files in
                guard let bytes = files.bytes[entry] else { throw SyncError(.notReachable, "no such entry") }
                return Array(bytes.dropFirst(offset))
            }
        }

        func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws {
            try files.withLock { files in
                if let found = files.entries.first(where: { $0.isSameName(as: entry) && files.bytes[$0] != nil }) {
                    guard files.bytes[found] == bytes else { throw SyncError(.clonedDevice, "it has other bytes") }
                    return
                }
                files.entries.append(entry)
                files.bytes[entry] = bytes
                for listener in files.listeners { listener.yield() }
            }
        }

        func remove(_ entry: SyncEntry) async throws { files.withLock { $0.bytes[entry] = nil } }

        func hints(_ group: GroupID) -> AsyncStream<Void> {
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            files.withLock { $0.listeners.append(continuation) }
            return stream
        }
    }

    extension SyncEntry {
        fileprivate func isSameName(as other: SyncEntry) -> Bool {
            group == other.group && kind == other.kind && name == other.name
        }
    }
#endif
