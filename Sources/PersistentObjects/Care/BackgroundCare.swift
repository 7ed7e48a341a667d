/// What takes long in the care of a store, away from the caller's thread and actor. See ``Store/background``.
///
/// Each call works on a thread of its own, in the caller's task: cancelling
/// that ends it with `CancellationError`.
public struct BackgroundCare: Sendable {
    let store: Store

    /// Copies the store to a file. See ``Store/backup(to:replacing:progress:)``.
    ///
    /// - Parameters:
    ///   - path: Where the copy is made.
    ///   - replacing: Whether a file that is there is replaced.
    ///   - progress: Is called on another thread.
    public func backup(
        to path: String, replacing: Bool = false,
        progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
    ) async throws {
        try await CareRunner().run { try store.backup(to: path, replacing: replacing, progress: progress) }
    }

    /// Looks for everything in the file that is not as it should be. See ``Store/checkIntegrity(limit:progress:)``.
    ///
    /// - Parameters:
    ///   - limit: How many problems are told at most.
    ///   - progress: Is called on another thread.
    public func checkIntegrity(
        limit: Int = 100, progress: @escaping @Sendable (IntegrityProgress) throws -> Void = { _ in }
    ) async throws -> IntegrityReport {
        try await CareRunner().run { try store.checkIntegrity(limit: limit, progress: progress) }
    }

    /// Writes the file anew without its free pages. See ``Store/vacuum()``.
    public func vacuum() async throws { try await CareRunner().run { try store.vacuum() } }
}

extension Store {
    /// Backups, checks and vacuums that keep no actor waiting.
    ///
    /// ```swift
    /// try await store.background.backup(to: "copy.sqlite")
    /// ```
    public var background: BackgroundCare { BackgroundCare(store: self) }
}

/// Runs what takes long on a thread of its own, in the caller's task.
private actor CareRunner {
    private let executor = StoreExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func run<R: Sendable>(_ body: @Sendable () throws -> R) throws -> R { try body() }
}
