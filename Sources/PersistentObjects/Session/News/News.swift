// News: the reports of a session after a commit, a rollback or a call: hooks, closures, observers, and the events for
// subscribers. It knows the changes to objects, and must know neither why nor how they were made.

/// A session's reports, until they are delivered.
///
/// Invariants:
/// - `pending` and `closures` contain only changes that are committed, or that the save in progress will commit.
///   Changes of a user's transaction wait in its `TransactionLevel`.
/// - `hasNews` is true whenever `pending`, `closures` or `rolledBack` is not empty.
/// - Hooks are called outside any transaction and one after another. Changes that they make are reported after all
///   earlier changes.
/// - Observers are notified when the outermost call has ended; the gate is special until then.
final class News {
    /// The events of a commit for subscribers.
    let events: CommitEvents
    /// The user's innermost transaction in progress: changes to objects are reported after its commit.
    var level: TransactionLevel?
    private(set) var pending = ChangeLog() { didSet { hasNews = true } }
    /// The closures to call after the hooks.
    private(set) var closures: [() -> Void] = [] { didSet { hasNews = true } }
    /// The objects whose `didRollback` is to be called.
    private var rolledBack: [PersistentObject] = [] { didSet { hasNews = true } }
    /// Whether there may be any reports. Each call checks only this property, because the runtime checks each access to
    /// the collections for exclusivity.
    private var hasNews = false
    private(set) var isReporting = false
    private var isReportingRollback = false
    /// The number of times that the user's methods made changes while earlier changes were reported.
    private var rounds = NotificationRounds()
    /// The changes being reported, by object.
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

// Changes to objects.
extension News {
    /// Whether a class has hooks that are called after a commit.
    @inline(__always)
    static func isWanted(of map: ClassMap) -> Bool { !map.hooks.isDisjoint(with: .afterCommit) }

    /// Records that objects were inserted.
    func recordInserts(_ objects: [PersistentObject], _ map: ClassMap, _ options: SaveOptions) {
        guard News.isWanted(of: map) else { return }
        for object in objects {
            let start = ObjectMemory.start(of: object)
            let properties = map.inDeclaredOrder.map { ordinal in
                let property = map.properties[ordinal]
                return PropertyChange(
                    name: property.name, old: nil, new: property.codec.sendableValue(property.address(in: start)),
                    isEncrypted: property.sealing != nil)
            }
            record(object, map, .inserted, properties, options)
        }
    }

    /// Records that an object's changes are written. Called before the baseline is updated.
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

    /// Calls `body` after the commit of the current transaction or save; immediately if there is none.
    func afterCommit(isSaving: Bool, _ body: @escaping () -> Void) {
        if let level {
            level.closures.append(body)
        } else if isSaving {
            closures.append(body)
        } else {
            body()
        }
    }

    /// Records that an outermost transaction was committed.
    func recordCommit(of level: TransactionLevel) {
        pending.add(level.log)
        closures += level.closures
    }

    /// Records that a transaction was rolled back.
    func recordRollback(of level: TransactionLevel) {
        let objects = level.log.objectsToRollBack
        if !objects.isEmpty { rolledBack += objects }
    }

    /// Called if the transaction is attempted again, so that its rollback is not final.
    func dropRollbacks() { rolledBack = [] }

    /// Called if a save failed, so that the closures for its commit are not called.
    func dropClosures() { _ = exchange(&closures, with: []) }
}

// Reporting.
extension News {
    /// Reports committed and rolled-back changes, unless a transaction is in progress.
    @inline(__always)
    func report() { if hasNews { reportAll() } }

    private func reportAll() {
        guard level == nil, !isReporting else { return }
        isReporting = true
        defer {
            isReporting = false
            rounds = NotificationRounds()
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

    /// Calls `didRollback` of objects whose changes were rolled back. If such a method rolls back other objects, their
    /// methods are called after all methods that are already due.
    func reportRollbacks() {
        guard !rolledBack.isEmpty, !isReportingRollback else { return }
        isReportingRollback = true
        defer {
            isReportingRollback = false
            if !isReporting { rounds = NotificationRounds() }
        }
        while !rolledBack.isEmpty {
            let objects = rolledBack
            rounds.begin(objects.count)
            rolledBack = []
            for object in objects { object.didRollback() }
        }
    }

    /// The changes of an object being reported; nil if there are none.
    func changes(of object: PersistentObject) -> [PropertyChange]? { reported[ObjectIdentifier(object)] }

    /// Throws if hooks keep writing endlessly.
    func checkRounds() throws { if rounds.areTooMany { throw NotificationRounds.error } }
}

// Observers of objects, and of the undo state.
extension News {
    /// Records that the library changed a property of an object, whose observers are notified when the current call
    /// ends. `BaselineLayout.didChange` calls this for objects that have a row.
    @inline(__always)
    func recordChange(_ ordinal: Int, of object: PersistentObject, _ map: ClassMap) {
        if map.observed != nil { recordObserved(ordinal, of: object, map) }
    }

    @inline(never)
    private func recordObserved(_ ordinal: Int, of object: PersistentObject, _ map: ClassMap) {
        guard map.observed?.isObserved(object) ?? false else { return notices.reportUnknownRegistrars() }
        observedChanges.add(ordinal, of: object, map)
        gate.makeSpecial()
    }

    /// Records that the undo state changed.
    func recordUndoChange() {
        observedChanges.addUndo()
        gate.makeSpecial()
    }

    /// Removes and returns the changes to report to observers when the outermost call ends; nil if it continues, or if
    /// there are no changes.
    func takeObservedChanges() -> ObservedChanges? {
        guard !observedChanges.isEmpty, gate.isOutermost else { return nil }
        defer { gate.updateSpecial() }
        return exchange(&observedChanges, with: ObservedChanges())
    }
}
