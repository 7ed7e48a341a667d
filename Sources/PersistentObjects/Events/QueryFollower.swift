internal import StoreEngine

/// A query that runs again after commits that matter: its results, and their changes.
struct QueryFollower {
    private let definition: QueryDefinition
    let session: Session
    let watch: QueryWatch
    private let interest: QueryInterest
    private var ids: [Int64] = []
    /// Whether `ids` contains the results of an earlier run.
    private var hasFound = false
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
        let news = hasFailed ? .all : news
        return try attempt { me in
            guard me.hasFound else { return try me.run(nil) }
            var update: QueryUpdate<T>? = try me.kept(news)
            if update == nil { update = try me.run(news) }
            return update.flatMap { $0.isDifferent ? $0 : nil }
        }
    }

    private mutating func attempt<R>(_ body: (inout QueryFollower) throws -> R) throws -> R {
        hasFailed = true
        let result = try body(&self)
        hasFailed = false
        return result
    }

    /// Runs the query.
    ///
    /// - Parameter news: Nil for the first update; empty if the earlier results are from another watch, because the
    ///   changes since then are unknown.
    private mutating func run<T: Persistent>(_ news: QueryNews?) throws -> QueryUpdate<T> {
        if let news { try session.enter { session.memory.markStale(news, interest.root) } }
        let objects = try QueryCall(definition, "updates()").run(in: session) { try $0.currentObjects() }
        let found = objects.map(\.rowID)
        defer {
            ids = found
            hasFound = true
        }
        guard let news else { return QueryUpdate(first: objects.cast(to: T.self)) }
        let difference = ListDifference(from: ids, to: found)
        let changed = difference.kept.filter { !news.isThere || news.hasChanged(found[$0]) }
        return QueryUpdate(objects.cast(to: T.self), difference, changed: changed)
    }

    /// The refreshed objects of the last run if the query finds the same objects; nil if it must run again.
    private func kept<T: Persistent>(_ news: QueryNews) throws -> QueryUpdate<T>? {
        guard interest.keepsObjects, !news.mayChange(ids) else { return nil }
        let places = ids.indices.filter { news.hasChanged(ids[$0]) }
        guard !places.isEmpty else { return QueryUpdate([], ListDifference(from: [], to: []), changed: []) }
        let stale = places.map { ids[$0] }.filter { news.changedByOthers.contains($0) }
        let objects = try session.enter("updates()", of: definition.type, in: "query.") {
            let space = try session.space(of: definition.type)
            // The array retains the objects until all of them are refreshed.
            let known = try Fetch(session).find(space, ids)
            guard !stale.isEmpty else { return known }
            session.memory.markStale(stale, of: interest.root)
            return try Fetch(session).fetchObjects(space, stale).count == stale.count ? known : []
        }
        // An object was deleted in the meantime.
        guard objects.count == ids.count else { return nil }
        return QueryUpdate(objects.cast(to: T.self), ListDifference(from: [], to: []), changed: places)
    }
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
            return QueryInterest(
                reads: reads, rows: definition.rows(of: space.map), root: space.map.root,
                table: Naming.folded(space.map.table),
                hasCollections: family.contains { !$0.links.collections.isEmpty },
                keepsObjects: isWhole && space.map.foreign == nil && !reads.isAll)
        }
    }
}
