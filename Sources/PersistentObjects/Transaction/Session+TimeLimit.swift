internal import StoreEngine

extension Session {
    /// Runs `body` with a limit for the time of all that it does with the session: statements, and waiting for others who
    /// write.
    ///
    /// What is under way when the time is over ends, and all calls behind it
    /// throw, until `body` has ended; a transaction is rolled back. Inside of
    /// another limit the earlier one counts. What `body` does without the
    /// session takes its time. A commit that has begun is finished.
    ///
    /// ```swift
    /// try session.withTimeout(.seconds(1)) {
    ///     joe.age = 40
    ///     try joe.save()
    /// }
    /// ```
    ///
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; `StoreError` with the code `timedOut`,
    ///   which says what was being done.
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
