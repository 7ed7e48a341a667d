// Replicas: the defaults for connections that have none.
extension Connection {
    /// Returns a prepared statement.
    package func uncachedStatement(_ sql: SQL) throws(StoreError) -> Statement { try prepare(sql) }
    /// Opens the transaction on the only server.
    package func beginReading(mayBeEarlier: Bool) throws(StoreError) { try beginReading() }
    /// Nil, because all queries see all commits.
    package var lastCommit: WriteToken? { nil }
    /// Does nothing, because all queries see all commits.
    package func startWork(after token: WriteToken?) throws(StoreError) {}
}
