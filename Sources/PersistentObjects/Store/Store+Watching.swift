internal import StoreEngine

// Connections that report their statements.
extension Store {
    /// A connection for a session, which reports its statements if the configuration requests it.
    ///
    /// - Parameter token: The last write that the session's queries must see.
    func takeWatchedConnection(after token: WriteToken? = nil) throws -> any Connection {
        let connection = try takeConnection()
        do throws(StoreError) { try connection.startWork(after: token) } catch {
            give(back: connection)
            throw error
        }
        guard let statementSink else { return connection }
        let watched = WatchedConnection(connection)
        watched.watcher = StatementWatch(statementSink) { [weak self] sql in
            guard let self else {
                throw StoreError(.sessionEnded, "The store in which the statement ran no longer exists")
            }
            return try self.plan(of: SQL(RawSQL(sql)))
        }
        return watched
    }

    /// The plan of a statement: a line for each step.
    private func plan(of sql: SQL) throws -> String {
        let connection = try takeConnection()
        defer { give(back: connection) }
        try connection.require(.explanation)
        let statement = try connection.prepare(connection.dialect.explanation(sql))
        defer { statement.finish() }
        return try statement.planSteps().map { String(repeating: "  ", count: $0.depth - 1) + $0.text }
            .joined(separator: "\n")
    }
}
