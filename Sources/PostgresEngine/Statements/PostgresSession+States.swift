internal import StoreEngine

// The state of the database that a query or a transaction sees.
extension PostgresSession {
    /// Records the database's state before a query outside transactions.
    ///
    /// - Throws: `StoreError` if it is a replica that has not reached the required state.
    func see(_ state: PostgresResult?) throws(StoreError) {
        if isReplica { try progress?.confirm(state) }
        snapshots.record(state)
    }

    /// Queries the database's state at the start or end of a transaction.
    var stateQuery: String {
        isReplica || progress == nil ? PostgresSnapshots.query : PostgresSnapshots.queryWithPosition
    }

    /// Queries the database's state before other rows are read outside transactions.
    var checkQuery: String { isReplica && progress != nil ? PostgresProgress.check : PostgresSnapshots.query }

    /// The statements that begin a transaction that only reads, and query the database's state.
    ///
    /// On a replica, its position is queried before the transaction, whose state must not be older than the position.
    var beginningToRead: [String] {
        (isReplica ? ["BEGIN READ ONLY", checkQuery, "COMMIT"] : [])
            + ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", stateQuery]
    }

    /// Records the database's state at the start of a transaction.
    func recordBeginning(
        _ results: ArraySlice<PostgresResult>, since start: ContinuousClock.Instant
    ) throws(StoreError) {
        guard let state = results.last else { return }
        // See `beginningToRead`.
        let check = isReplica ? results[1] : nil
        if let check { try progress?.confirm(check) }
        snapshots.recordBeginning(state, after: check)
        if !isReplica { progress?.record(state, PostgresSnapshots.positionColumn, since: start) }
        isBeginning = false
    }
}
