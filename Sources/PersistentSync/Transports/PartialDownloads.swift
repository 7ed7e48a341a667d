internal import Synchronization

/// The first parts of entries whose download was cut. Entries never change, so a later request continues after them.
final class PartialDownloads: Sendable {
    /// The greatest number of bytes that are kept.
    private static let limit = 16 << 20

    private let parts = Mutex<[String: [UInt8]]>([:])

    /// The first part of an entry, which is not kept any more.
    func take(_ entry: SyncEntry) -> [UInt8] {
        let part = parts.withLock { $0.removeValue(forKey: entry.path) } ?? []
        return part.count <= entry.size ? part : []
    }

    /// Keeps the first part of an entry. If all of them need too much memory, the other ones are dropped.
    func keep(_ part: [UInt8], of entry: SyncEntry) {
        guard !part.isEmpty else { return }
        parts.withLock { parts in
            if parts.values.reduce(part.count, { $0 + $1.count }) > Self.limit { parts = [:] }
            if part.count <= Self.limit { parts[entry.path] = part }
        }
    }
}
