internal import CSQLite

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Moves the write-ahead logs of files that are still open into the files when the process ends normally.
///
/// SQLite does this when the last connection to a file is closed. But a program that returns from its main function
/// closes no connection, and a copy of its file without the log has an older state. The checkpoint uses separate
/// connections and does not wait. If a file is in use at that moment, its log stays, and the next opening reads it.
enum ExitCheckpoint {
    private struct OpenFile {
        let location: StoreLocation
        let form: FileForm
        var connectionCount = 0
    }

    private static let files = Locked<[FileIdentity: OpenFile]>([:])
    /// Whether the system calls `run` at the end.
    private static let isRegistered = atexit { ExitCheckpoint.run() } == 0

    /// Called when a connection starts to use the log of a file.
    static func recordOpening(_ file: FileIdentity, _ location: StoreLocation, _ form: FileForm) {
        _ = isRegistered
        files.withLock { $0[file, default: OpenFile(location: location, form: form)].connectionCount += 1 }
    }

    /// Called when such a connection is closed.
    static func recordClosing(_ file: FileIdentity) {
        files.withLock { files in
            guard var open = files[file] else { return }
            open.connectionCount -= 1
            files[file] = open.connectionCount > 0 ? open : nil
        }
    }

    /// Moves the logs of all files that are open.
    ///
    /// - Parameter location: The only file to consider, for tests, which must not change the files of other tests.
    static func run(only location: StoreLocation? = nil) {
        // A copy of a process has connections that it must not touch.
        guard !ProcessCopy.isThis else { return }
        let open = files.withLock { $0 }
        // The opened file may have been replaced by another.
        for (file, entry) in open where (location ?? entry.location) == entry.location {
            if entry.location.fileIdentity == file { moveLog(entry.location, entry.form) }
        }
    }

    private static func moveLog(_ location: StoreLocation, _ form: FileForm) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        defer { sqlite3_close_v2(handle) }
        let code = SealedFile.open(location.sqliteName, &handle, flags, vfs: location.vfs, form)
        guard code == SQLITE_OK else { return }
        // A connection that has read nothing does not know that there is a log. A failure leaves the log unchanged.
        sqlite3_exec(handle, "PRAGMA schema_version", nil, nil, nil)
        sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }
}
