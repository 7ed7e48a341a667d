internal import StoreEngine

/// The result of ``Store/checkpoint(waiting:)``.
public struct Checkpoint: Sendable, Hashable {
    /// The number of pages in the log.
    public let loggedPages: Int
    /// The number of log pages that are now in the file.
    public let movedPages: Int
    /// Whether all log pages are in the file, and the log is empty if the call waited.
    ///
    /// It is false if readers or writers blocked the checkpoint.
    public let isComplete: Bool
}

// The disk space of a file.
extension Store {
    /// Rewrites the file without its free pages, with minimal size and in sequential order.
    ///
    /// ```swift
    /// try store.vacuum()
    /// ```
    ///
    /// Ids do not change. The call needs up to twice the size of the file in disk space, and blocks writers but not
    /// readers. The file itself shrinks at the next `checkpoint()`. From then on free pages are handled according to
    /// `configuration.autoVacuum`.
    ///
    /// - Throws: `CancellationError` if the task was cancelled, and nothing is changed; `StoreError`: `busy` if other
    ///   sessions write for longer than the busy timeout, `misuse` inside a transaction, `diskFull`, `readOnly`.
    public func vacuum() throws {
        let autoVacuum = configuration.autoVacuum
        try caringAlone { try $0.vacuum(autoVacuum) }
    }

    /// Releases some free pages of a file with `autoVacuum: .incremental`.
    ///
    /// Use it to release a few pages at a time if `vacuum()` would take too long. Other files are not changed.
    ///
    /// ```swift
    /// while try store.releaseFreePages(atMost: 1000) > 0 {}
    /// ```
    ///
    /// - Returns: The number of released pages.
    /// - Throws: `StoreError`, as ``vacuum()``.
    @discardableResult
    public func releaseFreePages(atMost limit: Int = .max) throws -> Int {
        // More than the maximum number of pages in SQLite.
        try caringAlone { try $0.releaseFreePages(atMost: min(limit, Int(Int32.max))) }
    }

    /// Moves the contents of the write-ahead log into the file, and empties the log.
    ///
    /// ```swift
    /// let result = try store.checkpoint()
    /// print(result.movedPages, result.isComplete)
    /// ```
    ///
    /// SQLite does this automatically after each thousand pages, as far as readers permit, and keeps the size of the
    /// log. Call it before you copy the file by other means, or if the log has become large. Without a log, the call
    /// does nothing.
    ///
    /// - Parameter waiting: Whether it waits for writers and readers up to the busy timeout. If false, it moves the
    ///   pages that it can move immediately, and the log keeps its size.
    /// - Returns: The number of moved pages. A checkpoint blocked by other sessions is not an error.
    /// - Throws: `StoreError`: `misuse` inside a transaction, `readOnly`, `inputOutput` and others.
    @discardableResult
    public func checkpoint(waiting: Bool = true) throws -> Checkpoint {
        let outcome = try caringAlone { try $0.checkpoint(isWaiting: waiting) }
        return Checkpoint(
            loggedPages: outcome.logged, movedPages: outcome.moved, isComplete: outcome.isComplete)
    }
}
