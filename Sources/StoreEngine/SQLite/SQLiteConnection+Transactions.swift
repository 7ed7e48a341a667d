internal import CSQLite

// Transactions: starts and ends them, and prevents writes after SQLite has ended a transaction by itself.
extension SQLiteConnection {
    /// Whether a transaction is open.
    package var isInTransaction: Bool {
        if leftOpen != nil { rollBackAll() }
        return sqlite3_get_autocommit(handle) == 0
    }

    /// Opens a transaction that may write. It acquires the write lock now, not at its first write.
    package func begin() throws(StoreError) {
        try checkMayWrite()
        try prepareToBegin()
        try interruption.waiting { () throws(StoreError) in
            try uninterrupted { () throws(StoreError) in try keptStatement(&beginImmediate, "BEGIN IMMEDIATE").run() }
        }
        interruption.transaction.begin()
    }

    /// Opens a reading transaction; its statements see one state of the database.
    package func beginReading() throws(StoreError) {
        try prepareToBegin()
        try uninterrupted { () throws(StoreError) in try keptStatement(&beginDeferred, "BEGIN").run() }
        interruption.transaction.begin()
    }

    /// Reads once, because SQLite fixes the state of a reading transaction at its first read.
    package func settle() throws(StoreError) {
        let statement = try statement("SELECT 1 FROM sqlite_schema LIMIT 1")
        defer { statement.finish() }
        _ = try statement.step()
    }

    package func commit() throws(StoreError) {
        try checkTransaction()
        // A commit is not interruptible, because SQLite would report a successful commit as interrupted.
        try interruption.waiting { () throws(StoreError) in
            try uninterrupted { () throws(StoreError) in try keptStatement(&commitStatement, "COMMIT").run() }
        }
        interruption.transaction.end()
    }

    /// Rolls the transaction back; never fails, because SQLite may already have rolled back by itself.
    package func rollback() {
        defer { clearRowLog() }
        interruption.transaction.end()
        rollBackAll()
    }

    /// Prepares the statements that end a transaction, because nothing can be prepared once memory has run out.
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
        // Even if the statement fails, the transaction is usually gone, as intended.
        do throws(StoreError) { return try tryOnce() } catch { guard isInTransaction else { return } }
        // SQLite may have to prepare the statement again, which needs memory.
        rollbackStatement = nil
        releaseStatements()
        sqlite3_db_release_memory(handle)
        // Otherwise the next call retries.
        do throws(StoreError) { try tryOnce() } catch { if isInTransaction { leftOpen = error } }
    }

    /// Sets a savepoint in the open transaction; savepoints nest.
    package func setSavepoint(_ pace: Pace) throws(StoreError) {
        // Without a transaction it would open a separate transaction.
        try checkTransaction()
        _ = try keptStatement(&savepoint.rollBack, "ROLLBACK TO \"inner\"")
        _ = try keptStatement(&savepoint.release, "RELEASE \"inner\"")
        try uninterrupted { () throws(StoreError) in try keptStatement(&savepoint.set, "SAVEPOINT \"inner\"").run() }
        rowLog?.mark()
    }

    /// Releases the last savepoint and keeps the changes since then.
    package func releaseSavepoint() throws(StoreError) {
        try checkTransaction()
        try uninterrupted { () throws(StoreError) in
            try keptStatement(&savepoint.release, "RELEASE \"inner\"").run()
        }
        rowLog?.forgetMark()
    }

    /// Reverts the changes since the last savepoint, and releases it; never fails, because SQLite may already have
    /// rolled back everything by itself. If it cannot be reverted, the whole transaction is rolled back, because half
    /// of it would remain.
    package func rollBackToSavepoint() {
        guard isInTransaction else { return }
        do throws(StoreError) {
            try uninterrupted { () throws(StoreError) in
                try keptStatement(&savepoint.rollBack, "ROLLBACK TO \"inner\"").run()
            }
            rowLog?.undo()
            try releaseSavepoint()
        } catch {
            interruption.transaction.recordFailure(error)
            rollBackAll()
        }
    }

    /// The reason that the transaction is gone although its owner has not ended it.
    package var endOfTransaction: StoreError? {
        interruption.transaction.isOpen && !isInTransaction ? interruption.transaction.reason : nil
    }

    /// Throws if SQLite has rolled back the transaction by itself, because later writes would be committed immediately.
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

    /// Checks the preconditions of every write to the file, in a transaction or without one.
    ///
    /// SQLite continues to write to a file that was moved or replaced. The log is found by its path: it then belongs to
    /// the replacement, and writes to it would be read as part of that file.
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
