internal import StoreEngine

/// The writers' queues of files, so that stores of the same file in one process write in their turn, as sessions of one
/// store do, and do not poll for each other's locks.
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
            // The system gives the number of a file that is gone to another one.
            queues = queues.filter { $0.value.queue != nil }
            queues[file] = Weakly(queue: own)
            return own
        }
    }
}
