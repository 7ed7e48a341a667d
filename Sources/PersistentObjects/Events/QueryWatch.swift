/// What a query depends on.
struct QueryInterest: Sendable {
    /// The tables that it reads, in small letters; nil where the engine does not tell, so that any may be one.
    let tables: Set<String>?
    /// Whether one of them is no class's, so that SQLite does not tell of its rows.
    let readsUntold: Bool
    /// The hierarchy of its objects.
    let root: PersistentObject.Type
    /// Whether its objects have collections.
    let hasCollections: Bool

    func isTouched(by summary: CommitSummary) -> Bool {
        summary.isUnknown || (readsUntold && summary.hasUntoldRows)
            || !(tables?.isDisjoint(with: summary.tables) ?? summary.isEmpty)
    }
}

/// What commits have done to what a query finds, since it was looked at last.
struct QueryNews: Sendable {
    private(set) var isThere = false
    /// Whether any object may have changed.
    private(set) var isAllChanged = false
    private(set) var changed: Set<Int64> = []

    /// More are not told apart.
    private static let limit = 100_000

    mutating func add(_ summary: CommitSummary, _ interest: QueryInterest) {
        isThere = true
        if summary.isUnknown || (summary.hasUnknownRows && interest.hasCollections) { isAllChanged = true }
        guard !isAllChanged else { return changed = [] }
        for event in summary.events where event.map?.root == interest.root { changed.insert(event.id) }
        guard changed.count > QueryNews.limit else { return }
        isAllChanged = true
        changed = []
    }

    func hasChanged(_ id: Int64) -> Bool { isAllChanged || changed.contains(id) }

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

        init(_ interest: QueryInterest) { self.interest = interest }

        func receive(_ summary: CommitSummary) {
            if interest.isTouched(by: summary) { mailbox.put { $0.add(summary, interest) } }
        }

        func finish() { mailbox.finish() }
    }

    private let hub: EventHub
    private let listener: Listener

    init(_ interest: QueryInterest, _ session: Session) {
        hub = session.store.hub
        listener = Listener(interest)
        session.store.subscribe(listener, boundTo: session)
    }

    deinit { hub.remove(listener) }

    /// What there is to look at; nil when there will be no more, or the task is cancelled.
    func next(isolation: isolated (any Actor)?) async -> QueryNews? {
        // A task that is cancelled may get no turn for long, and nobody else looks here.
        await withTaskCancellationHandler(
            operation: { await listener.mailbox.next(isolation: isolation) { $0.take() } },
            onCancel: {
                hub.remove(listener)
                listener.mailbox.close()
            }, isolation: isolation)
    }
}
