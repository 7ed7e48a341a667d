internal import StoreEngine

/// What a query finds, now and after each commit that changes it, for `for try await`.
///
/// ```swift
/// for try await people in Person.where { $0.age > 17 }.updates() { show(people.objects) }
/// ```
///
/// The objects belong to the session in which `updates()` was called, and to the
/// caller's isolation. The query is asked again after commits that have touched
/// a table which it reads, by whichever session of the process, by SQL of your
/// own, by triggers and delete rules; what it finds is given where it is
/// different, or where objects in it have changed. Commits that come while you
/// are busy become one update. Commits of other processes are noticed when a
/// session of this one reads or writes next.
///
/// It ends when the task is cancelled, or the session or the store is closed.
public struct QueryUpdates<T: Persistent>: AsyncSequence {
    /// What the query finds.
    public typealias Element = QueryUpdate<T>
    /// What asking the query can throw.
    public typealias Failure = any Error

    let definition: QueryDefinition
    let session: Result<Session, any Error>

    /// Begins anew: the first update is what is found now.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(definition: definition, session: session) }

    /// Goes through the updates.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let definition: QueryDefinition
        private let session: Result<Session, any Error>
        private var watch: QueryWatch?
        private var root: PersistentObject.Type = PersistentObject.self
        private var ids: [Int64] = []
        private var isDone = false

        fileprivate init(definition: QueryDefinition, session: Result<Session, any Error>) {
            self.definition = definition
            self.session = session
        }

        /// The next update; nil when the task is cancelled or the session has ended. Its objects belong to the caller's
        /// isolation.
        ///
        /// - Throws: what `all()` throws; the sequence has ended then.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(any Error) -> QueryUpdate<T>? {
            guard !isDone else { return nil }
            do {
                let session = try session.get()
                guard let watch else { return try first(session) }
                while let news = await watch.next(isolation: actor) {
                    guard !session.hasEnded else { break }
                    let update = try update(session, news)
                    if update.isDifferent { return update }
                }
            } catch {
                finish()
                throw error
            }
            finish()
            return nil
        }

        private mutating func finish() {
            isDone = true
            watch = nil
            ids = []
        }

        private mutating func first(_ session: Session) throws -> QueryUpdate<T> {
            let call = QueryCall(definition, "updates()")
            // Before it is asked, so that nothing comes between.
            let interest = try call.interest(of: session)
            root = interest.root
            watch = QueryWatch(interest, session)
            let objects = try call.ask(in: session) { try $0.currentObjects() }
            ids = objects.map(\.rowID)
            return QueryUpdate(first: objects.cast(to: T.self))
        }

        private mutating func update(_ session: Session, _ news: QueryNews) throws -> QueryUpdate<T> {
            try session.enter { session.makeStale(news, root) }
            let objects = try QueryCall(definition, "updates()").ask(in: session) { try $0.currentObjects() }
            let found = objects.map(\.rowID)
            let difference = ListDifference(from: ids, to: found)
            ids = found
            let changed = difference.kept.filter { news.hasChanged(found[$0]) }
            return QueryUpdate(objects.cast(to: T.self), difference, changed: changed)
        }
    }
}

extension Query {
    /// What the query finds, now and after each commit that changes it. See ``QueryUpdates``.
    ///
    /// ```swift
    /// for try await people in Person.query.order(by: \.lastName).updates() { show(people.objects) }
    /// ```
    public func updates(isolation: isolated (any Actor)? = #isolation) -> QueryUpdates<T> {
        QueryUpdates(definition: definition, session: Result { try CurrentSession.session(for: definition.type) })
    }
}

extension Session {
    /// Has the next query read objects again whose rows have changed: what triggers do in the session's own commits it
    /// does not know.
    fileprivate func makeStale(_ news: QueryNews, _ root: PersistentObject.Type) {
        if news.isAllChanged { return noteAllStale() }
        guard let rows = usedHierarchy(of: root)?.rows else { return }
        for id in news.changed { rows.object(for: id)?.freshness = epoch &- 1 }
    }
}

extension QueryCall {
    /// What the answer depends on.
    fileprivate func interest(of session: Session) throws -> QueryInterest {
        try ask(in: session) { ask in
            let (session, space) = (ask.session, ask.space)
            let classes = session.store.classes
            var tables: Set<String> = [Naming.folded(space.map.table)]
            let connection = session.connection
            let isExact = connection.capabilities.contains(.tablesRead)
            for table in isExact ? try connection.tablesRead(by: ask.plan.select) : [] {
                tables.insert(Naming.folded(table))
            }
            let family = space.hierarchy.family(of: space.map) + [space.map]
            let hasCollections = family.contains { !$0.links.collections.isEmpty }
            let readsOthers = tables.contains { classes.classes(sharing: $0).isEmpty }
            return QueryInterest(
                tables: isExact ? tables : nil, readsUntold: hasCollections || readsOthers, root: space.map.root,
                hasCollections: hasCollections)
        }
    }
}
