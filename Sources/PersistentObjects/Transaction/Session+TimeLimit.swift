internal import StoreEngine

extension Session {
    /// Runs `body` with a limit on the time of its work with the session.
    ///
    /// The limit covers statements, and waiting for other writers. When the limit is reached, the running statement is
    /// interrupted and all further calls in `body` throw; a transaction is rolled back. If limits are nested, the
    /// earliest applies. Work of `body` without the session is not interrupted. A commit that has begun is finished.
    ///
    /// ```swift
    /// try session.withTimeout(.seconds(1)) {
    ///     joe.age = 40
    ///     try joe.save()
    /// }
    /// ```
    ///
    /// - Returns: The result of `body`.
    /// - Throws: The errors of `body`; `StoreError` with the code `timedOut`, which names the interrupted work.
    public func withTimeout<R>(_ timeout: Duration, _ body: () throws -> R) throws -> R {
        let new = TimeLimit(timeout)
        return try enter {
            let former = gate.limit
            gate.setLimit(new.earlier(former))
            defer { gate.setLimit(former) }
            return try CurrentSession.with(self, body)
        }
    }
}

extension BackgroundSession {
    /// Runs `body` with a limit for its time. See `Session.withTimeout(_:_:)`.
    public func withTimeout<R>(_ timeout: Duration, _ body: () throws -> R) throws -> R {
        try box.session.withTimeout(timeout, body)
    }
}
