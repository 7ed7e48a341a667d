/// Long maintenance tasks of a store, run off the caller's thread and actor.
///
/// See ``Store/background``. Each call runs on a separate thread, in the caller's task: cancelling the task ends the
/// call with `CancellationError`.
public struct BackgroundCare: Sendable {
    let store: Store

    /// Copies the store to a file; see ``Store/backup(to:replacing:encryption:progress:)``.
    ///
    /// - Parameters:
    ///   - path: The path of the copy.
    ///   - replacing: Whether an existing file is replaced.
    ///   - encryption: The encryption of the copy.
    ///   - progress: Called on another thread.
    public func backup(
        to path: String, replacing: Bool = false, encryption: Store.BackupEncryption = .same,
        progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
    ) async throws {
        try await CareRunner().run {
            try store.backup(to: path, replacing: replacing, encryption: encryption, progress: progress)
        }
    }

    /// Checks the integrity of the whole file; see ``Store/checkIntegrity(limit:progress:)``.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of reported problems.
    ///   - progress: Called on another thread.
    public func checkIntegrity(
        limit: Int = 100, progress: @escaping @Sendable (IntegrityProgress) throws -> Void = { _ in }
    ) async throws -> IntegrityReport {
        try await CareRunner().run { try store.checkIntegrity(limit: limit, progress: progress) }
    }

    /// Rewrites the file without its free pages; see ``Store/vacuum()``.
    public func vacuum() async throws { try await CareRunner().run { try store.vacuum() } }
}

extension Store {
    /// Backups, integrity checks and vacuums that do not block an actor.
    ///
    /// ```swift
    /// try await store.background.backup(to: "copy.sqlite")
    /// ```
    public var background: BackgroundCare { BackgroundCare(store: self) }
}

/// Runs long operations on a separate thread, in the caller's task.
private actor CareRunner {
    private let executor = StoreExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func run<R: Sendable>(_ body: @Sendable () throws -> R) throws -> R { try body() }
}
