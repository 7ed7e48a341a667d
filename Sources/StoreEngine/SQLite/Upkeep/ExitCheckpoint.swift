internal import CSQLite
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Moves the write-ahead logs of files that are still open into the files when the process ends normally.
///
/// SQLite does it when the last connection to a file is closed. A program that returns from its main function closes
/// none, and whoever copies its file afterwards without the log copies an older state. This works on connections of its
/// own and waits for nothing: where a file is in use at that moment, its log stays, and is read at the next opening.
enum ExitCheckpoint {
    private struct OpenFile {
        let location: StoreLocation
        var connectionCount = 0
    }

    private static let files = Mutex<[FileIdentity: OpenFile]>([:])
    /// Whether the system calls `run` at the end.
    private static let isRegistered = atexit { ExitCheckpoint.run() } == 0

    /// A connection uses the log of a file.
    static func noteOpening(_ file: FileIdentity, _ location: StoreLocation) {
        _ = isRegistered
        files.withLock { $0[file, default: OpenFile(location: location)].connectionCount += 1 }
    }

    /// It is closed.
    static func noteClosing(_ file: FileIdentity) {
        files.withLock { files in
            guard var open = files[file] else { return }
            open.connectionCount -= 1
            files[file] = open.connectionCount > 0 ? open : nil
        }
    }

    /// Moves the logs of all files that are open.
    static func run() {
        // A copy of a process has connections that it must not touch.
        guard !ProcessCopy.isThis else { return }
        let open = files.withLock { $0 }
        // Another file may have taken the place of one.
        for (file, open) in open where open.location.fileIdentity == file { moveLog(open.location) }
    }

    private static func moveLog(_ location: StoreLocation) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        defer { sqlite3_close_v2(handle) }
        guard sqlite3_open_v2(location.sqliteName, &handle, flags, location.vfs) == SQLITE_OK else { return }
        // A connection that has read nothing does not know that there is a log. What fails leaves the log as it is.
        sqlite3_exec(handle, "PRAGMA schema_version", nil, nil, nil)
        sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }
}
