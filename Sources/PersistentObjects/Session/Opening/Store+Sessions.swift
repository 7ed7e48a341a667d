internal import StoreEngine

extension Store {
    /// Calls `body` with a new session; inside, `Person.find…` and the like use it.
    ///
    /// The session ends with `body`; its objects keep their values, except for
    /// those of inverses, and can no longer be saved.
    ///
    /// ```swift
    /// let count = try store.withSession { session in try Person.count() }
    /// ```
    ///
    /// - Parameters:
    ///   - timeout: A limit for the time of all that is done with the session; see `Session.withTimeout(_:_:)`. Nil, the
    ///     default, for none.
    ///   - body: What is done.
    /// - Throws: what `body` throws; `StoreError` if the store cannot be opened, and with the code `timedOut` behind the
    ///   limit.
    public func withSession<R>(
        timeout: Duration? = nil, isolation: isolated (any Actor)? = #isolation, _ body: (Session) throws -> R
    ) throws -> R {
        let session = try limitedSession(timeout)
        defer { session.end(isHere: true) }
        return try CurrentSession.with(session) { try body(session) }
    }

    /// Calls the asynchronous `body` with a new session; inside, `Person.find…` and the like use it.
    ///
    /// - Parameters:
    ///   - timeout: A limit for the time of all that is done with the session; what `body` awaits elsewhere is not ended
    ///     by it.
    ///   - body: What is done.
    public func withSession<R>(
        timeout: Duration? = nil, isolation: isolated (any Actor)? = #isolation, _ body: (Session) async throws -> R
    ) async throws -> R {
        let session = try limitedSession(timeout)
        defer { session.end(isHere: true) }
        return try await CurrentSession.with(session, isolation: isolation) { try await body(session) }
    }

    private func limitedSession(_ timeout: Duration?) throws -> Session {
        let limit = timeout.map { TimeLimit($0) }
        let session = try Session(self)
        if let limit { session.setLimit(limit) }
        return session
    }
}
