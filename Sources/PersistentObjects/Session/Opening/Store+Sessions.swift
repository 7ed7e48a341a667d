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
    public func withSession<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: (Session) throws -> R
    ) throws -> R {
        let session = try Session(self)
        defer { session.end(isHere: true) }
        return try CurrentSession.with(session) { try body(session) }
    }

    /// Calls the asynchronous `body` with a new session; inside, `Person.find…` and the like use it.
    public func withSession<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: (Session) async throws -> R
    ) async throws -> R {
        let session = try Session(self)
        defer { session.end(isHere: true) }
        return try await CurrentSession.with(session, isolation: isolation) { try await body(session) }
    }
}
