// Transaction: `transaction { }`, from its start to its commit or rollback, including nested transactions. It saves the
// remaining edits at the end and restores memory, and must not depend on the work inside.

internal import StoreEngine

extension Session {
    /// Runs `body` in one transaction: all its saves and deletions are written together, or none is.
    ///
    /// If it throws, the file and the objects are restored to their state at its start. Every object that was saved,
    /// inserted or deleted inside gets its former values back, including its collections, references and inverses;
    /// edits made inside are undone too, and the object is new, saved or deleted as before. Objects that the
    /// transaction did not touch keep their edits. Objects that were new are restored to their state at their first
    /// save in it.
    ///
    /// Transactions nest, to any depth; an inner transaction that throws undoes its own part only. In a file no other
    /// session can write meanwhile, so keep transactions short. On a server other sessions can, and transactions are
    /// serializable; if that is not possible, one of them fails with `busy`, or runs again if `retries` allows it: see
    /// ``Store/Configuration/isolation``.
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
    ///   - retries: The number of times that `body` is run again if it fails because other sessions changed the same
    ///     rows, or were writing for too long; the objects that it saved are refreshed first. On a server, it is also
    ///     run again if the connection was lost before the commit, once the server accepts connections again.
    ///   - keepingEdits: Whether unsaved edits from before the transaction are restored if it is rolled back. This
    ///     checks all live objects at the start; with `false` the start takes constant time, and objects that the
    ///     transaction saved or deleted get the values of the file. Use `false` for imports, with many objects in
    ///     memory. For a nested transaction, it applies to the inner transaction.
    ///   - timeout: A limit for the total time, including waiting and further runs; after it the transaction is rolled
    ///     back. Nil, the default, for no limit. See `withTimeout(_:_:)`.
    ///   - body: The work of the transaction.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of `body`, and `StoreError` if the transaction cannot begin or be committed: `busy`,
    ///   `diskFull`, `brokenReference` and others.
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

    /// Rolls back the innermost current transaction when its closure ends, without an error.
    ///
    /// The result of the closure is still returned.
    ///
    /// ```swift
    /// let cost = try session.transaction {
    ///     try person.delete()
    ///     session.rollBack()
    ///     return try Person.count()
    /// }
    /// ```
    ///
    /// Outside a transaction it has no effect.
    public func rollBack() { level?.rollsBack = true }

    /// Whether a transaction is in progress.
    public var isInTransaction: Bool { level != nil }
}

extension Store {
    /// Runs `body` in one transaction of the current session.
    ///
    /// The current session is that of the enclosing `withSession`, otherwise the default store's. See
    /// `Session.transaction(retries:keepingEdits:timeout:_:)`.
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

    /// Rolls back the innermost current transaction when its closure ends. See `Session.rollBack()`.
    public func rollBack() { box.session.rollBack() }
}
