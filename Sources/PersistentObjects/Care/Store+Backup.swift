internal import StoreEngine

/// The progress of a backup.
public struct BackupProgress: Sendable, Hashable {
    /// The number of pages of the file that are copied.
    public let donePages: Int
    /// The total number of pages.
    public let totalPages: Int

    /// The copied fraction, from 0 to 1.
    public var fractionCompleted: Double { totalPages > 0 ? Double(donePages) / Double(totalPages) : 1 }
}

extension Store {
    /// Copies the current state of the store to a file, while other sessions read and write.
    ///
    /// ```swift
    /// try store.backup(to: "copy.sqlite") { progress in
    ///     print(Int(progress.fractionCompleted * 100), "%")
    ///     if isUnwanted { throw CancellationError() }
    /// }
    /// ```
    ///
    /// The copy contains all commits made before it began. The backup reads one state of the file and never restarts,
    /// even if other sessions write. The log next to the store's file grows by these writes until the backup ends. With
    /// `journal: .rollback`, and in memory, writers wait for the backup.
    ///
    /// The copy is an independent store, one file without a log, which opens with `Store("copy.sqlite")`, also on
    /// read-only media. It is written under another name (`copy.sqlite.partial-…`), synchronized to disk, and renamed
    /// in one step. A failure, a cancellation or a crash leaves an existing file at the path unchanged. A crash may
    /// leave the partial file, which can be deleted.
    ///
    /// The backup of an encrypted store is encrypted, too, unless `encryption` specifies another form. A backup in another form
    /// is written at once, so `progress` is called once. A store in memory can be copied, too, but only without
    /// encryption. ``background`` has the same method, which runs off the caller's thread.
    ///
    /// A store on a server has no file: the call throws `unsupported`. `backupClasses(to:)` of `PersistentTransfer` copies
    /// its objects to a store file.
    ///
    /// - Parameters:
    ///   - path: The path of the copy; its folder must exist. The copy gets the permissions of the configuration.
    ///   - replacing: Whether an existing database is replaced. A database with a write-ahead log is not replaced while
    ///     a store or another program has it open. A file that is not a database is never replaced.
    ///   - encryption: The encryption of the backup; by default the store's.
    ///   - progress: Called after each megabyte; an error that it throws ends the backup, and is rethrown.
    /// - Throws: The errors of `progress`; `CancellationError` if the task was cancelled; `StoreError`: `misuse` if the
    ///   path is taken, `busy` if the existing file is in use, `diskFull`, `cannotOpen` and others.
    public func backup(
        to path: String, replacing: Bool = false, encryption: BackupEncryption = .same,
        progress: (BackupProgress) throws -> Void = { _ in }
    ) throws {
        guard path != Store.memoryPath else {
            throw StoreError(.misuse, "\(path) denotes a store in memory. Give the path of a file for the backup")
        }
        guard !engine.isServer else {
            throw StoreError(
                .unsupported,
                "A backup copies the pages of a file, and this store is on a server. Call backupClasses(to:) of "
                    + "PersistentTransfer to copy its objects to a store file, or use pg_dump")
        }
        let request = CopyRequest(
            path: path.isEmpty ? path : Store.absolute(path), replaces: replacing,
            permissions: configuration.filePermissions, form: encryption.form)
        try caring { _, upkeep in
            try upkeep.copy(request) { pages in
                if Task.isCancelled { throw CancellationError() }
                try progress(BackupProgress(donePages: pages.done, totalPages: pages.total))
            }
        }
    }
}
