internal import StoreEngine

/// The state of the database that a session of a store has seen and written, for the choice between a server and its
/// replica.
///
/// Each query on the server reports the position of the log after the query. A query goes to the replica only if the
/// replica has reached the last reported position, so that a session never sees an earlier state than before.
final class PostgresProgress {
    private enum Seen {
        case nothing
        case position(WriteToken)
        /// Something whose position is unknown. The next query on the server reports a position after it.
        case unknown
    }

    /// The columns that report the position of the server that can be written.
    static let columns = "pg_current_wal_insert_lsn()::text, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)"

    let moments: PostgresMoments
    private var seen = Seen.nothing
    /// The position that the replica must have reached for the current query.
    private var required = WriteToken.unknown
    /// The position after the last commit.
    private(set) var lastCommit: WriteToken?
    /// Whether the replica has answered queries.
    private(set) var hasReadReplica = false
    /// Whether the replica was too old for the last query.
    private(set) var isBehind = false

    init(_ moments: PostgresMoments) { self.moments = moments }

    /// Starts over for another session of the store.
    func start(after token: WriteToken?) {
        seen = token.map { .position($0) } ?? .nothing
        lastCommit = nil
        hasReadReplica = false
    }

    // MARK: The server

    /// Records the position that a query on the server has reported.
    ///
    /// - Parameters:
    ///   - result: The result with `columns`.
    ///   - column: The first of these columns.
    ///   - start: A time before the query.
    func record(_ result: PostgresResult?, _ column: Int, since start: ContinuousClock.Instant) {
        guard let position = WriteToken(result, column) else { return becomeUnknown() }
        seen = .position(position)
        moments.record(position, at: start)
    }

    /// Called after something was read or written without a report.
    func becomeUnknown() { seen = .unknown }

    /// Records a commit, whose position was reported last.
    func recordCommit() { if case .position(let position) = seen { lastCommit = position } else { loseCommit() } }

    /// Records a commit whose position is unknown.
    func loseCommit() {
        seen = .unknown
        lastCommit = .unknown
    }

    /// Makes all sessions of the process see the state at the position that a result reports.
    func announce(_ result: PostgresResult?, _ column: Int) {
        if let position = WriteToken(result, column) { moments.announce(position) }
    }

    /// Makes all sessions of the process see the last commit.
    func announceCommit() { if let lastCommit { moments.announce(lastCommit) } }

    // MARK: The replica

    /// Determines the position that the replica must have reached; false if the query must go to the server.
    func prepareQuery() -> Bool {
        isBehind = false
        guard let least = moments.least else { return false }
        switch seen {
        case .unknown: return false
        case .nothing: required = least
        case .position(let position):
            // Positions of different logs cannot be compared.
            guard position.timeline == least.timeline else { return false }
            required = WriteToken(lsn: max(position.lsn, least.lsn), timeline: least.timeline)
        }
        return true
    }

    /// Queries the state of the replica. The state of a later statement is the same or a later one.
    ///
    /// The timeline is the lower bound that roles without privileges can read: a replica that has just followed another
    /// server may still report the earlier one, and is not used then.
    static let check = """
        SELECT pg_current_snapshot()::text, pg_last_wal_replay_lsn()::text, greatest((SELECT timeline_id FROM \
        pg_control_checkpoint()), (SELECT min_recovery_end_timeline FROM pg_control_recovery()))::text, \
        pg_is_in_recovery()::text
        """

    /// Checks the result of `check`.
    func confirm(_ result: PostgresResult?) throws(StoreError) {
        isBehind = true
        // A server that was promoted is not a replica any more, and its log is another one.
        guard let result, result.text(0, 3) == "true", let text = result.text(0, 1),
            let lsn = WriteToken.lsn(text), let timeline = result.text(0, 2).flatMap({ UInt32($0) }),
            timeline == required.timeline, lsn >= required.lsn
        else { throw StoreError(.busy, "The replica has not received all commits yet") }
        (isBehind, hasReadReplica) = (false, true)
    }
}

extension WriteToken {
    /// The position in two columns of a result.
    fileprivate init?(_ result: PostgresResult?, _ column: Int) {
        guard let result, let lsn = result.text(0, column).flatMap(WriteToken.lsn),
            let timeline = result.text(0, column + 1).flatMap({ UInt32($0, radix: 16) })
        else { return nil }
        self.init(lsn: lsn, timeline: timeline)
    }

    /// The position of the server's text `16/B374D848`.
    fileprivate static func lsn(_ text: String) -> UInt64? {
        let parts = text.split(separator: "/").map { UInt64($0, radix: 16) }
        guard parts.count == 2, let high = parts[0], let low = parts[1] else { return nil }
        return high << 32 | low
    }
}
