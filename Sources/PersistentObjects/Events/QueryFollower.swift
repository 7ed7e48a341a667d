internal import StoreEngine

/// A query that runs again after commits that matter: its results, and their changes.
struct QueryFollower {
    private let definition: QueryDefinition
    let session: Session
    let watch: QueryWatch
    private let interest: QueryInterest
    private var ids: [Int64] = []
    /// The objects of `ids`; empty if they must be found first.
    private var objects: [PersistentObject] = []
    /// The session's `forgetCount` when the objects were found.
    private var forgetCount = 0
    /// Whether `ids` contains the results of an earlier run.
    private var hasFound = false
    /// Whether `ids` is the result at a committed state, and every later commit is in the watch's news.
    private var isExact = false
    /// Whether the last run failed, so that its news is still to be processed.
    private var hasFailed = false

    /// - Parameter ids: The current results, relative to which the first update reports its changes.
    init(_ definition: QueryDefinition, _ session: Session, from ids: [Int64]? = nil) throws {
        self.definition = definition
        self.session = session
        if let ids {
            self.ids = ids
            hasFound = true
        }
        interest = try QueryCall(definition, "updates()").interest(of: session)
        // The watch begins before the first run, so that no commit is missed.
        watch = QueryWatch(interest, session)
    }

    /// The current results.
    mutating func first<T: Persistent>() throws -> QueryUpdate<T> {
        let news = hasFound ? QueryNews() : nil
        return try attempt { me in try me.run(news) }
    }

    /// The results after commits; nil if nothing changed.
    mutating func update<T: Persistent>(_ news: QueryNews) throws -> QueryUpdate<T>? {
        var news = hasFailed ? .all : news
        if let more = watch.takeMore() { news.add(more) }
        return try attempt { me in
            guard me.hasFound else { return try me.run(nil) }
            var update: QueryUpdate<T>? = try me.kept(news)
            if update == nil { update = try me.patched(news) }
            if update == nil { update = try me.run(news) }
            return update.flatMap { $0.isDifferent ? $0 : nil }
        }
    }

    private mutating func attempt<R>(_ body: (inout QueryFollower) throws -> R) throws -> R {
        hasFailed = true
        let result = try body(&self)
        hasFailed = false
        if isExact, interest.filter != nil { watch.settle(ids) }
        return result
    }

    /// Runs the query.
    ///
    /// - Parameter news: Nil for the first update; empty if the earlier results are from another watch, because the
    ///   changes since then are unknown.
    private mutating func run<T: Persistent>(_ news: QueryNews?) throws -> QueryUpdate<T> {
        let isInTransaction = try session.enter {
            if let news { session.memory.markStale(news, interest.root) }
            return session.connection.isInTransaction
        }
        let objects = try QueryCall(definition, "updates()").run(in: session) { try $0.currentObjects() }
        let found = objects.map(\.rowID)
        defer {
            ids = found
            hold(interest.keepsObjects ? objects : [])
            hasFound = true
            // A transaction sees its own changes, which may be rolled back, and a reading sees an earlier state.
            isExact = !isInTransaction
        }
        guard let news else { return QueryUpdate(first: objects.cast(to: T.self)) }
        let difference = ListDifference(from: ids, to: found)
        let changed = difference.kept.filter { !news.isThere || news.hasChanged(found[$0]) }
        return QueryUpdate(objects.cast(to: T.self), difference, changed: changed)
    }

    /// The refreshed objects of the last run if the query finds the same objects; nil if it must run again.
    private mutating func kept<T: Persistent>(_ news: QueryNews) throws -> QueryUpdate<T>? {
        guard interest.keepsObjects, !news.mayChange(ids) else { return nil }
        let places = ListPatch.places(of: news.changed, in: ids)
        guard !places.isEmpty else { return QueryUpdate([], ListDifference(), changed: []) }
        let stale = places.map { ids[$0] }.filter { news.changedByOthers.contains($0) }
        let found = try session.enter("updates()", of: definition.type, in: "query.") {
            let space = try session.space(of: definition.type)
            // The array retains the objects until all of them are refreshed.
            let known = holdsObjects ? objects : try Fetch(session).find(space, ids)
            guard !stale.isEmpty else { return known }
            session.memory.markStale(stale, of: interest.root)
            return try Fetch(session).fetchObjects(space, stale).count == stale.count ? known : []
        }
        // An object was deleted in the meantime.
        guard found.count == ids.count, places.allSatisfy({ found[$0].lifecycle == .saved }) else { return nil }
        hold(found)
        return QueryUpdate(found.cast(to: T.self), ListDifference(), changed: places)
    }

    private mutating func hold(_ found: [PersistentObject]) {
        objects = found
        forgetCount = session.memory.forgetCount
    }

    /// Whether `objects` are the session's objects of `ids`, of which no object must be read again.
    private var holdsObjects: Bool {
        objects.count == ids.count && forgetCount == session.memory.forgetCount && !session.memory.hasExpired
            && !session.memory.isEvicting && !session.connection.isInTransaction
    }

    /// The results after the list was patched; nil if the query must run again.
    private mutating func patched<T: Persistent>(_ news: QueryNews) throws -> QueryUpdate<T>? {
        // Short lists are compared completely, which finds the fewest moves.
        guard isExact, news.isRowwise, ids.count > QueryFollower.shortLength,
            news.changed.count <= CommitSummary.valueLimit
        else { return nil }
        return try QueryCall(definition, "updates()").enter(in: session) { session in
            guard holdsObjects, let patcher = try ListPatcher(definition, interest, session),
                let (patch, found) = try patcher.patch(ids, news, watch)
            else { return nil }
            let (difference, changed) = patch.difference
            if patch.keepsList {
                for place in patch.places {
                    if let object = found[ids[place]], object !== objects[place] { objects[place] = object }
                }
            } else {
                // In place: if the reader no longer holds the last update, no object is retained or released.
                patch.apply(to: &objects) { found[$0] }
                ids = patch.new
            }
            return QueryUpdate(objects.cast(to: T.self), difference, changed: changed)
        }
    }

    /// The largest length of a list that is always read again.
    private static let shortLength = 64
}

extension Memory {
    /// Marks objects of changed rows stale, because the session does not know the effects of triggers in its own
    /// commits.
    fileprivate func markStale(_ news: QueryNews, _ root: PersistentObject.Type) {
        if news.isAllChanged { return markAllStale() }
        markStale(news.changed, of: root)
    }
}

extension QueryCall {
    /// The data on which the query's results depend.
    fileprivate func interest(of session: Session) throws -> QueryInterest {
        try run(in: session) { query in
            let (session, space) = (query.session, query.space)
            let family = space.hierarchy.family(of: space.map) + [space.map]
            let isWhole = definition.parts.isEmpty && !definition.isUntracked && definition.undecodable == nil
            var reads = try session.reads(of: query.plan.ids)
            // Objects loaded with the results, and rows that cannot be decoded, are not distinguished.
            if !isWhole { reads.formUnion(try session.reads(of: query.plan.select)) }
            let table = Naming.folded(space.map.table)
            let rows = definition.rows(of: space.map)
            let keepsObjects = isWhole && space.map.foreign == nil && !reads.isAll
            let columns = reads.tables.count == 1 ? reads.tables[table] ?? nil : nil
            let isRowwise = keepsObjects && rows != nil && columns != nil && !reads.readsUnreported
            // A deleted row before an offset shifts the list, and so does a row that no longer meets the condition.
            let condition =
                isRowwise && definition.offset == 0
                ? definition.condition.flatMap { RowCondition($0, query.plan.keys, space.map) } : nil
            return QueryInterest(
                reads: reads, rows: rows, root: space.map.root, table: table,
                hasCollections: family.contains { !$0.links.collections.isEmpty }, isForeign: space.map.foreign != nil,
                keepsObjects: keepsObjects, isRowwise: isRowwise,
                filter: condition.map { RowFilter($0, table, columns ?? [], session.store.hub) })
        }
    }
}
