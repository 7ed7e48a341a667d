public import StoreEngine

extension Store {
    /// Calls `body` with a new session, which `Person.find…` and similar calls inside use.
    ///
    /// The session ends with `body`. Its objects keep their values, except the values of inverses, and can no longer be
    /// saved.
    ///
    /// ```swift
    /// let count = try store.withSession { session in try Person.count() }
    /// ```
    ///
    /// `timeout` limits the total time of the work with the session; see `Session.withTimeout(_:_:)`. `token` is the
    /// last write of another session, which the new session's queries see even if they go to a replica.
    ///
    /// - Throws: The errors of `body`; `StoreError` if the store cannot be opened, and with the code `timedOut` after
    ///   the limit.
    public func withSession<R>(
        after token: WriteToken? = nil, timeout: Duration? = nil, isolation: isolated (any Actor)? = #isolation,
        _ body: (Session) throws -> R
    ) throws -> R {
        let session = try limitedSession(timeout.map { TimeLimit($0) }, after: token)
        defer { session.end(isHere: true) }
        return try CurrentSession.with(session) { try body(session) }
    }

    /// Calls the asynchronous `body` with a new session, which `Person.find…` and similar calls inside use.
    ///
    /// `timeout` limits the total time of the work with the session; other work that `body` awaits is not interrupted.
    /// `token` is the last write of another session, which the new session's queries see even if they go to a replica.
    ///
    /// On a server, it holds one of the slots of `perform`, for which it waits in order, and code outside actors runs
    /// on the store's threads, so that no thread that all tasks share waits for the server.
    public func withSession<R>(
        after token: WriteToken? = nil, timeout: Duration? = nil, isolation: isolated (any Actor)? = #isolation,
        _ body: (Session) async throws -> R
    ) async throws -> R {
        let limit = timeout.map { TimeLimit($0) }
        guard engine.isServer else { return try await runSession(limit, after: token, isolation: isolation, body) }
        return try await holdingPlace(limit, isolation: isolation) { _ in
            try await withTaskExecutorPreference(executor, isolation: isolation) {
                try await runSession(limit, after: token, isolation: isolation, body)
            }
        }
    }

    private func runSession<R>(
        _ limit: TimeLimit?, after token: WriteToken?, isolation: isolated (any Actor)?,
        _ body: (Session) async throws -> R
    ) async throws -> R {
        let session = try limitedSession(limit, after: token)
        defer { session.end(isHere: true) }
        return try await CurrentSession.with(session, isolation: isolation) { try await body(session) }
    }

    private func limitedSession(_ limit: TimeLimit?, after token: WriteToken?) throws -> Session {
        let session = try Session(self, on: nil, after: token)
        if let limit { session.gate.setLimit(limit) }
        return session
    }
}

extension Session {
    /// Opens a session that lives until it is closed or its last reference is released.
    ///
    /// Use it for work that lasts longer than a closure and belongs to one isolation domain: an actor that owns its
    /// objects, a window, a test. Calls on classes use it only inside `use(_:)`.
    ///
    /// ```swift
    /// actor Importer {
    ///     private let session: Session
    ///     init(_ store: Store) throws { session = try Session(store) }
    ///
    ///     func add(_ name: String) throws {
    ///         try session.use {
    ///             let person = Person()
    ///             person.lastName = name
    ///             try person.save()
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: `StoreError` if the store was closed or its file cannot be opened.
    public convenience init(_ store: Store) throws { try self.init(store, on: nil) }

    /// Calls `body`, in which `Person.find…` and similar calls use this session.
    ///
    /// ```swift
    /// let count = try session.use { try Person.count() }
    /// ```
    public func use<R>(isolation: isolated (any Actor)? = #isolation, _ body: () throws -> R) rethrows -> R {
        try CurrentSession.with(self) { try body() }
    }

    /// Calls the asynchronous `body`, in which `Person.find…` and similar calls use this session.
    ///
    /// While it is suspended, other calls of its isolation may use the session too.
    public func use<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
    ) async rethrows -> R {
        try await CurrentSession.with(self, isolation: isolation) { try await body() }
    }

    /// Ends the session; its objects keep their values and can no longer be saved.
    ///
    /// Its connection becomes available to other sessions. A session of `withSession` ends by itself. Unsaved edits are
    /// lost, and are reported if the configuration specifies it.
    ///
    /// ```swift
    /// session.close()
    /// ```
    public func close() { end(isHere: true) }
}
