internal import StoreEngine

/// What ``Store/checkpoint(waiting:)`` has done.
public struct Checkpoint: Sendable, Hashable {
    /// How many pages the log had.
    public let loggedPages: Int
    /// How many of these stand in the file now.
    public let movedPages: Int
    /// Whether all of them do, and the log is empty if the call was to wait; false if readers or writers stood in the
    /// way.
    public let isComplete: Bool
}

// Room that a file takes.
extension Store {
    /// Writes the file anew without its free pages, so that it is as small as it can be and read in order.
    ///
    /// ```swift
    /// try store.vacuum()
    /// ```
    ///
    /// Ids stay what they are. It needs up to twice the room of the file while
    /// it runs, and nobody can write meanwhile; readers go on. The file itself
    /// becomes smaller with the next `checkpoint()`. From then on free pages
    /// are treated as `configuration.autoVacuum` says.
    ///
    /// - Throws: `CancellationError` if the task was cancelled, and nothing has changed; `StoreError`: `busy` if others
    ///   write for longer than the busy timeout, `misuse` inside a transaction, `diskFull`, `readOnly`.
    public func vacuum() throws {
        let autoVacuum = configuration.autoVacuum
        try caringAlone { try $0.vacuum(autoVacuum) }
    }

    /// Takes free pages from a file with `autoVacuum: .incremental`, a few at a time where `vacuum()` would take too
    /// long; the answer is how many. Other files have none taken.
    ///
    /// ```swift
    /// while try store.releaseFreePages(atMost: 1000) > 0 {}
    /// ```
    ///
    /// - Throws: `StoreError`, as ``vacuum()``.
    @discardableResult
    public func releaseFreePages(atMost limit: Int = .max) throws -> Int {
        // More than SQLite has pages.
        try caringAlone { try $0.releaseFreePages(atMost: min(limit, Int(Int32.max))) }
    }

    /// Moves what the write-ahead log has into the file, and makes the log empty.
    ///
    /// ```swift
    /// let result = try store.checkpoint()
    /// print(result.movedPages, result.isComplete)
    /// ```
    ///
    /// SQLite does so by itself after each thousand pages, as far as readers
    /// let it, and leaves the log as large as it is. This is for before the
    /// file is copied by other means, or when the log has become large.
    /// Without a log nothing is to be done.
    ///
    /// - Parameter waiting: Whether it waits for writers and readers, as long as the busy timeout says; else it does
    ///   what is possible now, and the log keeps its size.
    /// - Returns: What was done. That others stood in the way is no error.
    /// - Throws: `StoreError`: `misuse` inside a transaction, `readOnly`, `inputOutput` and others.
    @discardableResult
    public func checkpoint(waiting: Bool = true) throws -> Checkpoint {
        let outcome = try caringAlone { try $0.checkpoint(isWaiting: waiting) }
        return Checkpoint(
            loggedPages: outcome.logged, movedPages: outcome.moved, isComplete: outcome.isComplete)
    }
}
