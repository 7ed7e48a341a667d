// What tests ask of the statements that a session runs.
extension Session {
    /// A listener that is notified of each statement.
    package final class StatementListener {
        let tell: (String) -> Void

        /// - Parameter tell: Is called with the text; values are not in it.
        package init(_ tell: @escaping (String) -> Void) { self.tell = tell }
    }

    /// Tells a listener of each statement that begins to run, until it is removed or the session ends.
    ///
    /// Sessions of tasks that share a connection hear each other's.
    ///
    /// - Throws: `StoreError` where the session has ended or is in use on another thread.
    package func add(_ listener: StatementListener) throws {
        try enter { gate.add(listener) }
    }

    /// Tells a listener nothing more.
    package func remove(_ listener: StatementListener) {
        // A session that has ended has no listeners; one that is in use elsewhere keeps notifying a listener without
        // effect.
        try? enter { gate.remove(listener) }
    }

    /// The session that calls on a class use here; see ``Store/withSession(timeout:isolation:_:)-(Session->R)``.
    package static func current(for type: PersistentObject.Type) throws -> Session {
        try CurrentSession.session(for: type)
    }

    /// How many statements have begun and not finished: none between two calls.
    package var busyStatementCount: Int { connection.busyStatementCount }

    /// Whether a transaction is open in the file, the user's or a save's.
    package var isInFileTransaction: Bool { connection.isInTransaction }
}
