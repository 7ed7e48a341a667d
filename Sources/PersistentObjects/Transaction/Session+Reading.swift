internal import StoreEngine

extension Session {
    /// Runs `body`, whose queries all see the database as it was at the start.
    ///
    /// Other sessions may write meanwhile. Objects that its queries and finds return are refreshed to that state; your
    /// edits are kept. Other objects that you hold stay as they were.
    ///
    /// ```swift
    /// let (total, largest) = try session.reading {
    ///     (try Person.count(), try Person.query.max(\.age))
    /// }
    /// ```
    ///
    /// Writing inside is not possible. Nested readings share one state, and a reading inside a `transaction { }` just
    /// runs, because a transaction sees one state anyway. Missing tables are created before the first read; after it, a
    /// class whose table has to be created is refused.
    ///
    /// With a write-ahead log, and on a server, readers and writers do not wait for each other. In memory, and with the
    /// journal `.rollback`, other sessions' commits wait for the end of `body`, for up to their `busyTimeout`. Keep
    /// `body` short with a log as well, because the log grows until `body` ends.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: The errors of `body`, and `StoreError`: with the code `misuse` for a call that would write inside.
    public func reading<R>(_ body: () throws -> R) throws -> R {
        try enter { try readTransaction.run(for: self, body) }
    }

    /// Runs `body` in one read transaction, for a product above the library that reads rows and creates no objects.
    package func inOneState<R>(_ body: () throws -> R) throws -> R {
        try readTransaction.inOneState(mayBeEarlier: false, body)
    }
}

extension Store {
    /// Runs `body`, whose queries see one state of the database, in the current session.
    ///
    /// The current session is that of the enclosing `withSession`, otherwise the default store's. See
    /// `Session.reading(_:)`.
    ///
    /// ```swift
    /// let shares = try Store.reading { Double(try Person.where { $0.age > 30 }.count()) / Double(try Person.count()) }
    /// ```
    public static func reading<R>(_ body: () throws -> R) throws -> R { try CurrentSession.session().reading(body) }
}

extension BackgroundSession {
    /// Runs `body`, whose queries see one state of the database. See `Session.reading(_:)`.
    public func reading<R>(_ body: () throws -> R) throws -> R { try box.session.reading(body) }
}
