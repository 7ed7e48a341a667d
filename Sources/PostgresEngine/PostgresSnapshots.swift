internal import StoreEngine

/// Detects commits with the server's snapshots, which list the transactions in progress.
///
/// https://www.postgresql.org/docs/15/functions-info.html#FUNCTIONS-PG-SNAPSHOT
final class PostgresSnapshots {
    /// The snapshot, and the position of a replica's log, which is NULL on other servers.
    static let query = """
        SELECT pg_current_snapshot()::text, CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END
        """
    /// The snapshot, and the id of the connection's own transaction.
    static let queryWithOwn = "SELECT pg_current_snapshot()::text, pg_current_xact_id_if_assigned()::text AS po_own"
    /// The columns of `query`, and the position of a server that has a replica.
    static let queryWithPosition = "\(query), \(PostgresProgress.columns)"
    /// The first column of the position in `queryWithPosition`.
    static let positionColumn = 2
    static let prepared = PostgresPipe.Command.run(name: "po_snapshot", PostgresMessage(count: 0, capacity: 0))
    static let preparedPosition = PostgresPipe.Command.run(name: "po_position", PostgresMessage(count: 0, capacity: 0))

    /// The commands that prepare the queries for a server.
    static func preparations(_ options: ConnectionOptions) -> [PostgresPipe.Command] {
        let position = "SELECT \(PostgresProgress.columns)"
        return [.prepare(name: "po_snapshot", sql: query, types: [])]
            + (options.replica == nil ? [] : [.prepare(name: "po_position", sql: position, types: [])])
    }

    /// The command that prepares the query for a replica.
    static let replicaPreparation =
        PostgresPipe.Command.prepare(name: "po_snapshot", sql: PostgresProgress.check, types: [])

    private(set) var version: UInt32 = 0
    private var last = ""
    /// The position of a replica's log to which `last` belongs. A replica's snapshot does not list the transactions in
    /// progress, so it can be the same after a commit.
    private var place = ""
    /// Whether the next snapshot counts as different, even if it is the same.
    private var isDoubtful = false

    /// Called after the connection was replaced, possibly by a connection to another server.
    func forgetAll() {
        (last, place) = ("", "")
        isDoubtful = true
        beginning = .seen
    }

    /// Records the state that was read.
    ///
    /// - Parameters:
    ///   - result: The result of one of the queries for the state.
    ///   - check: The result of an earlier query, if the state may be older than the position that `result` reports.
    func record(_ result: PostgresResult?, after check: PostgresResult? = nil) {
        // A server that is not a replica has no position, so its state differs from its replica's.
        let position = (check ?? result)?.text(0, 1) ?? ""
        guard let text = result?.text(0, 0), text != last || position != place || isDoubtful else { return }
        isDoubtful = false
        (last, place) = (text, position)
        version &+= 1
    }

    /// Treats the changes of the connection's own commit as one version, unless other sessions have committed
    /// meanwhile.
    func recordCommit(before: PostgresResult, after: PostgresResult) {
        guard let old = Snapshot(before.text(0, 0)), let text = after.text(0, 0), let new = Snapshot(text) else {
            return
        }
        record(after)
        isDoubtful = beginning == .unseen || new.hasCommits(since: old, but: before.text(0, 1).flatMap(UInt64.init))
        beginning = .seen
    }

    // MARK: Deferred starts

    /// The state of a deferred start.
    private enum Beginning {
        /// The start is still deferred.
        case waiting
        /// Other sessions had committed, and the version has not been read since.
        case unseen
        /// No other session had committed, or the version has been read since.
        case seen
    }

    private var beginning = Beginning.seen
    /// The id before which all transactions had ended when the version was last read, so that their writes are known.
    private(set) var divide: UInt64?

    /// Called when a transaction begins without waiting.
    func deferBeginning() {
        beginning = .waiting
        if isDoubtful {
            isDoubtful = false
            version &+= 1
        }
        // The upper bound cannot be used, because subtransactions of a running transaction have later ids, which
        // snapshots do not list.
        divide = Snapshot(last)?.begin
    }

    /// Called after a deferred start.
    func recordBeginning(_ result: PostgresResult, after check: PostgresResult?) {
        let known = version
        record(result, after: check)
        beginning = version == known ? .seen : .unseen
    }

    /// Returns the version, which counts as read from here on.
    func see() -> UInt32 {
        if beginning == .unseen { beginning = .seen }
        return version
    }

    /// Whether the known rows may be older than the transaction's snapshot.
    var isAssuming: Bool { beginning != .seen }

    /// Called if no transaction began.
    func forgetBeginning() { beginning = .seen }

    /// The server's text for a snapshot.
    ///
    /// In `10:20:10,14`, transactions below 10 have ended, those from 20 on have not begun, and 10 and 14 are running.
    struct Snapshot {
        let begin: UInt64
        let end: UInt64
        let underWay: Set<UInt64>

        init?(_ text: String?) {
            guard let parts = text?.split(separator: ":", omittingEmptySubsequences: false), parts.count == 3,
                let begin = UInt64(parts[0]), let end = UInt64(parts[1])
            else { return nil }
            self.begin = begin
            self.end = end
            underWay = Set(parts[2].split(separator: ",").compactMap { UInt64($0) })
        }

        func hasCommits(since old: Snapshot, but own: UInt64?) -> Bool {
            if old.underWay.contains(where: { $0 != own && $0 < end && !underWay.contains($0) }) { return true }
            guard old.end < end else { return false }
            return (old.end..<end).contains { $0 != own && !underWay.contains($0) }
        }
    }
}
