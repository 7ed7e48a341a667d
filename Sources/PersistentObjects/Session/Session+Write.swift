internal import StoreEngine

// All writes use `runAtomically`: the library's own writes (`write`), and the user's `transaction { }` (in the room
// above). Each is a transaction of the database, or a savepoint in the current transaction.
extension Session {
    /// Runs `body` in a transaction that may write. If `body` throws, the database is unchanged.
    ///
    /// `Attempts` determines whether `body` is run again, for example if the disk is full.
    ///
    /// - Parameters:
    ///   - together: Whether an engine with round trips may defer the writes of `body`. If that fails, `body` is
    ///   repeated.
    ///   - alone: Whether other sessions must not write during `body`, even if the engine allows concurrent writers.
    package func write<R>(together: Bool = false, alone: Bool = false, _ body: () throws -> R) throws -> R {
        var result: R?
        try runWrite(R.self, Attempts.write(together: together, alone: alone)) { result = try body() }
        guard let result else { throw Writing.refusal }
        return result
    }

    /// Keeps the authors and numbers of the history entries that the current write copies from another store.
    package func keepHistoryAsWritten() { writing.historySigning.skip() }

    /// The course of a write.
    ///
    /// It is generic only for the attribute, without which the optimizer compiles the course again for each closure.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    private func runWrite<R>(_: R.Type, _ firstAttempt: Attempts, _ body: () throws -> Void) throws {
        guard !writing.isWriting else { throw Writing.refusal }
        try news.checkRounds()
        try readTransaction.checkIsNotUnderWay()
        let isOutermost = level == nil
        if isOutermost {
            // New tables contain no user data.
            if !firstAttempt.isAlone { try writing.checkOnlyStoreInTransaction() }
            try writing.takeTurn(for: self)
        } else {
            try level?.willWrite()
        }
        writing.isWriting = true
        defer {
            writing.isWriting = false
            if isOutermost { writing.leaveTurn(of: self) }
        }
        var attempts = firstAttempt
        while true {
            do { return try runAtomically(attempts, nil, body) } catch {
                guard attempts.retry(after: error, nil, self) else { throw error }
            }
        }
    }

    /// Runs a write or a transaction: either everything that `body` writes is kept, or nothing.
    ///
    /// The caller has checked that the session may write. If no transaction is in progress, the caller has also taken
    /// the turn to write.
    ///
    /// - Parameters:
    ///   - attempts: How the body is run this time.
    ///   - level: The data that restores memory after a user's transaction. A write of the library has no level, because
    ///     it changes objects only after its commit.
    ///   - restore: Restores memory to the start of `level`, and makes the parent of `level` the session's level.
    func runAtomically<R>(
        _ attempts: Attempts, _ level: TransactionLevel?, _ body: () throws -> R,
        restore: (TransactionLevel) -> Void = { _ in }
    ) throws -> R {
        let outer = self.level
        var outcome: Result<R, any Error>
        // 1. Begin a transaction, or set a savepoint.
        try begin(attempts, level, in: outer)
        if let level { writing.level = level }
        do {
            try didBegin(attempts, level, in: outer)
            // 2. The body.
            let result = try body()
            if let failure = level?.failure { throw failure }
            if !(level?.rollsBack ?? false) {
                // 3. Commit, or release the savepoint.
                try end(level, in: outer)
                // 4. Record the changes to report.
                didEnd(level, in: outer)
                return result
            }
            outcome = .success(result)
        } catch { outcome = .failure(error) }
        // 3. If the body failed, or the level requests a rollback: roll back the database.
        if let end = rollBack(in: outer, &outcome) { (level ?? outer)?.fail(end) }
        // 4. Restore memory, and record the rollback to report.
        if let level {
            if let outer, level.failure != nil {
                // The database was already rolled back to the start of the outermost transaction. Memory is restored in
                // one step when that transaction ends.
                writing.level = outer
                outer.absorb(level)
            } else {
                restore(level)
            }
        }
        return try outcome.get()
    }

    private func begin(_ attempts: Attempts, _ level: TransactionLevel?, in outer: TransactionLevel?) throws {
        if outer == nil {
            connection.author = author
            return try writing.begin(attempts.pace, alone: attempts.isAlone)
        }
        try connection.setSavepoint(level == nil ? attempts.pace : .stepwise)
    }

    /// Prepares undo, history and freshness for the transaction; if it throws, the transaction is rolled back.
    private func didBegin(_ attempts: Attempts, _ level: TransactionLevel?, in outer: TransactionLevel?) throws {
        if outer == nil {
            try writing.undoHistory?.didBegin()
            try writing.historySigning.begin(self)
            memory.lookForCommits(isNewest: !writing.writesConcurrently)
        } else if level == nil, attempts.pace == .stepwise {
            // If the start of the enclosing transaction was deferred, earlier writes of other sessions must be known
            // now.
            try connection.confirmBeginning()
            memory.lookForCommits()
        }
    }

    private func end(_ level: TransactionLevel?, in outer: TransactionLevel?) throws {
        if outer != nil { return try connection.releaseSavepoint() }
        // If the store was closed during the transaction, no commit is expected any more.
        if level != nil { try gate.checkIsOpen() }
        try gate.limit?.check("before the commit")
        try writing.commit(of: self)
    }

    private func didEnd(_ level: TransactionLevel?, in outer: TransactionLevel?) {
        guard let level else {
            outer?.confirmSave()
            return memory.markStaleAfterTriggers()
        }
        writing.level = outer
        if let outer {
            outer.absorb(level)
            outer.dropUnseen()
        } else {
            store.classes.didCommit(level.preparations, self)
            news.recordCommit(of: level)
        }
    }

    /// - Returns: The error that also ended the enclosing transaction, such as a full disk; nil if it has not ended.
    private func rollBack<R>(in outer: TransactionLevel?, _ outcome: inout Result<R, any Error>) -> (any Error)? {
        guard outer != nil else {
            connection.rollback()
            return nil
        }
        connection.rollBackToSavepoint()
        guard !connection.isInTransaction else { return nil }
        let end = connection.endOfTransaction
        guard case .failure(let error) = outcome else {
            if let end { outcome = .failure(end) }
            return end
        }
        return end ?? error
    }
}
