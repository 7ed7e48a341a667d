// Memory: the state of a session's objects: whether they are current, and which objects must be read again, held,
// forgotten or saved later. It knows objects and identity maps, and must neither read rows nor write them.

internal import StoreEngine
internal import Synchronization

/// A session's knowledge of its objects.
///
/// Invariants:
/// - An object whose freshness is `epoch` was read or written after the session last noticed changes by other sessions.
///   The same is true if its freshness is `conflictEpoch`; it then also has edits of properties that were changed
///   elsewhere.
/// - `epoch` belongs to `knownVersion`, the database's state that the session saw last.
/// - Each unsaved edit is either in a live object or in `pendingEdits`, never in both.
/// - `heldTargets` retains objects only until the next fetch, and `leaving` until the current call or transaction ends.
///   Apart from `added`, no other property retains objects.
final class Memory {
    /// The session, which sets this property when it is created.
    var session: Borrowed<Session>?
    private let store: Store
    private let connection: any Connection
    private let gate: Gate
    let classes: UsedClasses
    private let isReader: Bool
    /// The number of times that this session has noticed changes of the database by other sessions.
    private(set) var epoch: UInt32 = 0
    /// The engine's number of the database's state that `epoch` belongs to.
    private(set) var knownVersion: UInt32?
    /// The changes of other sessions' commits to rows; nil if all objects become stale after such commits.
    private(set) var staleRows: StaleRows?
    /// The number of times that commits of other sessions made all objects stale.
    private var surpriseCount = 0
    /// The number of times that the session forgot objects, so that their rows are read into other objects.
    private(set) var forgetCount = 0
    /// Whether rows may have been replaced since the keys of the objects in memory were compared.
    var hasUncheckedKeys = false
    /// Whether objects keep their rows' numbers although the keys changed, because the session itself changed them.
    private(set) var followsNumbers = false
    /// Objects that must be read again, also by a find.
    private var expired: Set<ObjectIdentifier> = [] { didSet { classes.hasExpiredObjects = !expired.isEmpty } }
    /// The objects to evict when the current call or transaction has ended.
    private var leaving: [PersistentObject] = []
    /// Objects that only weak references refer to. They are retained until the next fetch, so that they can be used.
    var heldTargets: [PersistentObject] = []
    /// New objects that the next `saveChanges()` also saves.
    private(set) var added: [PersistentObject] = []
    /// The unsaved edits of deallocated objects.
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

// The objects in memory that may differ from their rows: all objects after unknown commits, or only the objects whose
// rows were written, if other sessions of the process reported their commits.
extension Memory {
    /// Marks all objects as stale: the next query that returns an object reads it again.
    func markAllStale() {
        epoch &+= 1
        hasUncheckedKeys = true
    }

    /// Marks an object as stale: the next query that returns it reads it again.
    func markStale(_ object: PersistentObject) { object.freshness = epoch &- 1 }

    /// Marks rows of a hierarchy as stale: the next query that returns one of their objects reads it again.
    func markStale(_ ids: some Sequence<Int64>, of root: PersistentObject.Type) {
        guard let rows = classes.usedHierarchy(of: root)?.rows else { return }
        for id in ids { rows.object(for: id)?.freshness = epoch &- 1 }
    }

    /// Called after rows were written, because triggers of other programs may have changed other rows.
    func markStaleAfterTriggers() { if classes.lookForTriggers() { markAllStale() } }

    /// Called after rows of some classes were written, because objects of other classes over the same tables may be
    /// stale.
    func markStaleIfShared(_ maps: [ClassMap]) { if classes.areShared(maps) { markAllStale() } }

    func followingNumbers(_ body: () -> Void) {
        followsNumbers = true
        defer { followsNumbers = false }
        body()
    }

    /// The freshness of an object that was read, and has edits of properties that were also changed elsewhere.
    @inline(__always)
    var conflictEpoch: UInt32 { epoch ^ 1 << 31 }

    /// The freshness of an object that was just written.
    var freshnessOfWritten: UInt32 { classes.runsForeignTriggers ? epoch &- 1 : epoch }

    /// Whether the row of an object was read after all objects became stale.
    func isCurrent(_ object: PersistentObject) -> Bool {
        object.freshness == epoch || object.freshness == conflictEpoch
    }

    /// Whether an object, when it was last read, had edits of properties that were also changed elsewhere.
    func isConflicted(_ object: PersistentObject) -> Bool { (object.freshness ^ conflictEpoch) >> 31 == 0 }

    /// Records the session's commit, so that it does not count as a change by other sessions.
    func recordOwnCommit() { knownVersion = connection.dataVersion }

    /// Checks whether other sessions have changed the database. Called inside a transaction or while a statement is on
    /// a row.
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
        let isReported = store.hub.isWatched && store.hub.lookForOthers { connection.commitMark }
        guard !isFirst else { return }
        hasUncheckedKeys = true
        guard let staleRows else {
            markAllStale()
            return learnOfCommits()
        }
        let news = staleRows.take(isNewest: isNewest)
        if isReported { mark(news, since: former, version) } else { markAllStale() }
    }

    /// Listens to other sessions' commits after they repeatedly made objects stale. Reports have a cost for these
    /// sessions.
    private func learnOfCommits() {
        surpriseCount += 1
        if surpriseCount > 1, classes.liveCount >= Memory.worthwhileCount, !isReader { listenToCommits() }
    }

    /// Listens to other sessions' commits from now on, if the engine can determine that no other process has written.
    func listenToCommits() {
        guard staleRows == nil, connection.commitMark != nil, let session = session?.object else { return }
        let rows = StaleRows(for: session)
        staleRows = rows
        store.subscribe(rows, boundTo: session)
    }

    /// The number of objects from which listening is worthwhile, because fewer objects are read again quickly.
    private static let worthwhileCount = 256

    /// Stops listening to other sessions' commits.
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
        // Marking individual objects costs more than it saves if most objects are affected.
        guard whole.reduce(0, { $0 + $1.liveCount }) * 2 <= classes.liveCount else { return markAllStale() }
        for hierarchy in hierarchies {
            let isWhole = whole.contains { $0 === hierarchy }
            let ids = hierarchy.table.flatMap { news.rows[$0] } ?? []
            let stale = isWhole ? hierarchy.liveObjects() : ids.compactMap { hierarchy.rows.object(for: $0) }
            for object in stale { markStale(object) }
        }
    }

    /// Updates the ids of whole tables, which remain valid except for the rows that were written.
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

// New objects, and objects that only weak references refer to.
extension Memory {
    /// Adds a new object, which the next `saveChanges()` also saves.
    func add(_ object: PersistentObject) { added.append(object) }

    /// Removes the added objects, so that they are not saved.
    func dropAdded() { added = [] }

    /// Removes added objects that are saved. In a transaction they are kept, because a rollback makes them new again.
    func forgetSavedAdditions() {
        if !added.isEmpty, inverses.level == nil { added.removeAll { $0.lifecycle != .new } }
    }

    /// Releases the targets of weak references outside the access to the property, because a user's `deinit` may fetch
    /// objects and so call this method again.
    func dropHeldTargets() { _ = takeHeldTargets() }

    /// Removes and returns the targets of weak references.
    func takeHeldTargets() -> [PersistentObject] { exchange(&heldTargets, with: []) }
}

// Objects that must be read again, or forgotten.
extension Memory {
    var hasExpired: Bool { !expired.isEmpty }

    /// Marks an object as expired: the next query or find that returns it reads it again.
    func expire(_ object: PersistentObject) {
        object.freshness = epoch &- 1
        expired.insert(ObjectIdentifier(object))
    }

    /// Whether an object is expired and was not read again; removes the mark.
    func takeExpired(_ object: PersistentObject) -> Bool {
        expired.remove(ObjectIdentifier(object)) != nil && !isCurrent(object)
    }

    /// Requests that objects are forgotten when the outermost call and the current transaction have ended.
    func evict(_ objects: [PersistentObject]) {
        leaving += objects
        gate.makeSpecial()
    }

    var isEvicting: Bool { !leaving.isEmpty }

    /// Forgets evicted objects. No operation may be in progress that needs them.
    func forgetEvicted() {
        for object in exchange(&leaving, with: []) {
            guard object.lifecycle == .saved, let identity = object.identityMap,
                identity.session.map({ Borrowed($0) == session }) ?? false
            else { continue }
            identity.makeUntracked(object)
            forgetCount += 1
        }
    }
}

// Reset and end of the session.
extension Memory {
    /// Forgets all objects and drops their edits.
    func reset() {
        forgetCount += 1
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

    /// Called when the session ends. Its identity maps continue without it, and unsaved edits are reported as lost.
    func sessionDidEnd() {
        for identity in classes.allIdentities { identity.sessionDidEnd() }
        for edit in pendingEdits.close() { store.lostEdits.report(LostEdits(edit)) }
        for object in added where object.lifecycle == .new { store.lostEdits.warnUnsaved("\(type(of: object))") }
        added = []
    }
}
