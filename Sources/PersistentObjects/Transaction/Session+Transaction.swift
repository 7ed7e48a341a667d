// Transaction: `transaction { }`, from its beginning to its commit or its rollback, nested ones too. It knows how to
// save what is left at its end and how to mend memory, and must not know what was done inside.

internal import StoreEngine

extension Session {
    /// Runs `body` in one transaction: all that it saves and deletes is written together, or nothing is.
    ///
    /// If it throws, the file and the objects go back to what they were at
    /// its start. Every object that was saved, inserted or deleted inside has
    /// its former values again, edits made inside included, its collections,
    /// references and inverses, and is new, saved or deleted as before. What
    /// it did not touch keeps its edits. Objects that were new go back to what
    /// they were at their first save in it.
    ///
    /// Transactions nest, to any depth; an inner one that throws takes back its
    /// own part only. In a file nobody else can write meanwhile, so keep them
    /// short. On a server others can, and each is as if it were alone; where
    /// that is not possible one of them fails with `busy`, or runs again where
    /// `retries` says so: see ``Store/Configuration/isolation``.
    ///
    /// ```swift
    /// try session.transaction {
    ///     from.balance -= 100
    ///     to.balance += 100
    ///     try session.save([from, to])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - retries: How often `body` is run again if it fails because others
    ///     have changed the same rows, or were writing for too long; the
    ///     objects that it saved are brought up to date before.
    ///   - keepingEdits: Whether unsaved edits from before the transaction are
    ///     there again if it is rolled back. For that all live objects are
    ///     looked at when it begins; with `false` it begins in the same time
    ///     however many there are, and objects that it saved or deleted go back
    ///     to what the file has. For imports, with many objects in memory. In
    ///     a transaction inside another it is about the inner one.
    ///   - timeout: A limit for the time of all of it, waiting for others and
    ///     further runs included; behind it the transaction is rolled back.
    ///     Nil, the default, for none. See `withTimeout(_:_:)`.
    ///   - body: What is done in the transaction.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, and `StoreError` if it cannot begin or
    ///   be committed: `busy`, `diskFull`, `brokenReference` and others.
    @discardableResult
    public func transaction<R>(
        retries: Int = 0, keepingEdits: Bool = true, timeout: Duration? = nil, _ body: () throws -> R
    ) throws -> R {
        let attempts = Attempts.transaction(retries: retries)
        guard let timeout else { return try runTransaction(attempts, keepingEdits: keepingEdits, body) }
        return try withTimeout(timeout) { try runTransaction(attempts, keepingEdits: keepingEdits, body) }
    }

    /// Runs a transaction of a product above the library, during which no other session writes on any engine.
    package func transactionAlone<R>(_ body: () throws -> R) throws -> R { try runTransaction(.alone, body) }

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
}

extension Store {
    /// Runs `body` in one transaction of the current session. See `Session.transaction(retries:keepingEdits:timeout:_:)`.
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
    public static func transaction<R>(
        retries: Int = 0, keepingEdits: Bool = true, timeout: Duration? = nil, _ body: () throws -> R
    ) throws -> R {
        try CurrentSession.session().transaction(
            retries: retries, keepingEdits: keepingEdits, timeout: timeout, body)
    }
}

extension BackgroundSession {
    /// Runs `body` in one transaction. See `Session.transaction(retries:keepingEdits:timeout:_:)`.
    @discardableResult
    public func transaction<R>(
        retries: Int = 0, keepingEdits: Bool = true, timeout: Duration? = nil, _ body: () throws -> R
    ) throws -> R {
        try box.session.transaction(retries: retries, keepingEdits: keepingEdits, timeout: timeout, body)
    }

    /// Has the innermost transaction under way rolled back when its closure ends. See `Session.rollBack()`.
    public func rollBack() { box.session.rollBack() }
}
