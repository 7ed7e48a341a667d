internal import StoreEngine

/// Detects commits with the server's snapshots, which list the transactions in progress.
///
/// https://www.postgresql.org/docs/15/functions-info.html#FUNCTIONS-PG-SNAPSHOT
final class PostgresSnapshots {
    static let query = "SELECT pg_current_snapshot()::text"
    /// With the id of the connection's own transaction.
    static let queryWithOwn = "SELECT pg_current_snapshot()::text, pg_current_xact_id_if_assigned()::text AS po_own"
    /// The same as `query`, prepared.
    static let preparation = PostgresPipe.Command.prepare(name: "po_snapshot", sql: query, types: [])
    static let prepared = PostgresPipe.Command.run(name: "po_snapshot", PostgresMessage(count: 0, capacity: 0))

    private(set) var version: UInt32 = 0
    private var last = ""
    /// Whether the next snapshot counts as different, even if it is the same.
    private var isDoubtful = false

    /// The connection was replaced, possibly by one to another server.
    func forgetAll() {
        last = ""
        isDoubtful = true
        beginning = .seen
    }

    func note(_ result: PostgresResult?) {
        guard let text = result?.text(0, 0), text != last || isDoubtful else { return }
        isDoubtful = false
        last = text
        version &+= 1
    }

    /// Treats the changes of the connection's own commit as one version, unless other sessions have committed
    /// meanwhile.
    func noteCommit(before: PostgresResult, after: PostgresResult) {
        guard let old = Snapshot(before.text(0, 0)), let text = after.text(0, 0), let new = Snapshot(text) else {
            return
        }
        note(after)
        isDoubtful = beginning == .unseen || new.hasCommits(since: old, but: before.text(0, 1).flatMap(UInt64.init))
        beginning = .seen
    }

    // MARK: Deferred starts

    /// The state of a deferred start.
    private enum Beginning {
        /// It is still waiting.
        case waiting
        /// Other sessions had committed, and the version has not been read since.
        case unseen
        /// There was no other commit, or it is known.
        case seen
    }

    private var beginning = Beginning.seen
    /// All transactions before this one had ended when the version was last known, so their writes are known.
    private(set) var divide: UInt64?

    /// Called when a transaction begins without waiting.
    func putOffBeginning() {
        beginning = .waiting
        if isDoubtful {
            isDoubtful = false
            version &+= 1
        }
        // Not the upper bound: subtransactions of a running transaction have ids after its own, and no snapshot lists
        // them.
        divide = Snapshot(last)?.begin
    }

    /// Called after it has begun.
    func noteBeginning(_ result: PostgresResult) {
        let known = version
        note(result)
        beginning = version == known ? .seen : .unseen
    }

    /// The version, which is known from here on.
    func see() -> UInt32 {
        if beginning == .unseen { beginning = .seen }
        return version
    }

    /// Whether known rows may be older than the transaction.
    var isAssuming: Bool { beginning != .seen }

    /// Called if no transaction began.
    func forgetBeginning() { beginning = .seen }

    /// `10:20:10,14`: all below 10 have ended, all from 20 on have not begun, 10 and 14 are in progress.
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
