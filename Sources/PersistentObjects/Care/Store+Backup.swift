internal import StoreEngine

/// How far a backup is.
public struct BackupProgress: Sendable, Hashable {
    /// How many pages of the file are copied.
    public let donePages: Int
    /// How many there are.
    public let totalPages: Int

    /// From 0 to 1.
    public var fractionCompleted: Double { totalPages > 0 ? Double(donePages) / Double(totalPages) : 1 }
}

extension Store {
    /// Copies the store, as it is at this moment, to a file, while others go on reading and writing.
    ///
    /// ```swift
    /// try store.backup(to: "copy.sqlite") { progress in
    ///     print(Int(progress.fractionCompleted * 100), "%")
    ///     if isUnwanted { throw CancellationError() }
    /// }
    /// ```
    ///
    /// The copy has what was committed when it began. It is read from one state
    /// of the file, so it never begins again, however much is written
    /// meanwhile; the log beside the store's file grows by what is written
    /// until it ends. With `journal: .rollback`, and in memory, writers wait
    /// for it.
    ///
    /// The copy is a store of its own, one file without a log, that opens with
    /// `Store("copy.sqlite")`, read-only media included. It is written under
    /// another name (`copy.sqlite.partial-…`), brought to the disk, and takes
    /// its place in one step: a failure, a cancellation or a crash leaves the
    /// place as it was. A crash may leave the other file, which can be deleted.
    ///
    /// A store in memory can be copied too. ``background`` has the same away
    /// from the caller's thread.
    ///
    /// - Parameters:
    ///   - path: Where the copy goes; its folder must be there. It gets the permissions of the configuration.
    ///   - replacing: Whether a database that is there is replaced. One that a store or another program has open is
    ///     not, if it has a write-ahead log; nor is a file that is no database.
    ///   - progress: Is called after each megabyte; what it throws ends the backup, and is thrown.
    /// - Throws: what `progress` throws; `CancellationError` if the task was cancelled; `StoreError`: `misuse` if the
    ///   place is taken, `busy` if the file there is in use, `diskFull`, `cannotOpen` and others.
    public func backup(
        to path: String, replacing: Bool = false, progress: (BackupProgress) throws -> Void = { _ in }
    ) throws {
        guard path != Store.memoryPath else {
            throw StoreError(.misuse, "\(path) denotes a store in memory. Give the path of a file for the backup")
        }
        let request = CopyRequest(
            path: path.isEmpty ? path : Store.absolute(path), replaces: replacing,
            permissions: configuration.filePermissions)
        try caring { _, upkeep in
            try upkeep.copy(request) { pages in
                if Task.isCancelled { throw CancellationError() }
                try progress(BackupProgress(donePages: pages.done, totalPages: pages.total))
            }
        }
    }
}
