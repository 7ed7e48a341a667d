internal import StoreEngine

// The additions of user transactions to the course of every write (`runAtomically`): a level, which restores memory,
// retries, and saving the edits of objects that end in them.
extension Session {
    /// Enters the session and runs a transaction, again and again as `attempts` says. Each run is a separate call.
    func runTransaction<R>(_ attempts: Attempts, keepingEdits: Bool = true, _ body: () throws -> R) throws -> R {
        var attempts = attempts
        while true {
            let result = try enter("transaction(retries:keepingEdits:timeout:_:)") {
                // A rollback has brought them back, where there was one.
                defer { if level == nil { memory.forgetEvicted() } }
                // Where it is rolled back there is something to tell too.
                defer { news.report() }
                return try attemptTransaction(&attempts, keepingEdits: keepingEdits, body)
            }
            if let result { return result }
        }
    }

    /// Runs a transaction once; the session is entered.
    ///
    /// - Returns: The result of `body`; nil if the transaction failed and is to be run again.
    func attemptTransaction<R>(
        _ attempts: inout Attempts, keepingEdits: Bool = true, _ body: () throws -> R
    ) throws -> R? {
        try news.checkRounds()
        try readTransaction.checkIsNotUnderWay()
        try self.level?.checkIsOpen()
        // A rollback restores what is edited now.
        let level = try makeLevel(in: self.level, keepingEdits)
        let isOutermost = level.parent == nil
        if isOutermost {
            try writing.checkOnlyStoreInTransaction()
            try writing.takeTurn(for: self)
        }
        var isRestored = false
        defer {
            if isOutermost { writing.leaveTurn(of: self) }
            // It makes tables, and takes the turn for that itself.
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
            guard isOutermost, isRestored, attempts.goOn(after: error, level, self) else { throw error }
            // Because the transaction goes on, no object hears of this rollback.
            news.dropRollbacks()
            return nil
        }
    }

    /// Runs the body of an outermost transaction, and saves the edits of objects that have ended in it.
    private func runBody<R>(
        _ level: TransactionLevel, _ former: [PersistentObject], _ body: () throws -> R
    ) throws -> R {
        if !former.isEmpty {
            // From here on no other session can change them without a conflict.
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

    /// After a rollback: recreates the tables that it has removed, because all sessions rely on them, and calls the
    /// `didRollback` methods of an inner transaction. Those of an outermost one are called when the call ends.
    private func didRestore(_ level: TransactionLevel) {
        let isOutermost = level.parent == nil
        let lost = level.preparations
        if !lost.isEmpty {
            store.classes.forget(lost, self)
            // A migration step that fails ends the session, and leaves the file as it was. In other cases, if a table
            // cannot be made, the next use of its class throws.
            if !isOutermost || writing.migration == nil { for map in lost { try? prepareTable(of: map) } }
        }
        if !isOutermost { news.reportRollbacks() }
    }

    /// Looks for what has unsaved edits, which can run the user's `encode(to:)`.
    private func makeLevel(in parent: TransactionLevel?, _ keepsEdits: Bool) throws -> TransactionLevel {
        guard keepsEdits else {
            return TransactionLevel(in: parent, edited: [], memory.pendingEdits.all, savedBefore: writing.lastSave)
        }
        let edited = try writing.saving {
            classes.allIdentities.flatMap { identity in
                identity.possiblyChangedObjects().compactMap { object in
                    let edits = identity.changes(of: object)
                    return edits.isEmpty ? nil : (object: object, map: identity.classMap, places: edits)
                }
            }
        }
        return TransactionLevel(in: parent, edited: edited, memory.pendingEdits.all, savedBefore: writing.lastSave)
    }
}
