internal import CSQLite

// SQLite reports that there were commits, but not how many. The header of the index of its write-ahead log counts
// commits: https://sqlite.org/walformat.html, section 2.1. It is in memory that all connections share, and is
// accessible through SQLite's own file methods.
extension SQLiteConnection {
    /// The commit that the file is at; nil if it has no write-ahead log, or one of an unknown format.
    package var commitMark: CommitMark? {
        guard usesLog, let page = logIndex else { return nil }
        // Another process may be writing it at this moment: there are two copies, and consistent copies are equal.
        for _ in 0..<100 {
            let (first, second) = (LogHead(page), LogHead(page + LogHead.size))
            if first == second { return first.isKnown ? first.mark : nil }
        }
        return nil
    }

    /// Commits the transaction and returns the commit's position.
    package func commitMarking() throws(StoreError) -> CommitSpan {
        let (start, count) = (commitMark, writtenPageCount)
        try commit()
        return CommitSpan(from: start, to: commitMark, hasWritten: writtenPageCount != count)
    }

    /// The number of pages the connection has written so far: every commit with changes writes at least one.
    private var writtenPageCount: Int32 {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 0)
        return current
    }

    /// The first page of the log's index, as mapped into memory.
    private var logIndex: UnsafeRawPointer? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
            let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2, let map = methods.pointee.xShmMap
        else { return nil }
        var page: UnsafeMutableRawPointer?
        // The call creates nothing, because the page exists once the connection has read.
        guard map(file, 0, LogHead.pageSize, 0, &page) == SQLITE_OK, let page else { return nil }
        return UnsafeRawPointer(page)
    }
}

/// The used fields of the header, in the machine's byte order.
private struct LogHead: Equatable {
    static let size = 48
    static let pageSize: Int32 = 32_768
    private static let version: UInt32 = 3_007_000

    private let version: UInt32
    private let commitCount: UInt32
    private let isInitialized: Bool
    private let checksum: UInt64

    init(_ head: UnsafeRawPointer) {
        version = head.load(as: UInt32.self)
        commitCount = head.load(fromByteOffset: 8, as: UInt32.self)
        isInitialized = head.load(fromByteOffset: 12, as: UInt8.self) != 0
        checksum = head.load(fromByteOffset: 24, as: UInt64.self)
    }

    var isKnown: Bool { version == LogHead.version && isInitialized }
    var mark: CommitMark { CommitMark(number: commitCount, checksum: checksum) }
}
