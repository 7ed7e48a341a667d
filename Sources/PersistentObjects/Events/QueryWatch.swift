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
    /// Whether objects that are found again are the same instances, so that a refresh needs no query.
    let keepsObjects: Bool

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
        if summary.isUnknown || (summary.hasUnknownRows && interest.hasCollections) { becomeAll() }
        guard !isAllChanged else { return }
        changesList = changesList || interest.changesList(summary)
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
        changed = []
        changedByOthers = []
        deleted = []
    }

    func hasChanged(_ id: Int64) -> Bool { isAllChanged || changed.contains(id) }

    /// Whether a query that found these rows may now find different rows.
    func mayChange(_ ids: [Int64]) -> Bool {
        changesList || (!deleted.isEmpty && ids.contains { deleted.contains($0) })
    }

    mutating func take() -> QueryNews? {
        guard isThere else { return nil }
        defer { self = QueryNews() }
        return self
    }
}

/// Watches the data on which a query depends, until the watch is released. Several commits are combined.
final class QueryWatch: Sendable {
    private final class Listener: CommitListener {
        let readsEvents = true
        let mailbox = Mailbox(QueryNews())
        let interest: QueryInterest
        let session: ObjectIdentifier

        init(_ interest: QueryInterest, _ session: Session) {
            self.interest = interest
            self.session = ObjectIdentifier(session)
        }

        func receive(_ summary: CommitSummary) {
            if interest.isTouched(by: summary) { mailbox.put { $0.add(summary, interest, session) } }
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

    /// Returns the next news; nil if the watch has ended or the task is cancelled.
    func next(isolation: isolated (any Actor)?) async -> QueryNews? {
        // The cancellation ends the watch at once, because a cancelled task may run much later.
        await withTaskCancellationHandler(
            operation: { await listener.mailbox.next(isolation: isolation) { $0.take() } },
            onCancel: { end() }, isolation: isolation)
    }
}
