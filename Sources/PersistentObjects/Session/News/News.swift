// News: what a session reports after a commit, a rollback or a call: hooks, closures, observers, and what subscribers
// receive of a commit. It knows what has been done to objects, and must know neither why nor how.

/// A session's reports, until they are delivered.
///
/// Invariants:
/// - `pending` and `closures` contain only changes that are committed, or will be with the save in progress. Changes of
///   a user's transaction wait in its `TransactionLevel`.
/// - `hasNews` is true whenever `pending`, `closures` or `rolledBack` is not empty.
/// - Hooks are called outside any transaction and one after another: their own changes are reported after everything
///   that came before.
/// - Observers are notified when the outermost call has ended; the gate is special until then.
final class News {
    /// What a commit tells subscribers.
    let events: CommitEvents
    /// The user's innermost transaction in progress: changes to objects are reported after its commit.
    var level: TransactionLevel?
    private(set) var pending = ChangeLog() { didSet { hasNews = true } }
    /// What is to be called after the hooks.
    private(set) var closures: [() -> Void] = [] { didSet { hasNews = true } }
    /// The objects whose `didRollback` is to be called.
    private var rolledBack: [PersistentObject] = [] { didSet { hasNews = true } }
    /// Whether there may be any of these: each call looks, and the run time watches each access to these.
    private var hasNews = false
    private(set) var isReporting = false
    private var isReportingRollback = false
    /// The number of times that the user's methods made changes while earlier ones were reported.
    private var rounds = TellingRounds()
    /// What is being reported, by object.
    private var reported: [ObjectIdentifier: [PropertyChange]] = [:]
    private var observedChanges = ObservedChanges()
    private let gate: Gate
    private let notices: GraphNotices

    init(_ events: CommitEvents, _ gate: Gate, _ notices: GraphNotices) {
        self.events = events
        self.gate = gate
        self.notices = notices
    }
}

// What is done to objects.
extension News {
    /// Whether any hook wants to know what is done to objects of a class.
    @inline(__always)
    static func isWanted(of map: ClassMap) -> Bool { !map.hooks.isDisjoint(with: .afterCommit) }

    /// Records that objects got their rows.
    func recordInserts(_ objects: [PersistentObject], _ map: ClassMap, _ options: SaveOptions) {
        guard News.isWanted(of: map) else { return }
        for object in objects {
            let start = ObjectMemory.start(of: object)
            let properties = map.inDeclaredOrder.map { place in
                let property = map.properties[place]
                return PropertyChange(
                    name: property.name, old: nil, new: property.codec.sendableValue(property.address(in: start)))
            }
            record(object, map, .inserted, properties, options)
        }
    }

    /// Records that an object's changes are written; its baseline does not have them yet.
    func recordUpdate(_ object: PersistentObject, _ map: ClassMap, _ changed: ColumnSet, _ options: SaveOptions) {
        guard News.isWanted(of: map), let block = object.baseline else { return }
        let properties = map.propertyChanges(changed, of: ObjectMemory.start(of: object), block)
        record(object, map, .updated, properties, options)
    }

    /// Records that an object's row is deleted.
    func recordDeletion(_ object: PersistentObject, _ map: ClassMap) {
        guard News.isWanted(of: map) else { return }
        record(object, map, .deleted, [], SaveOptions())
    }

    private func record(
        _ object: PersistentObject, _ map: ClassMap, _ kind: ObjectChange.Kind, _ properties: [PropertyChange],
        _ options: SaveOptions
    ) {
        let change = ObjectChange(
            object: object, map: map, id: object.rowID, kind: kind, properties: properties,
            callsHooks: !options.flags.contains(.withoutHooks))
        if let level { level.log.add(change) } else { pending.add(change) }
    }

    /// Has `body` called after the commit of what is under way; at once if nothing is.
    func afterCommit(isSaving: Bool, _ body: @escaping () -> Void) {
        if let level {
            level.closures.append(body)
        } else if isSaving {
            closures.append(body)
        } else {
            body()
        }
    }

    /// An outermost transaction is committed.
    func recordCommit(of level: TransactionLevel) {
        pending.add(level.log)
        closures += level.closures
    }

    /// A transaction was rolled back.
    func recordRollback(of level: TransactionLevel) {
        let objects = level.log.objectsToRollBack
        if !objects.isEmpty { rolledBack += objects }
    }

    /// The transaction goes on with another attempt: its objects are not rolled back for good.
    func dropRollbacks() { rolledBack = [] }

    /// A save failed: what waits for its commit is not called.
    func dropClosures() { _ = exchange(&closures, with: []) }
}

// Reporting.
extension News {
    /// Reports what is committed or rolled back, unless a transaction is under way.
    @inline(__always)
    func report() { if hasNews { reportAll() } }

    private func reportAll() {
        guard level == nil, !isReporting else { return }
        isReporting = true
        defer {
            isReporting = false
            rounds = TellingRounds()
        }
        while !pending.isEmpty || !closures.isEmpty || !rolledBack.isEmpty {
            reportRollbacks()
            let (changes, calls) = (pending.changes, closures)
            rounds.begin(changes.count + calls.count)
            pending = ChangeLog()
            closures = []
            reported = Dictionary(
                changes.map { (ObjectIdentifier($0.object), $0.properties) }, uniquingKeysWith: { first, _ in first })
            for change in changes where change.callsHooks { News.callHooks(change) }
            reported = [:]
            for call in calls { call() }
        }
        hasNews = false
    }

    private static func callHooks(_ change: ObjectChange) {
        switch change.kind {
        case .inserted: change.object.didInsert()
        case .updated: change.object.didUpdate()
        case .deleted: change.object.didDelete()
        }
        if change.kind != .deleted { change.object.didSave() }
        if change.map.hooks.contains(.didCommit) { change.object.didCommit() }
    }

    /// Calls `didRollback` of objects whose changes were rolled back. A rollback inside such a method calls the methods of
    /// its objects after all those that are due already.
    func reportRollbacks() {
        guard !rolledBack.isEmpty, !isReportingRollback else { return }
        isReportingRollback = true
        defer {
            isReportingRollback = false
            if !isReporting { rounds = TellingRounds() }
        }
        while !rolledBack.isEmpty {
            let objects = rolledBack
            rounds.begin(objects.count)
            rolledBack = []
            for object in objects { object.didRollback() }
        }
    }

    /// What is being reported of an object; nil if nothing is.
    func changes(of object: PersistentObject) -> [PropertyChange]? { reported[ObjectIdentifier(object)] }

    /// Refuses a write of hooks that go on without end.
    func checkRounds() throws { if rounds.areTooMany { throw TellingRounds.error } }
}

// Observers of objects, and of what can be undone.
extension News {
    /// The library gave a property of an object another value: its observers are notified when the call under way has
    /// ended. `BaselineLayout.didChange` does this for objects that have a row.
    @inline(__always)
    func recordChange(_ place: Int, of object: PersistentObject, _ map: ClassMap) {
        if map.observed != nil { recordObserved(place, of: object, map) }
    }

    @inline(never)
    private func recordObserved(_ place: Int, of object: PersistentObject, _ map: ClassMap) {
        guard map.observed?.isObserved(object) ?? false else { return notices.reportUnknownRegistrars() }
        observedChanges.add(place, of: object, map)
        gate.makeSpecial()
    }

    /// What can be undone has changed.
    func recordUndoChange() {
        observedChanges.addUndo()
        gate.makeSpecial()
    }

    /// What observers are to receive now that the outermost call ends; nil if it goes on, or there is nothing.
    func takeObservedChanges() -> ObservedChanges? {
        guard !observedChanges.isEmpty, gate.isOutermost else { return nil }
        defer { gate.updateSpecial() }
        return exchange(&observedChanges, with: ObservedChanges())
    }
}
