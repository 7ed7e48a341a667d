// Classes: what a session has for each class that was used in it: identity map, statements, plans, and whether its
// table is prepared. It knows classes and the connection, and must neither read objects nor write rows.

internal import StoreEngine

/// The classes that were used in a session. Most calls in a row are about one class, so the last one is at hand.
///
/// Invariants:
/// - A class that is in it has its table, and so have all classes that rows of the table are of.
/// - `lastClass`, `lastSpace` and `lastVersion` belong together: the space is valid as long as the store has prepared
///   no further class.
/// - `lastRows` is not nil only while each object in it is of the last class and is current without a look: no object is
///   expired, and no `reading { }` is under way.
final class UsedClasses {
    private let connection: any Connection
    private let stored: StoredClasses
    private var spaces = ClassSpaces()
    private var lastSpace: ClassSpace? { didSet { updateLastRows() } }
    /// What is found there costs no count of a reference.
    private var lastRows: Borrowed<RowTable>?
    private var lastClass: ObjectIdentifier?
    /// The store's count of preparations that it belongs to.
    private var lastVersion = 0
    /// Whether objects are to be read again, by a find too.
    var hasExpiredObjects = false { didSet { if hasExpiredObjects != oldValue { updateLastRows() } } }
    /// Whether objects may be of another state than that of the reading under way.
    private var isReading = false
    /// Classes whose tables are being changed by users' conversions.
    private var converted: Set<ObjectIdentifier> = []
    /// How many triggers the connection's statements run, as far as the session has looked.
    private var triggerCount = 0
    /// Whether any of these is not the library's: such triggers change rows in the session's own commits.
    private(set) var runsForeignTriggers = false

    init(_ gate: Gate) {
        connection = gate.connection
        stored = gate.store.classes
    }
}

extension UsedClasses {
    /// What the session has of a class if it was the last one used; nil if it has to be looked up.
    @inline(__always)
    func last(_ type: PersistentObject.Type) -> ClassSpace? {
        lastClass == ObjectIdentifier(type) && lastVersion == stored.version ? lastSpace : nil
    }

    /// The identity map and statements of a class, its table made or updated.
    func lookUp(_ type: PersistentObject.Type, _ session: Session) throws -> ClassSpace {
        let space = try spaces.space(of: type, session)
        lastSpace = space
        lastClass = ObjectIdentifier(type)
        lastVersion = spaces.version
        return space
    }

    /// The rows of a class in memory, all of whose objects are of the class; nil if more has to be looked at.
    @inline(__always)
    func knownRows(of type: PersistentObject.Type) -> Borrowed<RowTable>? {
        guard lastClass == ObjectIdentifier(type), lastVersion == stored.version else { return nil }
        return lastRows
    }

    private func updateLastRows() {
        let isPlain = !hasExpiredObjects && !isReading
        lastRows = isPlain ? lastSpace.flatMap(\.allRows) : nil
    }

    /// A `reading { }` begins or ends: the class used last is looked up again.
    func setReading(_ isReading: Bool) {
        self.isReading = isReading
        forgetLast()
    }

    private func forgetLast() {
        lastSpace = nil
        lastClass = nil
    }

    /// What the session has of a hierarchy; nil if none of its classes was used in it.
    func usedHierarchy(of root: PersistentObject.Type) -> HierarchySpace? { spaces.hierarchy(of: root) }

    /// What the session has of a class; nil if it was not used in it.
    func usedSpace(of type: PersistentObject.Type) -> ClassSpace? { spaces.usedSpace(of: type) }

    /// What the session has of all hierarchies of which classes were used.
    var usedHierarchies: [HierarchySpace] { spaces.allHierarchies }

    /// The identity maps of all classes used so far.
    var allIdentities: [IdentityMap] { spaces.allIdentities }

    /// How many objects are in memory.
    var liveCount: Int { spaces.liveCount }

    /// Whether any rows of a class's table are in memory.
    func hasObjects(of map: ClassMap) -> Bool {
        usedHierarchy(of: map.root)?.allIdentities.contains { $0.count > 0 } ?? false
    }

    /// Records from now on which objects leave the identity maps as deleted ones.
    func recordDepartures(in departed: DepartedObjects?) { spaces.recordDepartures(in: departed) }

    /// Forgets all classes. The answer is what has statements, which end on the connection.
    func removeAll() -> [AnyObject] {
        let removed: [AnyObject?] = [spaces, lastSpace]
        let departed = spaces.departed
        spaces = ClassSpaces()
        spaces.recordDepartures(in: departed)
        forgetLast()
        return removed.compactMap(\.self)
    }
}

// Triggers, and tables under change.
extension UsedClasses {
    /// Whether any statement so far runs triggers that are not the library's.
    func lookForTriggers() -> Bool {
        let triggers = connection.writingTriggers
        if triggers.count != triggerCount {
            triggerCount = triggers.count
            runsForeignTriggers = triggers.contains { !OwnTriggers.contains($0) }
        }
        return runsForeignTriggers
    }

    /// Whether some of the classes are over tables that other classes are over too, which may be in memory.
    func areShared(_ maps: [ClassMap]) -> Bool {
        maps.contains { $0.foreign != nil && stored.classes(sharing: $0.table).count > 1 }
    }

    /// Throws if one of the classes is being converted.
    func checkAreNotConverted(_ maps: [ClassMap]) throws {
        guard let map = maps.first(where: { converted.contains(ObjectIdentifier($0.type)) }) else { return }
        throw StoreError(
            .misuse, "A conversion must not use the class that is being changed", className: map.name)
    }

    /// Calls `body`, in which conversions of the classes run: these may not use the classes.
    func converting<R>(_ maps: [ClassMap], _ body: () throws -> R) rethrows -> R {
        let former = converted
        converted.formUnion(maps.map { ObjectIdentifier($0.type) })
        defer { converted = former }
        return try body()
    }
}
