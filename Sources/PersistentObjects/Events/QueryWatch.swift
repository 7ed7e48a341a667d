/// The data on which a query depends.
struct QueryInterest: Sendable {
    /// The data that determines which objects the query finds.
    let reads: QueryReads
    /// The rows of the objects' table that matter; nil if any row may matter.
    let rows: QueryRows?
    /// The root class of the query's objects.
    let root: PersistentObject.Type
    /// The table of the objects' rows, in lowercase.
    let table: String
    /// Whether the query's objects have collections.
    let hasCollections: Bool
    /// Whether the engine may not report the rows of the objects' table, because it is an existing table.
    let isForeign: Bool
    /// Whether objects that are found again are the same instances, so that a refresh needs no query.
    let keepsObjects: Bool
    /// Whether only a row's values determine whether it is in the list, so that the list can be patched.
    let isRowwise: Bool
    /// The condition that rows outside the list must meet to matter; nil if it is unknown.
    let filter: RowFilter?

    /// Whether a commit may change the query's objects or their values.
    func isTouched(by summary: CommitSummary) -> Bool {
        changesList(summary) || summary.events.contains { concerns($0) }
    }

    /// Whether the query may find different objects. Deleted rows do not count if `rows` excludes them.
    fileprivate func changesList(_ summary: CommitSummary) -> Bool {
        if hasCollections, summary.hasUnreportedRows { return true }
        if reads.isTouched(by: summary, rows) { return true }
        return summary.tables.contains(table) && (summary.isVague || !keepsObjects)
    }

    /// Whether the event's row is a row that the query may find.
    fileprivate func concerns(_ event: RowEvent) -> Bool {
        event.map?.root == root && rows?.mayMatter(event.id) ?? true
    }
}

/// The changes of commits to the results of a query since they were last processed.
struct QueryNews: Sendable {
    private(set) var isThere = false
    /// Whether any object may have changed.
    private(set) var isAllChanged = false
    /// Whether the query may find other objects.
    private var changesList = false
    /// Whether only the rows of `changed` can make a difference.
    private(set) var isRowwise = true
    /// The rows that were written.
    private(set) var changed: Set<Int64> = []
    /// The rows of `changed` that other sessions wrote.
    private(set) var changedByOthers: Set<Int64> = []
    /// The deleted rows: if the query found one of them, its results differ.
    private var deleted: Set<Int64> = []

    /// The maximum number of changed rows that are distinguished.
    private static let limit = 100_000

    /// News of unknown changes.
    static let all: QueryNews = {
        var news = QueryNews()
        news.isThere = true
        news.becomeAll()
        return news
    }()

    /// - Parameter session: The watching session.
    mutating func add(_ summary: CommitSummary, _ interest: QueryInterest, _ session: ObjectIdentifier) {
        isThere = true
        if summary.isUnknown || summary.hasUnknownRows && interest.hasCollections
            || summary.hasUnreportedRows && interest.isForeign
        {
            becomeAll()
        }
        guard !isAllChanged else { return }
        changesList = changesList || interest.changesList(summary)
        isRowwise = isRowwise && interest.isRowwise(summary)
        for event in summary.events where interest.concerns(event) {
            changed.insert(event.id)
            if summary.author != session { changedByOthers.insert(event.id) }
            if event.kind == .deleted { deleted.insert(event.id) }
        }
        if changed.count > QueryNews.limit { becomeAll() }
    }

    private mutating func becomeAll() {
        isAllChanged = true
        changesList = true
        isRowwise = false
        changed = []
        changedByOthers = []
        deleted = []
    }

    /// Adds later news.
    mutating func add(_ later: QueryNews) {
        guard later.isThere else { return }
        isThere = true
        if later.isAllChanged { becomeAll() }
        guard !isAllChanged else { return }
        changesList = changesList || later.changesList
        isRowwise = isRowwise && later.isRowwise
        changed.formUnion(later.changed)
        changedByOthers.formUnion(later.changedByOthers)
        deleted.formUnion(later.deleted)
    }

    func hasChanged(_ id: Int64) -> Bool { isAllChanged || changed.contains(id) }

    /// Whether a query that found these rows may now find different rows.
    func mayChange(_ ids: [Int64]) -> Bool {
        changesList || (!deleted.isEmpty && !ListPatch.places(of: deleted, in: ids).isEmpty)
    }

    mutating func take() -> QueryNews? {
        guard isThere else { return nil }
        defer { self = QueryNews() }
        return self
    }
}

/// The unread news of a query, and the list that its reader knows.
private struct QueryInbox {
    var news = QueryNews()
    /// The rows that the query finds; nil while there is news that the reader has not processed completely.
    var listed: [Int64]?
}

/// Watches the data on which a query depends, until the watch is released. Several commits are combined.
final class QueryWatch: Sendable {
    private final class Listener: CommitListener {
        let readsEvents = true
        let mailbox = Mailbox(QueryInbox())
        let interest: QueryInterest
        let session: ObjectIdentifier

        init(_ interest: QueryInterest, _ session: Session) {
            self.interest = interest
            self.session = ObjectIdentifier(session)
        }

        func receive(_ summary: CommitSummary) {
            let isIgnored = mailbox.withContent { inbox in
                inbox.listed.map { interest.ignores(summary, $0) } ?? false
            }
            guard !isIgnored, interest.isTouched(by: summary) else { return }
            mailbox.put { inbox in
                inbox.listed = nil
                inbox.news.add(summary, interest, session)
            }
        }

        func finish() { mailbox.finish() }
    }

    private let hub: EventHub
    private let listener: Listener

    init(_ interest: QueryInterest, _ session: Session) {
        hub = session.store.hub
        listener = Listener(interest, session)
        session.store.subscribe(listener, boundTo: session)
    }

    deinit { end() }

    /// Ends the watch at once, and discards unread news.
    func end() {
        hub.remove(listener)
        listener.mailbox.close()
    }

    /// Takes the unread news without waiting.
    func takeMore() -> QueryNews? { listener.mailbox.withContent { $0.news.take() } }

    /// Whether there is no unread news.
    var isEmpty: Bool { listener.mailbox.withContent { !$0.news.isThere } }

    /// Sets the list that the reader knows after all news, so that commits of other rows need not be reported.
    ///
    /// The list must be the result at a state that contains every processed commit.
    func settle(_ listed: [Int64]) {
        listener.mailbox.withContent { inbox in
            if !inbox.news.isThere { inbox.listed = listed }
        }
    }

    /// Returns the next news; nil if the watch has ended or the task is cancelled.
    func next(isolation: isolated (any Actor)?) async -> QueryNews? {
        // The cancellation ends the watch at once, because a cancelled task may run much later.
        await withTaskCancellationHandler(
            operation: { await listener.mailbox.next(isolation: isolation) { $0.news.take() } },
            onCancel: { end() }, isolation: isolation)
    }
}
