#if Sync
    import PersistentSync
    import Synchronization

    /// A transport in memory.
    struct MemoryTransport: SyncTransport {
        /// A rule that it breaks.
        enum Fault: CaseIterable {
            case replaces, dropsSecondWriter, listsTwice, listsOtherGroups, ignoresOffset, losesLateEntries
            case losesLastByte, showsPart, readsUnknown, keepsRemoved, isNotCancelled, ignoresSize, hasOtherErrors
        }

        private struct File {
            let bytes: [UInt8]
            let number: Int
        }

        private final class Content: Sendable {
            let files = Mutex<(last: Int, byPath: [String: File])>((0, [:]))
            let listeners = Mutex<[AsyncStream<Void>.Continuation]>([])
        }

        private let content = Content()
        private let fault: Fault?

        init(_ fault: Fault? = nil) { self.fault = fault }

        func list(_ group: String, after cursor: String?) async throws -> SyncListing {
            content.files.withLock { files in
                let start = cursor.flatMap { Int($0) } ?? 0
                let found = files.byPath.filter { $0.value.number > start }
                let all = found.compactMap { SyncEntry(path: $0.key, size: $0.value.bytes.count) }
                    .filter { fault == .listsOtherGroups || $0.group == group }
                let late = fault == .losesLateEntries ? 1 : 0
                return SyncListing(fault == .listsTwice ? all + all : all, cursor: "\(files.last + late)")
            }
        }

        func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8] {
            try content.files.withLock { files in
                if let file = files.byPath[entry.path] { return Array(file.bytes.dropFirst(from(offset))) }
                if fault == .readsUnknown { return [] }
                throw SyncError(fault == .hasOtherErrors ? .quota : .notReachable, "There is no entry \(entry.path)")
            }
        }

        private func from(_ offset: Int) -> Int { fault == .ignoresOffset ? 0 : offset }

        func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws {
            if fault == .showsPart {
                set(entry, Array(bytes.prefix(bytes.count / 2)))
                try await Task.sleep(for: .milliseconds(2))
                set(entry, nil)
            }
            let present = content.files.withLock { files in
                let present = files.byPath[entry.path]
                if present == nil || fault == .replaces {
                    files.last += 1
                    let cut = fault == .losesLastByte && bytes.count > 1 << 20 ? 1 : 0
                    files.byPath[entry.path] = File(bytes: bytes.dropLast(cut), number: files.last)
                }
                return present?.bytes
            }
            let isSame = present.map { fault == .ignoresSize ? bytes.starts(with: $0) : $0 == bytes } ?? true
            guard isSame || fault == .dropsSecondWriter || fault == .replaces else {
                throw SyncError(.clonedDevice, "\(entry.path) has other bytes")
            }
            content.listeners.withLock { $0.forEach { $0.yield() } }
        }

        private func set(_ entry: SyncEntry, _ bytes: [UInt8]?) {
            content.files.withLock { files in
                files.last += 1
                files.byPath[entry.path] = bytes.map { File(bytes: $0, number: files.last) }
            }
        }

        func remove(_ entry: SyncEntry) async throws { if fault != .keepsRemoved { set(entry, nil) } }

        func hints(_ groups: Set<String>) -> AsyncStream<Void> {
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            if fault == .isNotCancelled {
                return AsyncStream {
                    // Only the end of another task ends it. That takes a hundred turns instead of a time, because the
                    // clock of the check is slow on a busy machine.
                    await Task { for _ in 0..<100 { try? await Task.sleep(for: .milliseconds(5)) } }.value
                    return nil
                }
            }
            content.listeners.withLock { $0.append(continuation) }
            return stream
        }
    }
#endif
