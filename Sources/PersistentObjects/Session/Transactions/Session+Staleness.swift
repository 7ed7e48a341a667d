internal import StoreEngine

// Which objects in memory may differ from their rows: all, after commits of others of whom nothing is known, and those
// whose rows these have written, where other sessions of the process have told.
extension Session {
    /// Whatever is in memory may differ from the database: the next query that meets an object reads it again.
    func noteAllStale() { epoch &+= 1 }

    /// The freshness of an object with edits of what others have changed too: met, and still to be looked at.
    var conflictEpoch: UInt32 { epoch ^ 1 << 31 }

    /// Whether the row of an object was met since all became stale.
    func wasMet(_ object: PersistentObject) -> Bool { object.freshness == epoch || object.freshness == conflictEpoch }

    /// The session's own commit is no change by others.
    func didCommit() { knownVersion = connection.dataVersion }

    /// Sees whether others have changed the database since; call it inside a transaction or while on a row.
    ///
    /// - Parameter isNewest: Whether nobody else can write at this moment.
    @inline(__always)
    func noteDataVersion(isNewest: Bool = false) {
        let version = connection.dataVersion
        if version != knownVersion { noteCommits(version, isNewest) }
    }

    @inline(never)
    private func noteCommits(_ version: UInt32, _ isNewest: Bool) {
        let former = knownVersion
        let isFirst = former == nil
        knownVersion = version
        let isTold = store.hub.isWatched && store.hub.lookForOthers { connection.commitMark }
        guard !isFirst else { return }
        guard let staleRows else {
            noteAllStale()
            return learnOfCommits()
        }
        let news = staleRows.take(isNewest: isNewest)
        if isTold { note(news, since: former, version) } else { noteAllStale() }
    }

    /// Has other sessions tell what they write, once their commits have cost this one something: telling costs them.
    private func learnOfCommits() {
        surpriseCount += 1
        if surpriseCount > 1, liveCount >= Session.worthwhileCount, !isReader { listenToCommits() }
    }

    /// Has other sessions tell from now on what they write, where the engine can tell that nobody else has written.
    func listenToCommits() {
        guard staleRows == nil, connection.commitMark != nil else { return }
        let rows = StaleRows(for: self)
        staleRows = rows
        store.subscribe(rows, boundTo: self)
    }

    /// Fewer objects are read again in no time.
    private static let worthwhileCount = 256

    /// The session needs nobody to tell it any more.
    func stopLearningOfCommits() {
        if let staleRows { store.hub.remove(staleRows) }
        staleRows = nil
    }

    private func note(_ news: StaleRows.News, since former: UInt32?, _ version: UInt32) {
        if news.isAll { return noteAllStale() }
        defer { followTables(news, since: former, version) }
        guard !news.isEmpty else { return }
        let hierarchies = usedHierarchies
        let whole = hierarchies.filter { $0.isStale(after: news, connection.dialect) }
        // To look for each object costs more than it saves where that is most of them.
        guard whole.reduce(0, { $0 + $1.liveCount }) * 2 <= liveCount else { return noteAllStale() }
        for hierarchy in hierarchies {
            let isWhole = whole.contains { $0 === hierarchy }
            let ids = hierarchy.table.flatMap { news.rows[$0] } ?? []
            let stale = isWhole ? hierarchy.liveObjects() : ids.compactMap { hierarchy.rows.object(for: $0) }
            for object in stale { object.freshness = epoch &- 1 }
        }
    }

    /// What is known of whole tables is so still, but for the rows that were written.
    private func followTables(_ news: StaleRows.News, since former: UInt32?, _ version: UInt32) {
        for hierarchy in usedHierarchies where hierarchy.whole != nil {
            guard let table = hierarchy.table, !news.wholeTables.contains(table) else {
                hierarchy.whole = nil
                continue
            }
            hierarchy.whole?.follow(from: former, to: version, written: news.rows[table] ?? [])
        }
    }
}

extension HierarchySpace {
    fileprivate func liveObjects() -> [PersistentObject] { allIdentities.flatMap { $0.liveObjects() } }

    /// Whether any object of its classes may differ from what is stored of it.
    fileprivate func isStale(after news: StaleRows.News, _ dialect: Dialect) -> Bool {
        guard liveCount > 0 else { return false }
        // What stands behind tables and views of others' nobody knows.
        if table == nil || classes.values.contains(where: { $0.foreign != nil }) { return true }
        if let table, news.wholeTables.contains(table) { return true }
        let links = classes.values.map(\.links)
        // Whose collections they were that others have written is not known, where no object did it.
        let haveLists = links.contains { !$0.collections.isEmpty || !$0.inverses.isEmpty }
        if news.hasUntoldRows, haveLists { return true }
        // An inverse changes with the rows of others.
        return !inverseTables(dialect).isDisjoint(with: news.tables)
    }
}
