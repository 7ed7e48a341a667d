internal import CSQLite

extension SQLiteConnection {
    /// Starts or ends a log of written rows; call it between transactions.
    package func watchRows(_ isOn: Bool) {
        // A deletion of all rows is done row by row while the log is on; prepared statements are prepared again for it.
        statementGuard.deletesSingly = isOn
        statementGuard.watch(handle)
        guard isOn else {
            sqlite3_update_hook(handle, nil, nil)
            rowLog = nil
            statementGuard.rowLog = nil
            return
        }
        let log = RowLog(countBefore: totalChangedRowCount)
        rowLog = log
        statementGuard.rowLog = log
        sqlite3_update_hook(
            handle,
            { context, action, _, table, id in
                guard let context, let table else { return }
                let log = Unmanaged<RowLog>.fromOpaque(context).takeUnretainedValue()
                switch action {
                case SQLITE_INSERT: log.add(.inserted, table, id)
                case SQLITE_DELETE: log.add(.deleted, table, id)
                default: log.add(.updated, table, id)
                }
            }, Unmanaged.passUnretained(log).toOpaque())
    }

    /// The number of rows of the transaction that SQLite did not report: rows of tables without ids.
    package var unreportedRowCount: Int64 { rowLog?.unreportedCount(of: totalChangedRowCount) ?? 0 }

    /// Clears the log of a transaction that has ended.
    package func clearRowLog() { rowLog?.clear(count: totalChangedRowCount) }

    /// The tables that a statement reads, with the columns of each; no columns if its rows are only counted.
    package func columnsRead(by sql: SQL) throws(StoreError) -> [String: Set<String>] {
        try statementGuard.recordingReads { () throws(StoreError) in _ = try prepare(sql) }
    }
}
