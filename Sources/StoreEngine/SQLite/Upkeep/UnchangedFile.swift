internal import CSQLite

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Opens a file for reading so that the file, its log and the list of files in its folder stay as they are.
///
/// A read-only connection to a file with a log does not remove the log's files, or cannot create them. Therefore such a
/// file is opened for writing and only `query_only` prevents writes. Files of three kinds are treated differently:
///
/// - A file without a log is opened as read-only, so SQLite does not roll back an interrupted transaction.
/// - A log that exists is not moved into the file when the connection is closed. If the log has no index, no program
///   has the file open, and the connection keeps the index in its own memory. Only an empty log with an index, which a
///   program that has the file open has created, is deleted with the last connection.
/// - If the folder cannot be written, the file is read as unchangeable, provided that it has no log.
struct UnchangedFile {
    private let path: String
    private let size: Int

    init(_ path: String, size: Int) {
        // The log is next to the file that a symbolic link refers to.
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        self.path = resolved.map { String(cString: $0) } ?? path
        self.size = size
    }

    func open() throws(StoreError) -> OpaquePointer {
        let handle = try connect(path, SQLITE_OPEN_READONLY)
        guard size > 0 else { return handle }
        let isMissingLog: Bool
        do throws(StoreError) {
            let header = FileHeader(handle, path: path)
            try header?.check(size: size)
            guard try header?.usesLog() == true else { return handle }
            isMissingLog = header?.hasLog == false
        } catch {
            sqlite3_close_v2(handle)
            throw StoreLocation.file(path: path).describing(error)
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard access(path, W_OK) == 0, access(folder, W_OK) == 0 else {
            guard isMissingLog else { return handle }
            sqlite3_close_v2(handle)
            return try connect(UnchangedFile.immutableName(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        }
        sqlite3_close_v2(handle)
        return try openWithLog()
    }

    private func openWithLog() throws(StoreError) -> OpaquePointer {
        var status = stat()
        let hasLog = stat(path + "-wal", &status) == 0
        let hasIndex = access(path + "-shm", F_OK) == 0
        let handle = try connect(path, SQLITE_OPEN_READWRITE)
        var settings = ["PRAGMA query_only = ON"]
        if hasLog, status.st_size > 0 || !hasIndex {
            _ = po_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            if !hasIndex { settings.append("PRAGMA locking_mode = EXCLUSIVE") }
        }
        for setting in settings { sqlite3_exec(handle, setting, nil, nil, nil) }
        return handle
    }

    private func connect(_ name: String, _ flags: Int32) throws(StoreError) -> OpaquePointer {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(handle)
            throw StoreLocation.file(path: path).describing(.engine(code, message: message))
        }
        sqlite3_extended_result_codes(handle, 1)
        return handle
    }

    /// The name of a file that SQLite reads without locks, because it cannot change.
    static func immutableName(_ path: String) -> String {
        let safe = Set("/-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        let escaped = path.utf8.map { byte in
            safe.contains(byte)
                ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "file:\(escaped.joined())?immutable=1"
    }
}
