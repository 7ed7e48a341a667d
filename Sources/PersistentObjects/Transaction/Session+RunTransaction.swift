internal import StoreEngine

// User transactions add three steps to every write (`runAtomically`): a level that restores memory, retries, and saving
// the edits of objects that were released in the transaction.
extension Session {
    /// Enters the session and runs a transaction as often as `attempts` allows. Each run is a separate call.
    func runTransaction<R>(_ attempts: Attempts, keepingEdits: Bool = true, _ body: () throws -> R) throws -> R {
        var attempts = attempts
        while true {
            let result = try enter("transaction(retries:keepingEdits:timeout:_:)") {
                // Evicted objects are not needed after the transaction, because a rollback has restored them.
                defer { if level == nil { memory.forgetEvicted() } }
                // A rollback is reported as well.
                defer { news.report() }
                return try attemptTransaction(&attempts, keepingEdits: keepingEdits, body)
            }
            if let result { return result }
        }
    }

    /// Runs a transaction once; the session is entered.
    ///
    /// - Returns: The result of `body`; nil if the transaction failed and must run again.
    func attemptTransaction<R>(
        _ attempts: inout Attempts, keepingEdits: Bool = true, _ body: () throws -> R
    ) throws -> R? {
        try news.checkRounds()
        try readTransaction.checkIsNotUnderWay()
        try self.level?.checkIsOpen()
        // A rollback restores the edits that exist now.
        let level = try makeLevel(in: self.level, keepingEdits)
        let isOutermost = level.parent == nil
        if isOutermost {
            try writing.checkOnlyStoreInTransaction()
            try writing.takeTurn(for: self)
        }
        var isRestored = false
        defer {
            if isOutermost { writing.leaveTurn(of: self) }
            // This creates tables, and takes the turn for that itself.
            if isRestored { didRestore(level) }
        }
        do {
            let former = attempts.objects
            let result = try runAtomically(attempts, level) {
                try isOutermost ? runBody(level, former, body) : body()
            } restore: { level in
                Restoration(self, level).run()
                isRestored = true
            }
            if isOutermost, !isRestored { memory.forgetSavedAdditions() }
            return result
        } catch {
            guard isOutermost, attempts.retry(after: error, isRestored ? level : nil, self) else { throw error }
            // Objects are not notified of this rollback, because the transaction runs again.
            news.dropRollbacks()
            return nil
        }
    }

    /// Runs the body of an outermost transaction, and saves the edits of objects that were released in it.
    private func runBody<R>(
        _ level: TransactionLevel, _ former: [PersistentObject], _ body: () throws -> R
    ) throws -> R {
        if !former.isEmpty {
            // From here on no other session can change these objects' rows without a conflict.
            try connection.confirmBeginning()
            memory.lookForCommits()
            try Fetch(self).reread(former)
        }
        return try CurrentSession.with(self) {
            let result = try body()
            if level.failure == nil, !level.rollsBack { try savePendingEdits() }
            return result
        }
    }

    /// Recreates the tables that a rollback removed, because all sessions rely on them, and calls the `didRollback`
    /// methods for an inner transaction. For an outermost transaction, they are called when the call ends.
    private func didRestore(_ level: TransactionLevel) {
        let isOutermost = level.parent == nil
        let lost = level.preparations
        if !lost.isEmpty {
            store.classes.forget(lost, self)
            // After a failed migration step no tables are recreated, because the session ends and the file stays as it
            // was. Otherwise, if a table cannot be created, the next use of its class throws.
            if !isOutermost || writing.migration == nil { for map in lost { try? prepareTable(of: map) } }
        }
        if !isOutermost { news.reportRollbacks() }
    }

    /// Creates a level that records the unsaved edits. Finding them can run the user's `encode(to:)`.
    private func makeLevel(in parent: TransactionLevel?, _ keepsEdits: Bool) throws -> TransactionLevel {
        guard keepsEdits else {
            return TransactionLevel(in: parent, edited: [], memory.pendingEdits.all, savedBefore: writing.lastSave)
        }
        let edited = try writing.saving {
            classes.allIdentities.flatMap { identity in
                identity.possiblyChangedObjects().compactMap { object in
                    let edits = identity.changes(of: object)
                    return edits.isEmpty ? nil : (object: object, map: identity.classMap, ordinals: edits)
                }
            }
        }
        return TransactionLevel(in: parent, edited: edited, memory.pendingEdits.all, savedBefore: writing.lastSave)
    }
}
