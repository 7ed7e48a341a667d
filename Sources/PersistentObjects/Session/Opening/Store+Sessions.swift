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
    /// `timeout` is a limit for the time of all that is done with the session;
    /// see `Session.withTimeout(_:_:)`.
    ///
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
    /// `timeout` is a limit for the time of all that is done with the session;
    /// what `body` awaits elsewhere is not ended by it.
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
        if let limit { session.gate.setLimit(limit) }
        return session
    }
}

extension Session {
    /// Opens a session of your own, which lives until it is closed, or its last reference and those of its objects' users
    /// are gone.
    ///
    /// For what lasts longer than a closure and belongs to one isolation
    /// domain: an actor that owns its objects, a window, a test. Calls on
    /// classes use it inside `use(_:)` only.
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

    /// Calls `body`, in which `Person.find…` and the like use this session.
    ///
    /// ```swift
    /// let count = try session.use { try Person.count() }
    /// ```
    public func use<R>(isolation: isolated (any Actor)? = #isolation, _ body: () throws -> R) rethrows -> R {
        try CurrentSession.with(self) { try body() }
    }

    /// Calls the asynchronous `body`, in which `Person.find…` and the like use this session.
    ///
    /// While it waits, other calls of its isolation may use the session too.
    public func use<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
    ) async rethrows -> R {
        try await CurrentSession.with(self, isolation: isolation) { try await body() }
    }

    /// Ends the session: its objects keep their values and cannot be saved any more; its connection is free for others.
    ///
    /// A session of `withSession` ends by itself. Edits that were not saved are
    /// lost, and reported where the configuration says so.
    ///
    /// ```swift
    /// session.close()
    /// ```
    public func close() { end(isHere: true) }
}
