internal import CSQLite

// The system reports other connections' writes to the file and its log.
extension SQLiteConnection {
    package func watchForCommits(_ calls: CommitWatchCalls) -> (any CommitWatch)? {
        // The path has its links resolved, because the log is next to the file itself.
        guard case .file = location, let path = sqlite3_db_filename(handle, "main") else { return nil }
        // A read-only connection does not set the journal mode, so a commit may write either file first.
        let endings = usesLog ? ["-wal"] : ["", "-wal"]
        return FileWatch(WatchedFiles(String(cString: path), endings: endings), calls)
    }

    /// A number that changes once any other connection, in any process, has committed a change. Unlike `dataVersion` it
    /// needs no surrounding transaction.
    package func polledDataVersion(waits: Bool) throws(StoreError) -> Int64 {
        let statement = try statement("PRAGMA data_version")
        defer { statement.finish() }
        let timeout = interruption.busyTimeout
        if !waits { interruption.busyTimeout = 0 }
        defer { interruption.busyTimeout = timeout }
        return try statement.step() ? statement.integer(0) : 0
    }
}
