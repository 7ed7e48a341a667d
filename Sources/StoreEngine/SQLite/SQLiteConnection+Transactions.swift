internal import CSQLite

// Transactions: how they begin and end, and that nothing is written behind one that SQLite has ended by itself.
extension SQLiteConnection {
    /// Whether a transaction is open.
    package var isInTransaction: Bool {
        if leftOpen != nil { rollBackAll() }
        return sqlite3_get_autocommit(handle) == 0
    }

    /// Opens a transaction that may write: the lock is taken now, never half-way.
    package func begin() throws(StoreError) {
        try checkMayWrite()
        try prepareToBegin()
        try interruption.waiting { () throws(StoreError) in
            try uninterrupted { () throws(StoreError) in try keptStatement(&beginImmediate, "BEGIN IMMEDIATE").run() }
        }
        interruption.transaction.begin()
    }

    /// Opens a transaction that only reads; its statements see one state of the database.
    package func beginReading() throws(StoreError) {
        try prepareToBegin()
        try uninterrupted { () throws(StoreError) in try keptStatement(&beginDeferred, "BEGIN").run() }
        interruption.transaction.begin()
    }

    /// Only with its first read does SQLite settle on a state.
    package func settle() throws(StoreError) {
        let statement = try statement("SELECT 1 FROM sqlite_schema LIMIT 1")
        defer { statement.finish() }
        _ = try statement.step()
    }

    package func commit() throws(StoreError) {
        try checkTransaction()
        // SQLite would say of a commit that has happened that it was interrupted.
        try interruption.waiting { () throws(StoreError) in
            try uninterrupted { () throws(StoreError) in try keptStatement(&commitStatement, "COMMIT").run() }
        }
        interruption.transaction.end()
    }

    /// Ends the transaction without its changes; never fails, since SQLite may have rolled back by itself.
    package func rollback() {
        defer { clearRowLog() }
        interruption.transaction.end()
        rollBackAll()
    }

    /// Has ready what ends a transaction: where there is no memory left nothing can be prepared any more.
    private func prepareToBegin() throws(StoreError) {
        try checkTransaction()
        _ = try keptStatement(&rollbackStatement, "ROLLBACK")
    }

    private func rollBackAll() {
        leftOpen = nil
        guard isInTransaction else { return }
        func tryOnce() throws(StoreError) {
            try uninterrupted { () throws(StoreError) in try keptStatement(&rollbackStatement, "ROLLBACK").run() }
        }
        // Where it fails the transaction is mostly gone all the same, which is what is wanted.
        do throws(StoreError) { return try tryOnce() } catch { guard isInTransaction else { return } }
        // SQLite may have to prepare it again, and have no memory for it.
        rollbackStatement = nil
        cache.removeFree()
        sqlite3_db_release_memory(handle)
        // Else the next call tries again.
        do throws(StoreError) { try tryOnce() } catch { if isInTransaction { leftOpen = error } }
    }

    /// Marks a place in the open transaction; marks nest.
    package func setSavepoint(_ pace: Pace) throws(StoreError) {
        // Without a transaction it would be one of its own.
        try checkTransaction()
        _ = try keptStatement(&savepoint.rollBack, "ROLLBACK TO \"inner\"")
        _ = try keptStatement(&savepoint.release, "RELEASE \"inner\"")
        try uninterrupted { () throws(StoreError) in try keptStatement(&savepoint.set, "SAVEPOINT \"inner\"").run() }
        rowLog?.mark()
    }

    /// Gives up the last mark and keeps what was done since.
    package func releaseSavepoint() throws(StoreError) {
        try checkTransaction()
        try uninterrupted { () throws(StoreError) in
            try keptStatement(&savepoint.release, "RELEASE \"inner\"").run()
        }
        rowLog?.forgetMark()
    }

    /// Undoes what was done since the last mark, and gives it up; never fails, since SQLite may have rolled back all by
    /// itself. Where it cannot be undone the whole transaction is: half of it would stay.
    package func rollBackToSavepoint() {
        guard isInTransaction else { return }
        do throws(StoreError) {
            try uninterrupted { () throws(StoreError) in
                try keptStatement(&savepoint.rollBack, "ROLLBACK TO \"inner\"").run()
            }
            rowLog?.undo()
            try releaseSavepoint()
        } catch {
            interruption.transaction.noteFailure(error)
            rollBackAll()
        }
    }

    /// Why the transaction is gone though nobody has ended it.
    package var endOfTransaction: StoreError? {
        interruption.transaction.isOpen && !isInTransaction ? interruption.transaction.reason : nil
    }

    /// After some failures SQLite rolls back the transaction by itself, and what is written then is committed at once.
    func checkTransaction() throws(StoreError) {
        if leftOpen != nil { rollBackAll() }
        if let leftOpen { throw leftOpen }
        if let endOfTransaction { throw endOfTransaction }
    }

    private func keptStatement(_ slot: inout Statement?, _ sql: SQL) throws(StoreError) -> Statement {
        try ProcessCopy.check()
        if let statement = slot { return statement }
        let statement = try prepare(sql, keeping: true)
        slot = statement
        return statement
    }

    /// Checks what everything that writes to the file has to check first, in a transaction or without one.
    ///
    /// SQLite goes on writing to a file that was moved or replaced. The log is found by its path: it then belongs to the
    /// file that took the place, and what is written to it would be read as a part of that file.
    func checkMayWrite() throws(StoreError) {
        if let writeRefusal { throw writeRefusal }
        guard case .file(let path) = location else { return }
        var moved: Int32 = 0
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        guard code == SQLITE_OK, moved != 0 else { return }
        throw StoreLocation.moved(path)
    }
}

/// Statements that are prepared once.
struct SavepointStatements {
    var set: Statement?
    var release: Statement?
    var rollBack: Statement?
}
