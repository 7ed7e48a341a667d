internal import CSQLite

// Others write the file and its log; the system tells of that.
extension SQLiteConnection {
    package func watchForCommits(_ calls: CommitWatchCalls) -> (any CommitWatch)? {
        // Without links in it: the log stands beside the file itself.
        guard case .file = location, let path = sqlite3_db_filename(handle, "main") else { return nil }
        // Who only reads may have either before it.
        let endings = usesLog ? ["-wal"] : ["", "-wal"]
        return FileWatch(WatchedFiles(String(cString: path), endings: endings), calls)
    }

    /// A number that differs once any other connection, of whichever process, has committed a change. Unlike
    /// `dataVersion` it needs no transaction around it.
    package func polledDataVersion(waits: Bool) throws(StoreError) -> Int64 {
        let statement = try statement("PRAGMA data_version")
        defer { statement.finish() }
        let timeout = interruption.busyTimeout
        if !waits { interruption.busyTimeout = 0 }
        defer { interruption.busyTimeout = timeout }
        return try statement.step() ? statement.integer(0) : 0
    }
}
