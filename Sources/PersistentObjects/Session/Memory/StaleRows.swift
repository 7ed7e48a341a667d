@_spi(Locks) internal import StoreEngine

/// The changes that commits of a store's other sessions made to rows since one session last checked.
final class StaleRows: CommitListener {
    /// The rows that are stale.
    struct News {
        /// Whether any row may have changed.
        fileprivate(set) var isAll = false
        /// The tables that were written.
        fileprivate(set) var tables: Set<String> = []
        /// The written tables whose rows are unknown, so that all of their rows count as stale.
        fileprivate(set) var wholeTables: Set<String> = []
        /// The ids of the rows that were written, by table in lowercase.
        fileprivate(set) var rows: [String: Set<Int64>] = [:]
        /// Whether rows of collections' tables were written, which the engine does not report individually.
        fileprivate(set) var hasUnreportedRows = false

        var isEmpty: Bool { !isAll && tables.isEmpty && !hasUnreportedRows }

        /// The number of rows of a table above which all of its rows count as stale.
        private static let limit = 10_000

        fileprivate mutating func add(_ summary: CommitSummary) {
            guard !isAll else { return }
            if summary.isUnknown || summary.changesSchema { return becomeAll() }
            hasUnreportedRows = hasUnreportedRows || summary.hasUnreportedRows
            tables.formUnion(summary.tables)
            if summary.hasHiddenRows { wholeTables.formUnion(summary.tables) }
            for (table, ids) in summary.rows where !wholeTables.contains(table) {
                if ids.count > News.limit { wholeTables.insert(table) } else { rows[table, default: []].formUnion(ids) }
                if rows[table].map({ $0.count > News.limit }) ?? false { wholeTables.insert(table) }
            }
            for table in wholeTables { rows[table] = nil }
        }

        fileprivate mutating func add(_ other: News) {
            if other.isAll { return becomeAll() }
            hasUnreportedRows = hasUnreportedRows || other.hasUnreportedRows
            tables.formUnion(other.tables)
            wholeTables.formUnion(other.wholeTables)
            rows.merge(other.rows) { $0.union($1) }
        }

        fileprivate mutating func becomeAll() {
            self = News()
            isAll = true
        }
    }

    private struct State {
        /// The changes that the session has not processed.
        var fresh = News()
        /// The processed changes, although the session's view of the database may be older.
        var looked = News()
    }

    let readsEvents = false
    private let state: Locked<State>
    private let session: ObjectIdentifier

    /// - Parameter session: The session whose own commits are ignored.
    init(for session: Session) {
        self.session = ObjectIdentifier(session)
        var state = State()
        // Commits between the session's snapshot and the start of listening are unknown.
        state.looked.becomeAll()
        self.state = Locked(state)
    }

    func receive(_ summary: CommitSummary) {
        guard summary.author != session else { return }
        state.withLock { $0.fresh.add(summary) }
    }

    func finish() {}

    /// Returns the rows that are stale now that the session sees another state of the database.
    ///
    /// A reported commit may be later than that state, which then does not contain it. Such a commit is returned again
    /// by the next call.
    ///
    /// - Parameter isNewest: Whether there can be no such commit, because no other session can write.
    func take(isNewest: Bool) -> News {
        state.withLock { state in
            var news = state.looked
            news.add(state.fresh)
            state = State(looked: isNewest ? News() : state.fresh)
            return news
        }
    }
}
