internal import StoreEngine

// The course of a transaction: the outermost one, and those inside of it, which are savepoints.
extension Session {
    /// - Parameter attempt: Where it can be run again, what is known of the one before.
    func runTransaction<R>(
        _ attempt: TransactionAttempt? = nil, keepingEdits: Bool = true, alone: Bool = false, _ body: () throws -> R
    ) throws -> R {
        try news.checkRounds()
        guard let outer = level else { return try runOutermost(attempt, keepingEdits, alone: alone, body) }
        try outer.checkIsOpen()
        let level = try makeLevel(in: outer, keepingEdits)
        try connection.setSavepoint()
        self.level = level
        do {
            let result = try body()
            if let failure = level.failure { throw failure }
            if !level.rollsBack {
                try connection.releaseSavepoint()
                self.level = outer
                outer.absorb(level)
                outer.dropUnseen()
                return result
            }
            connection.rollBackToSavepoint()
            if let failure = connection.endOfTransaction { throw failure }
            didRollBack(level)
            prepareAgain(level.preparations)
            news.reportRollbacks()
            return result
        } catch {
            connection.rollBackToSavepoint()
            if !connection.isInTransaction { level.fail(connection.endOfTransaction ?? error) }
            guard level.failure == nil else {
                // The file is at the start of all already: memory goes there in one step too, when all has ended.
                self.level = outer
                outer.absorb(level)
                throw error
            }
            didRollBack(level)
            prepareAgain(level.preparations)
            news.reportRollbacks()
            throw error
        }
    }

    private func runOutermost<R>(
        _ attempt: TransactionAttempt?, _ keepsEdits: Bool, alone: Bool, _ body: () throws -> R
    ) throws -> R {
        try checkIsNotReading()
        // 1. Remember what is edited, since a rollback gives that back.
        let level = try makeLevel(in: nil, keepsEdits)
        // 2. Wait for the turn to write, and begin.
        try checkOnlyStoreInTransaction()
        try takeTurn()
        // Its tables are made again after the turn, which that takes for itself. After a migration step, which ends the
        // session and leaves the file as it was, they are not.
        var lost: [ClassMap] = []
        defer { if migration == nil { prepareAgain(lost) } else { store.classes.forget(lost, self) } }
        defer { leaveTurn() }
        try beginWriting(.beginningLater, alone: alone || attempt?.isLast == true)
        memory.lookForCommits(isNewest: !writesBesideOthers)
        self.level = level
        do {
            try undoHistory?.didBegin()
            try noteEntries()
            if let attempt { try bringUpToDate(attempt.objects) }
            // 3. Run the body, and save the edits of objects that have ended in it.
            let result = try CurrentSession.with(self) {
                let result = try body()
                if level.failure == nil, !level.rollsBack { try savePendingEdits() }
                return result
            }
            if let failure = level.failure { throw failure }
            guard !level.rollsBack else {
                // 4. Where it is not to be: file and memory go back.
                connection.rollback()
                didRollBack(level)
                lost = level.preparations
                return result
            }
            // 4. Commit. If the store was closed meanwhile: whoever closes it does not expect a commit any more.
            try gate.checkIsOpen()
            try gate.limit?.check("before the commit")
            try commit()
            // 5. Hand on what is to be reported: the caller reports it.
            self.level = nil
            store.classes.didCommit(level.preparations, self)
            news.recordCommit(of: level)
            memory.forgetSavedAdditions()
            return result
        } catch {
            connection.rollback()
            if (error as? StoreError)?.code == .diskFull { connection.makeRoom() }
            didRollBack(level)
            lost = level.preparations
            guard let attempt, attempt.isWorthRepeating(error) else { throw error }
            if attempt.isOfCall {
                memory.markAllStale()
            } else if !level.images.isEmpty {
                // One that did not come as far as to save has the same to bring up to date as the one before.
                attempt.objects = level.images.map(\.object)
            }
            // It goes on.
            news.dropRollbacks()
            throw TransactionRetry()
        }
    }

    /// Reads objects again once nobody can change them any more, or whoever does is met.
    private func bringUpToDate(_ objects: [PersistentObject]) throws {
        guard !objects.isEmpty else { return }
        try connection.confirmBeginning()
        memory.lookForCommits()
        try refresh(objects)
    }

    /// Looks for what has unsaved edits, which can run the user's `encode(to:)`.
    private func makeLevel(in parent: TransactionLevel?, _ keepsEdits: Bool) throws -> TransactionLevel {
        guard keepsEdits else {
            return TransactionLevel(in: parent, edited: [], memory.pendingEdits.all, savedBefore: lastSave)
        }
        let edited = try saving {
            classes.allIdentities.flatMap { identity in
                identity.possiblyChangedObjects().compactMap { object in
                    let edits = identity.changes(of: object)
                    return edits.isEmpty ? nil : (object: object, map: identity.classMap, places: edits)
                }
            }
        }
        return TransactionLevel(in: parent, edited: edited, memory.pendingEdits.all, savedBefore: lastSave)
    }
}

/// The transaction has failed in a way that another attempt may mend.
struct TransactionRetry: Error {}

/// One of the attempts of a transaction.
final class TransactionAttempt {
    /// How many are left after this one.
    private(set) var left: Int
    /// What the one before has saved.
    var objects: [PersistentObject] = []
    /// Whether it is the last of several: nobody else writes meanwhile, so that it meets nobody.
    private(set) var isLast = false

    /// Whether it is a call of the library's own, which is run again where it has met others, and for nothing else.
    let isOfCall: Bool

    /// The first, of which there is one more than it may be run again; nil where it may not.
    init?(retries: Int, isOfCall: Bool = false) {
        guard retries > 0 else { return nil }
        left = retries
        self.isOfCall = isOfCall
    }

    /// Whether another attempt may mend what this one has failed of.
    func isWorthRepeating(_ error: any Error) -> Bool {
        guard !isLast, let error = error as? StoreError else { return false }
        if isOfCall { return error.repetition == .again }
        return error.code == .staleObject || error.code == .busy
    }

    /// Goes on to the next.
    func repeatOnce() {
        left -= 1
        isLast = left == 0
    }
}
