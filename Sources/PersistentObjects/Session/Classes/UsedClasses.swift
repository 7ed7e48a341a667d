// Classes: a session's state for each class that it uses: identity map, statements, plans, and whether its table is
// prepared. It knows classes and the connection, and must neither read objects nor write rows.

internal import StoreEngine

/// The classes that were used in a session. Most consecutive calls concern one class, so the last class is cached.
///
/// Invariants:
/// - A class in it has its table, and so have all classes that have rows in the table.
/// - `lastClass`, `lastSpace` and `lastVersion` belong together: the space is valid as long as the store has prepared
///   no further class.
/// - `lastRows` is not nil only while each object in it is of the last class and is current without a check: no object
///   is expired, and no `reading { }` is in progress.
final class UsedClasses {
    private let connection: any Connection
    private let stored: StoredClasses
    private var spaces = ClassSpaces()
    private var lastSpace: ClassSpace? { didSet { updateLastRows() } }
    /// The rows of `lastSpace`, borrowed so that a lookup needs no reference counting.
    private var lastRows: Borrowed<RowTable>?
    private var lastClass: ObjectIdentifier?
    /// The store's count of preparations when the last class was looked up.
    private var lastVersion = 0
    /// Whether objects must be read again, also by a find.
    var hasExpiredObjects = false { didSet { if hasExpiredObjects != oldValue { updateLastRows() } } }
    /// Whether a `reading { }` is in progress, so that objects may have values of another state.
    private var isReading = false
    /// Classes whose tables are being changed by users' conversions.
    private var converted: Set<ObjectIdentifier> = []
    /// The number of triggers that the connection's statements run, as of the last check.
    private var triggerCount = 0
    /// Whether another program created any of these triggers. Such triggers change rows in the session's own commits.
    private(set) var runsForeignTriggers = false

    init(_ gate: Gate) {
        connection = gate.connection
        stored = gate.store.classes
    }
}

extension UsedClasses {
    /// The session's state for a class if it was used last; nil if it must be looked up.
    @inline(__always)
    func last(_ type: PersistentObject.Type) -> ClassSpace? {
        lastClass == ObjectIdentifier(type) && lastVersion == stored.version ? lastSpace : nil
    }

    /// The identity map and statements of a class; creates or updates its table first.
    func lookUp(_ type: PersistentObject.Type, _ session: Session) throws -> ClassSpace {
        let space = try spaces.space(of: type, session)
        lastSpace = space
        lastClass = ObjectIdentifier(type)
        lastVersion = spaces.version
        return space
    }

    /// The rows in memory, if the class was used last and all of their objects are of the class; otherwise nil.
    @inline(__always)
    func knownRows(of type: PersistentObject.Type) -> Borrowed<RowTable>? {
        guard lastClass == ObjectIdentifier(type), lastVersion == stored.version else { return nil }
        return lastRows
    }

    private func updateLastRows() {
        let isPlain = !hasExpiredObjects && !isReading
        lastRows = isPlain ? lastSpace.flatMap(\.allRows) : nil
    }

    /// Called when a `reading { }` begins or ends; the class used last must be looked up again.
    func setReading(_ isReading: Bool) {
        self.isReading = isReading
        forgetLast()
    }

    private func forgetLast() {
        lastSpace = nil
        lastClass = nil
    }

    /// The session's state for a hierarchy; nil if the session used no class of the hierarchy.
    func usedHierarchy(of root: PersistentObject.Type) -> HierarchySpace? { spaces.hierarchy(of: root) }

    /// The session's state for a class; nil if the session did not use the class.
    func usedSpace(of type: PersistentObject.Type) -> ClassSpace? { spaces.usedSpace(of: type) }

    /// The session's state for all hierarchies whose classes were used.
    var usedHierarchies: [HierarchySpace] { spaces.allHierarchies }

    /// The identity maps of all classes used so far.
    var allIdentities: [IdentityMap] { spaces.allIdentities }

    /// The number of objects in memory.
    var liveCount: Int { spaces.liveCount }

    /// Whether any rows of a class's table are in memory.
    func hasObjects(of map: ClassMap) -> Bool {
        usedHierarchy(of: map.root)?.allIdentities.contains { $0.count > 0 } ?? false
    }

    /// Records deleted objects that leave the identity maps from now on.
    func recordDepartures(in departed: DepartedObjects?) { spaces.recordDepartures(in: departed) }

    /// Forgets all classes.
    ///
    /// - Returns: The objects that own statements, which end on the connection.
    func removeAll() -> [AnyObject] {
        let removed: [AnyObject?] = [spaces, lastSpace]
        let departed = spaces.departed
        spaces = ClassSpaces()
        spaces.recordDepartures(in: departed)
        forgetLast()
        return removed.compactMap(\.self)
    }
}

// Triggers, and classes whose tables are being changed.
extension UsedClasses {
    /// Whether any statement so far runs triggers of other programs.
    func lookForTriggers() -> Bool {
        let triggers = connection.writingTriggers
        if triggers.count != triggerCount {
            triggerCount = triggers.count
            runsForeignTriggers = triggers.contains { !OwnTriggers.contains($0) }
        }
        return runsForeignTriggers
    }

    /// Whether some of the classes use existing tables that other classes, whose objects may be in memory, also use.
    func areShared(_ maps: [ClassMap]) -> Bool {
        maps.contains { $0.foreign != nil && stored.classes(sharing: $0.table).count > 1 }
    }

    /// Throws if one of the classes is being converted.
    func checkAreNotConverted(_ maps: [ClassMap]) throws {
        guard let map = maps.first(where: { converted.contains(ObjectIdentifier($0.type)) }) else { return }
        throw StoreError(
            .misuse, "A conversion must not use the class that is being changed", className: map.name)
    }

    /// Calls `body`, in which conversions of the classes run, which must not use the classes.
    func converting<R>(_ maps: [ClassMap], _ body: () throws -> R) rethrows -> R {
        let former = converted
        converted.formUnion(maps.map { ObjectIdentifier($0.type) })
        defer { converted = former }
        return try body()
    }
}
