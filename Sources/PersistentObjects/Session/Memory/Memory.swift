// Memory: what a session knows of the rows that it has in memory: how fresh they are, what is to be read again, kept,
// forgotten or saved later. It knows objects and identity maps, and must neither read rows nor write them.

internal import StoreEngine
internal import Synchronization

/// A session's knowledge of its objects.
///
/// Invariants:
/// - An object whose freshness is `epoch` was read or written since the session last saw that other sessions had
///   changed the database; one whose freshness is `conflictEpoch` was too, and has edits of properties that were also
///   changed elsewhere.
/// - `epoch` belongs to `knownVersion`, the database's state that the session saw last.
/// - Each unsaved edit is either in a live object or in `pendingEdits`, never in both.
/// - `heldTargets` keeps objects until the next fetch only; everything else keeps none but new ones.
final class Memory {
    /// The session, which sets it when it is made.
    var session: Borrowed<Session>?
    private let store: Store
    private let connection: any Connection
    private let gate: Gate
    let classes: UsedClasses
    private let isReader: Bool
    /// The number of times that other sessions changed the database, as far as this session has seen.
    private(set) var epoch: UInt32 = 0
    /// The engine's number of the database's state that `epoch` belongs to.
    private(set) var knownVersion: UInt32?
    /// What commits of other sessions have done to rows; nil if everything counts as stale after them.
    private(set) var staleRows: StaleRows?
    /// The number of times that commits of other sessions made everything stale.
    private var surpriseCount = 0
    /// Objects that are to be read again, by a find too.
    private var expired: Set<ObjectIdentifier> = [] { didSet { classes.hasExpiredObjects = !expired.isEmpty } }
    /// What is to be forgotten when the call or transaction under way has ended.
    private var leaving: [PersistentObject] = []
    /// Objects that only weak references refer to; kept until the next fetch, so that there is time to use them.
    var heldTargets: [PersistentObject] = []
    /// New objects that the next `saveChanges()` saves too.
    private(set) var added: [PersistentObject] = []
    /// The unsaved edits of objects that have ended.
    private(set) var pendingEdits = PendingEdits()
    let inverses = InverseAgreement()
    let notices: GraphNotices

    init(_ gate: Gate, _ classes: UsedClasses, isReader: Bool) {
        store = gate.store
        connection = gate.connection
        self.gate = gate
        self.classes = classes
        self.isReader = isReader
        notices = GraphNotices(gate.store)
    }
}

// The objects in memory that may differ from their rows: all of them, after commits of which nothing is known, and
// those whose rows were written, if other sessions of the process have reported their commits.
extension Memory {
    /// Anything in memory may differ from the database: the next query that meets an object reads it again.
    func markAllStale() { epoch &+= 1 }

    /// The next query that meets one of the objects reads it again.
    func markStale(_ object: PersistentObject) { object.freshness = epoch &- 1 }

    /// The next query that meets one of the rows of a hierarchy reads it again.
    func markStale(_ ids: some Sequence<Int64>, of root: PersistentObject.Type) {
        guard let rows = classes.usedHierarchy(of: root)?.rows else { return }
        for id in ids { rows.object(for: id)?.freshness = epoch &- 1 }
    }

    /// Rows were written: triggers that are not the library's may have changed other rows.
    func markStaleAfterTriggers() { if classes.lookForTriggers() { markAllStale() } }

    /// Rows of some classes were written: what other classes over the same tables have in memory may differ from them.
    func markStaleIfShared(_ maps: [ClassMap]) { if classes.areShared(maps) { markAllStale() } }

    /// The freshness of an object with edits of properties that were also changed elsewhere: read, and still to be
    /// checked.
    @inline(__always)
    var conflictEpoch: UInt32 { epoch ^ 1 << 31 }

    /// The freshness of an object that was just written.
    var freshnessOfWritten: UInt32 { classes.runsForeignTriggers ? epoch &- 1 : epoch }

    /// Whether the row of an object was read since all became stale.
    func isCurrent(_ object: PersistentObject) -> Bool {
        object.freshness == epoch || object.freshness == conflictEpoch
    }

    /// Whether an object, when last read, had edits of properties that were also changed elsewhere, however long ago.
    func isConflicted(_ object: PersistentObject) -> Bool { (object.freshness ^ conflictEpoch) >> 31 == 0 }

    /// The session's own commit is not a change by other sessions.
    func recordOwnCommit() { knownVersion = connection.dataVersion }

    /// Checks whether other sessions have changed the database since; call it inside a transaction or while on a row.
    ///
    /// - Parameter isNewest: Whether no other session can write at this moment.
    @inline(__always)
    func lookForCommits(isNewest: Bool = false) {
        let version = connection.dataVersion
        if version != knownVersion { recordCommits(version, isNewest) }
    }

    @inline(never)
    private func recordCommits(_ version: UInt32, _ isNewest: Bool) {
        let former = knownVersion
        let isFirst = former == nil
        knownVersion = version
        let isTold = store.hub.isWatched && store.hub.lookForOthers { connection.commitMark }
        guard !isFirst else { return }
        guard let staleRows else {
            markAllStale()
            return learnOfCommits()
        }
        let news = staleRows.take(isNewest: isNewest)
        if isTold { mark(news, since: former, version) } else { markAllStale() }
    }

    /// Has other sessions report what they write, once their commits have cost this one something: a report costs them.
    private func learnOfCommits() {
        surpriseCount += 1
        if surpriseCount > 1, classes.liveCount >= Memory.worthwhileCount, !isReader { listenToCommits() }
    }

    /// Has other sessions report from now on what they write, if the engine can tell that nothing else has written.
    func listenToCommits() {
        guard staleRows == nil, connection.commitMark != nil, let session = session?.object else { return }
        let rows = StaleRows(for: session)
        staleRows = rows
        store.subscribe(rows, boundTo: session)
    }

    /// Fewer objects are read again in no time.
    private static let worthwhileCount = 256

    /// The session needs no reports any more.
    func stopLearningOfCommits() {
        if let staleRows { store.hub.remove(staleRows) }
        staleRows = nil
    }

    private func mark(_ news: StaleRows.News, since former: UInt32?, _ version: UInt32) {
        if news.isAll { return markAllStale() }
        defer { followTables(news, since: former, version) }
        guard !news.isEmpty else { return }
        let hierarchies = classes.usedHierarchies
        let whole = hierarchies.filter { $0.isStale(after: news, connection.dialect) }
        // To look for each object costs more than it saves where that is most of them.
        guard whole.reduce(0, { $0 + $1.liveCount }) * 2 <= classes.liveCount else { return markAllStale() }
        for hierarchy in hierarchies {
            let isWhole = whole.contains { $0 === hierarchy }
            let ids = hierarchy.table.flatMap { news.rows[$0] } ?? []
            let stale = isWhole ? hierarchy.liveObjects() : ids.compactMap { hierarchy.rows.object(for: $0) }
            for object in stale { markStale(object) }
        }
    }

    /// What is known of whole tables is so still, but for the rows that were written.
    private func followTables(_ news: StaleRows.News, since former: UInt32?, _ version: UInt32) {
        for hierarchy in classes.usedHierarchies where hierarchy.whole != nil {
            guard let table = hierarchy.table, !news.wholeTables.contains(table) else {
                hierarchy.whole = nil
                continue
            }
            hierarchy.whole?.follow(from: former, to: version, written: news.rows[table] ?? [])
        }
    }
}

// New objects, and those that weak references refer to.
extension Memory {
    /// The next `saveChanges()` saves a new object too.
    func add(_ object: PersistentObject) { added.append(object) }

    /// What was added is not saved.
    func dropAdded() { added = [] }

    /// Forgets what was added and is saved; in a transaction it may be new again.
    func forgetSavedAdditions() {
        if !added.isEmpty, inverses.level == nil { added.removeAll { $0.lifecycle != .new } }
    }

    /// Releases the targets of weak references. Their `deinit` may be the user's and fetch something, which comes here
    /// again: they end when the property is free.
    func dropHeldTargets() { _ = takeHeldTargets() }

    /// Has them kept by the caller only.
    func takeHeldTargets() -> [PersistentObject] { exchange(&heldTargets, with: []) }
}

// Objects that are to be read again, or forgotten.
extension Memory {
    var hasExpired: Bool { !expired.isEmpty }

    /// The next query or find that meets an object reads it again.
    func expire(_ object: PersistentObject) {
        object.freshness = epoch &- 1
        expired.insert(ObjectIdentifier(object))
    }

    /// Whether an object was expired and not read again since; it is not from then on.
    func takeExpired(_ object: PersistentObject) -> Bool {
        expired.remove(ObjectIdentifier(object)) != nil && !isCurrent(object)
    }

    /// Objects are to be forgotten when the outermost call, and the transaction under way, have ended.
    func evict(_ objects: [PersistentObject]) {
        leaving += objects
        gate.makeSpecial()
    }

    var isEvicting: Bool { !leaving.isEmpty }

    /// Forgets what was evicted; nothing may be under way that needs it.
    func forgetEvicted() {
        for object in exchange(&leaving, with: []) {
            guard object.lifecycle == .saved, let identity = object.identityMap,
                identity.session.map({ Borrowed($0) == session }) ?? false
            else { continue }
            identity.makeUntracked(object)
        }
    }
}

// The end of all.
extension Memory {
    /// The session forgets its objects; edits are dropped.
    func reset() {
        let identities = classes.allIdentities
        for identity in identities { identity.forgotten.store(true, ordering: .relaxed) }
        releaseLinks()
        for identity in identities { identity.sessionDidForget() }
        _ = pendingEdits.close()
        pendingEdits = PendingEdits()
        added = []
        expired = []
        _ = classes.removeAll()
        dropHeldTargets()
        notices.clear()
    }

    /// The session ends: its identity maps go on without it, and what waits to be saved is reported as lost.
    func sessionDidEnd() {
        for identity in classes.allIdentities { identity.sessionDidEnd() }
        for edit in pendingEdits.close() { store.lostEdits.report(LostEdits(edit)) }
        for object in added where object.lifecycle == .new { store.lostEdits.noteUnsaved("\(type(of: object))") }
        added = []
    }
}
