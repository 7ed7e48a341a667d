internal import StoreEngine

extension Session {
    /// Runs `body`, all of whose queries see one state of the database, that of its beginning; others may write meanwhile.
    ///
    /// Objects that its queries and finds meet are brought up to date to that
    /// state; your edits stay. Objects that you hold already and that it does
    /// not meet are as they were.
    ///
    /// ```swift
    /// let (total, largest) = try session.reading {
    ///     (try Person.count(), try Person.query.max(\.age))
    /// }
    /// ```
    ///
    /// Nothing can be written inside. Readings inside each other are one, and
    /// one inside a `transaction { }` just runs, since that sees one state
    /// anyway. Tables that are missing are made before it has read anything;
    /// afterwards a class whose table has to be made is refused.
    ///
    /// With a write-ahead log, and on a server, nobody waits for anybody. In
    /// memory, and with the journal `.rollback`, commits of others wait for
    /// the end of `body`, for as long as their `busyTimeout`. Keep it short
    /// with a log too: that cannot be emptied meanwhile, and grows.
    ///
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, and `StoreError`: with the code `misuse`
    ///   for what would write inside.
    public func reading<R>(_ body: () throws -> R) throws -> R {
        try enter { try readTransaction.run(for: self, body) }
    }

    /// Runs `body` in one read transaction, for a product above the library that reads rows and makes no objects.
    package func inOneState<R>(_ body: () throws -> R) throws -> R { try readTransaction.inOneState(body) }
}

extension Store {
    /// Runs `body`, whose queries see one state of the database, in the current session. See `Session.reading(_:)`.
    ///
    /// The current session is that of `withSession`, else the default store's.
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
