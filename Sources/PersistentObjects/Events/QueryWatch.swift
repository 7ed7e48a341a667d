/// What a query depends on.
struct QueryInterest: Sendable {
    /// What says which objects it finds.
    let reads: QueryReads
    /// The rows of its own table that matter; nil if any row may.
    let rows: QueryRows?
    /// The hierarchy of its objects.
    let root: PersistentObject.Type
    /// The table of their rows, in lowercase.
    let table: String
    /// Whether its objects have collections.
    let hasCollections: Bool
    /// Whether objects that are found again are the same instances, and need not be queried to be refreshed.
    let keepsObjects: Bool

    /// Whether there may be something to look at.
    func isTouched(by summary: CommitSummary) -> Bool {
        changesList(summary) || summary.events.contains { concerns($0) }
    }

    /// Whether other objects may be found than before, not counting those that are gone where `rows` says so.
    fileprivate func changesList(_ summary: CommitSummary) -> Bool {
        if hasCollections, summary.hasUntoldRows { return true }
        if reads.isTouched(by: summary, rows) { return true }
        return summary.tables.contains(table) && (summary.isVague || !keepsObjects)
    }

    /// Whether it is one of the rows that the query may find.
    fileprivate func concerns(_ event: RowEvent) -> Bool {
        event.map?.root == root && rows?.mayMatter(event.id) ?? true
    }
}

/// What commits have done to what a query finds, since it was looked at last.
struct QueryNews: Sendable {
    private(set) var isThere = false
    /// Whether any object may have changed.
    private(set) var isAllChanged = false
    /// Whether the query may find other objects.
    private var changesList = false
    /// The rows that were written.
    private(set) var changed: Set<Int64> = []
    /// Those of them that other sessions have written.
    private(set) var changedByOthers: Set<Int64> = []
    /// The deleted rows: if the query found one of them, its results differ.
    private var gone: Set<Int64> = []

    /// More are not told apart.
    private static let limit = 100_000

    /// News of which nothing is known.
    static let all: QueryNews = {
        var news = QueryNews()
        news.isThere = true
        news.becomeAll()
        return news
    }()

    /// - Parameter session: The one that watches.
    mutating func add(_ summary: CommitSummary, _ interest: QueryInterest, _ session: ObjectIdentifier) {
        isThere = true
        if summary.isUnknown || (summary.hasUnknownRows && interest.hasCollections) { becomeAll() }
        guard !isAllChanged else { return }
        changesList = changesList || interest.changesList(summary)
        for event in summary.events where interest.concerns(event) {
            changed.insert(event.id)
            if summary.author != session { changedByOthers.insert(event.id) }
            if event.kind == .deleted { gone.insert(event.id) }
        }
        if changed.count > QueryNews.limit { becomeAll() }
    }

    private mutating func becomeAll() {
        isAllChanged = true
        changesList = true
        changed = []
        changedByOthers = []
        gone = []
    }

    func hasChanged(_ id: Int64) -> Bool { isAllChanged || changed.contains(id) }

    /// Whether a query that found these rows may find others.
    func mayChange(_ ids: [Int64]) -> Bool { changesList || (!gone.isEmpty && ids.contains { gone.contains($0) }) }

    mutating func take() -> QueryNews? {
        guard isThere else { return nil }
        defer { self = QueryNews() }
        return self
    }
}

/// Watches what a query depends on, from when it is made until it goes. Many commits become one piece of news.
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

    /// Ends it at once; what was not read is dropped.
    func end() {
        hub.remove(listener)
        listener.mailbox.close()
    }

    /// What there is to look at; nil when there will be no more, or the task is cancelled.
    func next(isolation: isolated (any Actor)?) async -> QueryNews? {
        // A cancelled task may not run for long, and nothing else checks here.
        await withTaskCancellationHandler(
            operation: { await listener.mailbox.next(isolation: isolation) { $0.take() } },
            onCancel: { end() }, isolation: isolation)
    }
}
