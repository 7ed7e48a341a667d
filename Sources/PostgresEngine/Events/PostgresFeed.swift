internal import Foundation
internal import StoreEngine

/// Reads the changes of all committed transactions, each once, in whatever order they are committed.
///
/// A read takes a new snapshot, and the changes of the transactions that it contains and the last snapshot does not.
/// Numbers of rows could not be used, because a transaction with a lower number can be committed later.
final class PostgresFeed: CommitFeed {
    private let connection: PostgresConnection
    private let id = UUID().uuidString
    private let kept: Duration
    /// The snapshot of the last read.
    private var last = ""
    /// The transactions that may have written before the listener was registered. They are in progress.
    private var doubtful: Set<UInt64> = []
    /// The history of the server, which differs after a replica has replaced it.
    private var timeline: String?
    /// When the registration is renewed.
    private var renewal = ContinuousClock.now
    /// Whether some tables have no triggers, because another role owns them.
    private var hasUnwatchedTables = false

    /// Registers a listener on a server that can be written.
    init(_ connection: PostgresConnection) throws(StoreError) {
        self.connection = connection
        kept = PostgresFeed.kept(connection.options)
        try register()
    }

    private static func kept(_ options: ConnectionOptions) -> Duration { max(.seconds(1), options.changesAreKept) }

    /// The interval at which a registration is renewed.
    static func renewalInterval(_ options: ConnectionOptions) -> Duration { kept(options) / 10 }

    // MARK: Registration

    private var literals: (id: String, kept: String) {
        ("'\(id)'", "'\(kept.wholeMilliseconds) milliseconds'::interval")
    }

    /// Registers the listener. Changes from here on are recorded.
    private func register() throws(StoreError) {
        // The tables of an earlier version have no triggers.
        let watched = try inTransaction(["SELECT po_watch_tables()::text"])
        hasUnwatchedTables = watched[0].text(0, 0) != "0"
        try inTransaction(["SELECT po_listen(\(literals.id), \(literals.kept), NULL)"])
        let answers = try inTransaction([PostgresFeed.writers, PostgresFeed.state])
        last = answers[1].text(0, 0) ?? ""
        timeline = answers[1].text(0, 2)
        // A writer that has ended before the snapshot is part of it.
        let writers = Set((0..<answers[0].rowCount).compactMap { answers[0].text($0, 0).flatMap(UInt64.init) })
        let underWay = PostgresSnapshots.Snapshot(last)?.underWay ?? []
        // Locks have the low 32 bits of a transaction's id.
        doubtful = underWay.filter { writers.contains($0 & 0xffff_ffff) }
        renewal = .now + kept / 10
    }

    /// Renews the registration; false if it has ended.
    private func renew() throws(StoreError) -> Bool {
        let renewed = try inTransaction([
            "SELECT po_listen(\(literals.id), \(literals.kept), '\(last)'::pg_snapshot)::text"
        ])
        renewal = .now + kept / 10
        return renewed[0].text(0, 0) == "true"
    }

    /// Queries the transactions that have written tables of the schema, which they lock until they end.
    private static let writers = """
        SELECT DISTINCT t.transactionid::text FROM pg_locks AS t JOIN pg_locks AS r ON r.pid = t.pid \
        JOIN pg_class AS c ON c.oid = r.relation WHERE t.locktype = 'transactionid' AND t.granted \
        AND r.locktype = 'relation' AND r.granted AND c.relnamespace = quote_ident(current_schema())::regnamespace \
        AND r.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
        AND r.mode NOT IN ('AccessShareLock', 'RowShareLock')
        """

    private static let state = """
        SELECT pg_current_snapshot()::text, \(PostgresProgress.columns)
        """

    /// Runs statements in a transaction that may write, even if the store is read-only. Returns their results.
    @discardableResult
    private func inTransaction(
        _ texts: [String], _ mode: String = "READ COMMITTED READ WRITE"
    ) throws(StoreError) -> [PostgresResult] {
        let all = ["BEGIN ISOLATION LEVEL \(mode)"] + texts + ["COMMIT"]
        do throws(StoreError) {
            let results = try connection.session.runTexts(all)
            guard results.count == all.count else { throw connection.session.lost }
            return Array(results.dropFirst().dropLast())
        } catch {
            // After a failed statement, the transaction is still open.
            _ = try? connection.session.runTexts(["ROLLBACK"])
            throw error
        }
    }

    // MARK: Reading

    func read() throws(StoreError) -> CommittedChanges {
        var changes = CommittedChanges()
        var isRenewed = true
        if ContinuousClock.now >= renewal { isRenewed = try renew() }
        let results = try inTransaction([PostgresFeed.state, listed, rows], "REPEATABLE READ READ ONLY")
        let new = results[0].text(0, 0) ?? ""
        // Subscribers that query what has changed must find it.
        connection.primary.progress?.announce(results[0], 1)
        guard isRenewed, results[1].rowCount == 1, results[0].text(0, 2) == timeline,
            let old = PostgresSnapshots.Snapshot(last), let now = PostgresSnapshots.Snapshot(new), now.end >= old.end
        else {
            // Changes since the last read may not have been recorded, or are gone.
            try register()
            changes.isIncomplete = true
            return changes
        }
        let ended = doubtful.subtracting(now.underWay)
        changes.isIncomplete = !ended.isEmpty || (hasUnwatchedTables && new != last)
        changes.transactions = try transactions(results[2], without: ended)
        if changes.transactions.contains(where: { $0.contains { $0.table.isEmpty } }) { changes.isIncomplete = true }
        doubtful.subtract(ended)
        last = new
        return changes
    }

    /// Queries whether the listener is still registered.
    private var listed: String { "SELECT FROM po_listener WHERE id = \(literals.id) AND until > clock_timestamp()" }

    private var rows: String {
        """
        SELECT xid::text, tbl, kind::text, class, ids::text FROM po_change \
        WHERE xid >= pg_snapshot_xmin('\(last)'::pg_snapshot)::text::xid8 \
        AND NOT pg_visible_in_snapshot(xid, '\(last)'::pg_snapshot) ORDER BY number
        """
    }

    /// - Parameter ended: Transactions of which only a part may have been recorded.
    private func transactions(
        _ rows: PostgresResult, without ended: Set<UInt64>
    ) throws(StoreError) -> [[TableChange]] {
        let classes = try classes(of: rows)
        var transactions: [[TableChange]] = []
        var places: [String: Int] = [:]
        for row in 0..<rows.rowCount {
            guard let xid = rows.text(row, 0), let table = rows.text(row, 1), let kind = rows.text(row, 2),
                UInt64(xid).map({ !ended.contains($0) }) ?? true
            else { continue }
            let place = places[xid] ?? transactions.count
            if place == transactions.count { transactions.append([]) }
            places[xid] = place
            let ids = rows.text(row, 4).map(PostgresFeed.ids)
            guard kind == "C", let ids else {
                transactions[place].append(
                    TableChange(
                        table: table, kind: PostgresFeed.kind(kind), className: rows.text(row, 3), ids: ids))
                continue
            }
            let byClass = Dictionary(grouping: ids) { classes[table]?[$0] }
            for (name, ids) in byClass {
                transactions[place].append(
                    TableChange(table: table, kind: .reported, className: name, ids: ids.sorted()))
            }
        }
        return transactions
    }

    /// The classes of the owners whose collections have changed, by table and id.
    private func classes(of rows: PostgresResult) throws(StoreError) -> [String: [Int64: String]] {
        var wanted: [String: Set<Int64>] = [:]
        for row in 0..<rows.rowCount where rows.text(row, 2) == "C" {
            guard let table = rows.text(row, 1), let ids = rows.text(row, 4) else { continue }
            wanted[table, default: []].formUnion(PostgresFeed.ids(ids))
        }
        var found: [String: [Int64: String]] = [:]
        for (table, ids) in wanted {
            let list = ids.map(String.init).joined(separator: ",")
            let sql: SQL = "SELECT id::text, class::text FROM \(name: table) WHERE id = ANY ("
            let answer = try inTransaction(
                ["\(sql.text)'{\(list)}'::bigint[])"], "REPEATABLE READ READ ONLY")[0]
            for row in 0..<answer.rowCount {
                guard let id = answer.text(row, 0).flatMap(Int64.init) else { continue }
                found[table, default: [:]][id] = answer.text(row, 1)
            }
        }
        return found
    }

    private static func ids(_ text: String) -> [Int64] {
        text.dropFirst().dropLast().split(separator: ",").compactMap { Int64($0) }
    }

    private static func kind(_ letter: String) -> RowLog.Kind {
        switch letter {
        case "i": .inserted
        case "d": .deleted
        case "u": .updated
        default: .reported
        }
    }

    // MARK: The end

    func end() {
        // Without this, the registration ends by itself.
        guard connection.session.pipe.isOpen else { return }
        _ = try? inTransaction(["SELECT po_unlisten(\(literals.id))"])
    }
}
