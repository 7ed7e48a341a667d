internal import StoreEngine

// The course of a transaction: the outermost one, and those inside of it, which are savepoints.
extension Session {
    func runTransaction<R>(canRetry: Bool, _ body: () throws -> R) throws -> R {
        guard let outer = level else { return try runOutermost(canRetry: canRetry, body) }
        try outer.checkIsOpen()
        let level = try makeLevel(in: outer)
        try connection.setSavepoint()
        self.level = level
        do {
            let result = try body()
            if let failure = level.failure { throw failure }
            if !level.rollsBack {
                try connection.releaseSavepoint()
                self.level = outer
                outer.absorb(level)
                return result
            }
            connection.rollBackToSavepoint()
            if let failure = connection.endOfTransaction { throw failure }
            didRollBack(level)
            prepareAgain(level.preparations)
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
            throw error
        }
    }

    private func runOutermost<R>(canRetry: Bool, _ body: () throws -> R) throws -> R {
        // 1. Remember what is edited, since a rollback gives that back.
        let level = try makeLevel(in: nil)
        // 2. Wait for the turn to write, and begin.
        try takeTurn()
        // Its tables are made again after the turn, which that takes for itself.
        var lost: [ClassMap] = []
        defer { prepareAgain(lost) }
        defer { store.writers.leave() }
        try beginWriting(.beginningLater)
        noteDataVersion()
        self.level = level
        do {
            try undoHistory?.didBegin()
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
            try checkIsOpen()
            try commit()
            // 5. Hand on what is to be told: the caller tells it.
            self.level = nil
            store.classes.didCommit(level.preparations, self)
            pending.add(level.log)
            closures += level.closures
            forgetSavedAdditions()
            return result
        } catch {
            connection.rollback()
            if (error as? StoreError)?.code == .diskFull { connection.makeRoom() }
            didRollBack(level)
            lost = level.preparations
            guard canRetry, let code = (error as? StoreError)?.code, code == .staleObject || code == .busy else {
                throw error
            }
            try refresh(level.images.map(\.object))
            throw TransactionRetry()
        }
    }

    /// Looks for what has unsaved edits, which can run the user's `encode(to:)`.
    private func makeLevel(in parent: TransactionLevel?) throws -> TransactionLevel {
        let edited = try saving {
            allIdentities.flatMap { identity in
                identity.possiblyChangedObjects().compactMap { object in
                    let edits = identity.changes(of: object)
                    return edits.isEmpty ? nil : (object: object, map: identity.classMap, places: edits)
                }
            }
        }
        return TransactionLevel(in: parent, edited: edited, pendingEdits.all)
    }
}

/// The transaction has failed in a way that another attempt may mend.
struct TransactionRetry: Error {}
