internal import StoreEngine

// The state of the database that a query or a transaction sees.
extension PostgresSession {
    /// Records the database's state before a query outside transactions.
    ///
    /// - Throws: `StoreError` if it is a replica that has not reached the required state.
    func see(_ state: PostgresResult?) throws(StoreError) {
        if isReplica, let progress {
            snapshots.record(state, at: try progress.confirm(state))
        } else {
            snapshots.record(state)
        }
    }

    /// Queries the database's state at the start or end of a transaction.
    var stateQuery: String { progress == nil ? PostgresSnapshots.query : PostgresSnapshots.queryWithPosition }

    /// The statement that begins a transaction that only reads.
    static let beginningToRead = ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"]

    /// Records the database's state at the start of a transaction.
    func recordBeginning(
        _ results: ArraySlice<PostgresResult>, since start: ContinuousClock.Instant
    ) throws(StoreError) {
        guard let state = results.last else { return }
        if isReplica, let progress {
            snapshots.recordBeginning(state, at: try progress.confirm(results[1]))
        } else {
            snapshots.recordBeginning(state)
            progress?.record(state, 1, since: start)
        }
        isBeginning = false
    }
}
