// Transaction: `transaction { }`, from its beginning to its commit or its rollback, nested ones too. It knows how to
// save what is left at its end and how to mend memory, and must not know what was done inside.

internal import StoreEngine

extension Session {
    /// Runs `body` in one transaction: all that it saves and deletes is written together, or nothing is.
    ///
    /// Where it throws, the file and the objects go back to what they were at
    /// its start. Every object that was saved, inserted or deleted inside has
    /// its former values again, edits made inside included, its collections,
    /// references and inverses, and is new, saved or deleted as before. What
    /// it did not touch keeps its edits. Objects that were new go back to what
    /// they were at their first save in it.
    ///
    /// Transactions nest, to any depth; an inner one that throws takes back its
    /// own part only. Nobody else can write meanwhile, so be short.
    ///
    /// ```swift
    /// try session.transaction {
    ///     from.balance -= 100
    ///     to.balance += 100
    ///     try session.save([from, to])
    /// }
    /// ```
    ///
    /// - Parameter retries: How often it is run again where it fails because
    ///   others have changed the same rows, or were writing for too long; the
    ///   objects that it saved are brought up to date before.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, and `StoreError` where it cannot begin or
    ///   be committed: `busy`, `diskFull`, `brokenReference` and others.
    @discardableResult
    public func transaction<R>(retries: Int = 0, _ body: () throws -> R) throws -> R {
        var left = retries
        while true {
            do {
                return try enter {
                    let result = try runTransaction(canRetry: left > 0, body)
                    tellChanges()
                    return result
                }
            } catch is TransactionRetry { left -= 1 }
        }
    }

    /// Has the innermost transaction under way rolled back when its closure ends, without an error.
    ///
    /// What the closure returns is returned all the same.
    ///
    /// ```swift
    /// let cost = try session.transaction {
    ///     try person.delete()
    ///     session.rollBack()
    ///     return try Person.count()
    /// }
    /// ```
    ///
    /// Without a transaction it does nothing.
    public func rollBack() { level?.rollsBack = true }

    /// Whether a transaction is under way.
    public var isInTransaction: Bool { level != nil }

    private func runTransaction<R>(canRetry: Bool, _ body: () throws -> R) throws -> R {
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
            didRollBack(level)
            prepareAgain(level.preparations)
            return result
        } catch {
            connection.rollBackToSavepoint()
            if !connection.isInTransaction { level.fail(error) }
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
        let level = try makeLevel(in: nil)
        try takeTurn()
        // Its tables are made again after the turn, which that takes for itself.
        var lost: [ClassMap] = []
        defer { prepareAgain(lost) }
        defer { store.writers.leave() }
        try beginWriting()
        noteDataVersion()
        self.level = level
        do {
            try undoHistory?.didBegin()
            let result = try CurrentSession.with(self) {
                let result = try body()
                if level.failure == nil, !level.rollsBack { try savePendingEdits() }
                return result
            }
            if let failure = level.failure { throw failure }
            guard !level.rollsBack else {
                connection.rollback()
                didRollBack(level)
                lost = level.preparations
                return result
            }
            // Closed meanwhile; whoever closes does not expect a commit any more.
            try checkIsOpen()
            try commit()
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

    /// After the rollback of the database.
    private func didRollBack(_ level: TransactionLevel) {
        self.level = level.parent
        inverses.held.isPaused = true
        defer { inverses.held.isPaused = false }
        if level.hasWrittenItself { noteAllStale() }
        func mend() {
            func find(_ type: PersistentObject.Type, _ id: Int64) -> PersistentObject? {
                try? self.find(self.space(of: type), id)
            }
            level.restore(find)
            // What was read meanwhile may be of rows that there never were. Where they cannot be read now, the next
            // query reads them, or says why not.
            var misread = level.misread
            guard !misread.isEmpty else { return }
            // Edits go on top of it: nobody else has changed it. Where somebody has, a save still has to look.
            let place = misread.partition(by: isConflicted)
            try? refresh(Array(misread[..<place]), .rebase)
            try? refresh(Array(misread[place...]))
            level.restoreEdits(of: misread)
        }
        // In a task that was cancelled too.
        connection.uninterrupted {
            guard let parent = level.parent else { return mend() }
            parent.whileMending(mend)
            parent.didRollBack(level)
        }
        restorePendingEdits(level.pendingEdits)
    }

    /// Whether an object was last met with edits of what others have changed too, however long ago.
    private func isConflicted(_ object: PersistentObject) -> Bool { (object.freshness ^ conflictEpoch) >> 31 == 0 }

    /// After a rollback: tables that it has taken away are made again, since all sessions count on them.
    private func prepareAgain(_ maps: [ClassMap]) {
        guard !maps.isEmpty else { return }
        store.classes.forget(maps, self)
        // Where that fails the next use of the class says so.
        for map in maps { try? prepareTable(of: map) }
    }
}

/// The transaction has failed in a way that another attempt may mend.
private struct TransactionRetry: Error {}

extension Store {
    /// Runs `body` in one transaction of the current session. See `Session.transaction(retries:_:)`.
    ///
    /// The current session is that of `withSession`, else the default store's.
    ///
    /// ```swift
    /// try Store.transaction {
    ///     try joe.save()
    ///     try acme.delete()
    /// }
    /// ```
    @discardableResult
    public static func transaction<R>(retries: Int = 0, _ body: () throws -> R) throws -> R {
        try CurrentSession.session().transaction(retries: retries, body)
    }
}

extension BackgroundSession {
    /// Runs `body` in one transaction. See `Session.transaction(retries:_:)`.
    @discardableResult
    public func transaction<R>(retries: Int = 0, _ body: () throws -> R) throws -> R {
        try box.session.transaction(retries: retries, body)
    }

    /// Has the innermost transaction under way rolled back when its closure ends. See `Session.rollBack()`.
    public func rollBack() { box.session.rollBack() }
}
