internal import Foundation
internal import PersistentObjects
internal import StoreEngine
internal import Synchronization

extension StoredReplica {
    func withSession<R>(_ body: (Session) throws -> R) throws -> R {
        let session = try Session(store)
        defer { session.close() }
        return try body(session)
    }

    /// A value of the file, which is read without taking the captured changes.
    func single<Value>(_ name: String, _ body: (DatabaseValue) -> Value?) throws -> Value {
        func read() throws -> Value? {
            try withSession { session in
                let tables = StateTables(session.connection)
                return try tables.exist ? tables.value(name).flatMap(body) : nil
            }
        }
        if let value = try read() { return value }
        // The store was erased, so it is a new device.
        try update { _ in }
        guard let value = try read() else {
            throw SyncError(.damagedBatch, "What the file knows of this device is damaged. Reset the device")
        }
        return value
    }

    /// Calls `body` with the replica as this process knows it.
    func withKnown<R>(_ body: (KnownReplica) throws -> R) throws -> R {
        if let known = known.withLock({ $0 }), try !isOutdated(known) { return try body(known) }
        _ = try update { _ in }
        guard let known = known.withLock({ $0 }) else {
            throw StoreError(.misuse, "The replica of \(store) was changed at the same time. Call again")
        }
        return try body(known)
    }

    func read<R>(_ body: (Replica<Rules>) throws -> R) throws -> R { try withKnown { try body($0.replica) } }

    private func isOutdated(_ known: KnownReplica) throws -> Bool {
        try withSession { try isOutdated(known, $0) }
    }

    private func isOutdated(_ known: KnownReplica, _ session: Session) throws -> Bool {
        guard known.preparations == SyncedShape.version(in: store) else { return true }
        let tables = StateTables(session.connection)
        return try !tables.exist || tables.version != known.version
    }

    /// Whether there are captured changes, or changes of other processes.
    var hasWork: Bool {
        get throws {
            let known = known.withLock { $0 }
            return try withSession { session in
                guard let known else { return try hasUnknownWork(session) }
                if try isOutdated(known, session) { return true }
                let numbers = DatabaseValue.text("[\(known.tables.map(String.init).joined(separator: ","))]")
                return try !session.connection.rows(
                    """
                    SELECT 1 FROM \(name: CaptureNames.marks) WHERE "tbl" IN (SELECT value FROM json_each(?1)) \
                    UNION ALL SELECT 1 FROM "po_sync_chosen" LIMIT 1
                    """, [numbers]
                ).isEmpty
            }
        }
    }

    /// The same for a process that has not read the replica yet.
    private func hasUnknownWork(_ session: Session) throws -> Bool {
        let tables = StateTables(session.connection)
        guard try tables.exist, try tables.version > 0 else { return true }
        let classes = try declaredClasses(session)
        guard try tables.arePresented(by: classes.declarations) else { return true }
        return try !CapturedChanges(classes.shapes, session.connection).isEmpty
            || ChosenGroups.exist(session.connection)
    }

    /// The synced classes, which are determined again if a class was prepared, or the file's schema changed.
    private func declaredClasses(_ session: Session) throws -> DeclaredClasses {
        let preparations = SyncedShape.version(in: store)
        let schema = try session.connection.rows("PRAGMA schema_version").first?[0]
        if let known = declared.withLock({ $0 }), known.preparations == preparations, known.schema == schema {
            return known
        }
        let shapes = try SyncedShape.all(in: session)
        let classes = DeclaredClasses(
            preparations: preparations, schema: schema, shapes: shapes,
            declarations: StateTables.declarations(of: shapes))
        declared.withLock { $0 = classes }
        return classes
    }

    /// Calls `body` with what the file knows of the device and its groups; with the objects only if this process knows
    /// them.
    func readGroups<R>(_ body: (Replica<Rules>, StateTables?) throws -> R) throws -> R {
        let known = known.withLock { $0 }
        let found: R? = try withSession { session in
            if let known, try !isOutdated(known, session) { return try body(known.replica, nil) }
            let tables = StateTables(session.connection)
            guard try tables.exist, let replica = try tables.replicaWithoutObjects(classes: [:], rules: Rules.self)
            else { return nil }
            return try body(replica, tables)
        }
        if let found { return found }
        return try read { try body($0, nil) }
    }

    /// Runs a call: reads the replica if the file has another one, takes the captured changes, calls `body`, writes the
    /// rows that show something else, and stores the replica, in one transaction.
    @discardableResult
    func update<R>(
        from name: String? = nil, ownGroup: GroupID? = nil, _ body: (inout Replica<Rules>) throws -> R
    ) throws -> StoredWork<R> {
        // Not in the lock, because observers of the commit may call the replica. If two calls run at once, the later one
        // reads the file.
        var old = known.withLock { known in
            defer { known = nil }
            return known
        }
        // Many objects are read or written at once.
        let isFirst = old?.replica.objects.isEmpty ?? true
        let (work, new) = try withSession { session in
            func run() throws -> (StoredWork<R>, KnownReplica) {
                try session.applyRemote(author: name.map { "sync: \($0)" }) { changes in
                    // The round has the only copy of the objects, which it changes in place. A repetition reads the file.
                    let current = old
                    old = nil
                    var round = try StoredRound(changes, consume current, at: time())
                    return try round.run(ownGroup, body)
                }
            }
            return isFirst ? try session.connection.loading.withSmallCache(run) : try run()
        }
        known.withLock { $0 = new }
        return work
    }
}

/// One call of a replica, in its transaction.
private struct StoredRound {
    private typealias Rules = StandardRules

    private let changes: RemoteChanges
    private let tables: StateTables
    private let objects: FileObjects
    private let preparations: Int
    private let declarations: [String: String]
    /// The replica in the file, without its objects; nil if there is none.
    private let stored: Replica<Rules>?
    private var replica: Replica<Rules>
    private let ownGroup: GroupID
    private let version: Int64
    /// What the rows show; nil if they must be compared.
    private var shown: Visibility?
    private let withheld: Set<ObjectKey>

    init(_ changes: RemoteChanges, _ known: KnownReplica?, at time: UInt64) throws {
        self.changes = changes
        let session = changes.session
        tables = StateTables(changes.connection)
        preparations = SyncedShape.version(in: session.store)
        if try !tables.exist {
            try changes.createCaptureTables()
            try tables.create()
        }
        try tables.checkFormat()
        version = try tables.version
        let isCurrent = known?.preparations == preparations
        let shapes = try isCurrent ? known?.shapes ?? [] : SyncedShape.all(in: session)
        let declarations = isCurrent ? known?.declarations ?? [:] : StateTables.declarations(of: shapes)
        self.declarations = declarations
        if !isCurrent { try tables.refuseRenamed(shapes) }
        objects = FileObjects(changes.connection, shapes)
        var classes: [Text: ClassShape] = [:]
        for shape in shapes { classes[Text(shape.name)] = try ClassShape(shape, objects) }
        if let known, known.version == version, version > 0 {
            (stored, replica, ownGroup) = (known.replica.withoutObjects, known.replica, known.ownGroup)
        } else if let found = try tables.replica(classes: classes, rules: Rules.self),
            let group = try tables.value("group").flatMap({ UInt128($0) })
        {
            (stored, replica, ownGroup) = (found.withoutObjects, found, GroupID(group))
        } else {
            stored = nil
            replica = Replica(DeviceID(.random(in: 1 ... .max)), classes: classes, rules: Rules.self)
            ownGroup = GroupID(.random(in: 1 ... .max))
            replica.enter(ownGroup)
            try tables.set("group", to: ownGroup.number.blob)
        }
        replica.journal = .init(number: replica.number)
        replica.now = time
        if let known, known.version == version, isCurrent {
            (shown, withheld) = (known.visibility, known.withheld)
        } else if try tables.arePresented(by: declarations), stored != nil {
            replica.update(classes: classes)
            (shown, withheld) = (replica.visibility, [])
        } else {
            replica.update(classes: classes)
            (shown, withheld) = (nil, [])
        }
    }

    /// - Parameter newGroup: The group of later objects for which no group is chosen; nil if it stays.
    mutating func run<R>(
        _ newGroup: GroupID?, _ body: (inout Replica<StandardRules>) throws -> R
    ) throws -> (StoredWork<R>, KnownReplica) {
        var captured = try CapturedChanges(objects.shapes, changes.connection)
        let absorbed = try absorb(captured)
        captured.drop()
        if shown == nil, stored != nil { try restate() }
        let value = try body(&replica)
        let old = shown == nil ? nil : stored
        let held = shown.map { HeldValues($0) }
        var application = try Application(replica, changes, objects, captured, shown: shown, withheld: withheld)
        shown = nil
        try application.run(since: old, absorbed: absorbed)
        if let newGroup { try tables.set("group", to: newGroup.number.blob) }
        let newVersion = try save(isPresented: application.withheld.isEmpty)
        replica.journal = nil
        let known = KnownReplica(
            replica: replica, ownGroup: newGroup ?? ownGroup, version: newVersion, shapes: objects.shapes,
            declarations: declarations, preparations: preparations, visibility: application.visibility,
            withheld: application.withheld, tables: captured.numbers.values.sorted())
        let conflicts = held.map { HeldValues(application.visibility).conflicts(since: $0, in: replica) }
        let work = StoredWork(
            value: value, changed: application.changed, absorbed: absorbed.count, held: conflicts ?? [])
        return (work, known)
    }

    /// Converts the captured changes; returns the changed objects.
    private mutating func absorb(_ captured: CapturedChanges) throws -> KeySet {
        if shown != nil, captured.isEmpty, try !ChosenGroups.exist(objects.connection) { return [] }
        var absorption = Absorption(
            replica, objects, captured, shown ?? replica.visibility, ownGroup: ownGroup)
        // The only copy of the objects is changed in place.
        replica = replica.withoutObjects
        try absorption.run(isFirst: shown == nil)
        replica = absorption.replica
        return absorption.absorbed
    }

    /// States what the rows show of classes that are declared in another way than before.
    private mutating func restate() throws {
        var restatement = Restatement(objects: objects, replica: replica)
        // The only copy of the objects is changed in place.
        replica = replica.withoutObjects
        try restatement.run(declarations, recorded: tables.shapes)
        replica = restatement.replica
    }

    /// - Parameter isPresented: Whether the rows show all objects that can be shown.
    private func save(isPresented isWhole: Bool) throws -> Int64 {
        let isChanged = try tables.save(replica, over: stored) || stored == nil
        let recorded = try tables.shapes
        let new = declarations.filter { recorded[$0.key] != $0.value }
        // A program that lacks classes cannot say that all rows are as they should be. Withheld objects are tried again
        // by the next program, too.
        let isComplete = isWhole && recorded.keys.allSatisfy { declarations[$0] != nil }
        let isPresented = try tables.value("presented")?.integer == version
        guard isChanged || isComplete && (!new.isEmpty || !isPresented) else { return version }
        if isChanged { try tables.set("version", to: .integer(version + 1)) }
        let current = isChanged ? version + 1 : version
        if isComplete {
            try tables.add(new)
            try tables.set("presented", to: .integer(current))
        }
        return current
    }
}
