@_spi(Locks) internal import StoreEngine

/// The writers' queues of files. Stores of the same file in one process share a queue, so that they take turns, as the
/// sessions of one store do, and do not poll for each other's locks.
enum SharedWriters {
    private struct Weakly {
        weak var queue: WriterQueue?
    }

    private static let queues = Locked<[FileIdentity: Weakly]>([:])

    /// The queue of a file.
    ///
    /// - Parameter own: The queue to use if the file has none yet.
    static func queue(of file: FileIdentity, or own: WriterQueue) -> WriterQueue {
        queues.withLock { queues in
            if let known = queues[file]?.queue { return known }
            // Stale entries are removed, because the system reuses the number of a deleted file.
            queues = queues.filter { $0.value.queue != nil }
            queues[file] = Weakly(queue: own)
            return own
        }
    }
}
