// Statistics of a session's statements, for tests.
extension Session {
    /// A listener that is notified of each statement.
    package final class StatementListener {
        let report: (String) -> Void

        /// - Parameter tell: Receives the text of each statement, without values.
        package init(_ report: @escaping (String) -> Void) { self.report = report }
    }

    /// Notifies a listener of each statement that begins to run, until it is removed or the session ends.
    ///
    /// If tasks' sessions share a connection, their listeners receive the statements of all of them.
    ///
    /// - Throws: `StoreError` if the session has ended or is in use on another thread.
    package func add(_ listener: StatementListener) throws {
        try enter { gate.add(listener) }
    }

    /// Removes a listener.
    package func remove(_ listener: StatementListener) {
        // A session that has ended has no listeners. If the session is in use on another thread, the listener stays and
        // has no effect.
        try? enter { gate.remove(listener) }
    }

    /// The session that calls on a class use here; see ``Store/withSession(after:timeout:isolation:_:)-(Session->R)``.
    package static func current(for type: PersistentObject.Type) throws -> Session {
        try CurrentSession.session(for: type)
    }

    /// The number of statements that have begun and not finished; 0 between two calls.
    package var busyStatementCount: Int { connection.busyStatementCount }

    /// Whether a transaction is open in the file, the user's or a save's.
    package var isInFileTransaction: Bool { connection.isInTransaction }
}
