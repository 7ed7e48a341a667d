internal import StoreEngine

/// The classes that a session has used, and their hierarchies.
///
/// A class and not a struct, because preparing a table commits, which runs users' SQL functions, and these look up
/// classes here. A struct would be in the middle of a modification.
final class ClassSpaces {
    private var spaces: [ObjectIdentifier: ClassSpace] = [:]
    /// The hierarchies by root class.
    private var hierarchies: [ObjectIdentifier: HierarchySpace] = [:]
    /// The record of deleted objects that leave the identity maps; nil if nothing is recorded for undo.
    private(set) var departed: DepartedObjects?
    /// The store's count of preparations up to which subclasses are known.
    private(set) var version = 0

    var allIdentities: [IdentityMap] {
        hierarchies.values.flatMap(\.allIdentities).sorted { $0.classMap.name < $1.classMap.name }
    }

    var allHierarchies: [HierarchySpace] { Array(hierarchies.values) }

    /// The number of objects.
    var liveCount: Int { hierarchies.values.reduce(0) { count, hierarchy in count + hierarchy.liveCount } }

    /// Records deleted objects that leave the identity maps from now on.
    func recordDepartures(in departed: DepartedObjects?) {
        self.departed = departed
        for hierarchy in hierarchies.values { hierarchy.rows.departed = departed }
    }

    /// The hierarchy of a root class; nil if no class of the hierarchy was used.
    func hierarchy(of root: PersistentObject.Type) -> HierarchySpace? { hierarchies[ObjectIdentifier(root)] }

    /// The space of a class; nil if the class was not used.
    func usedSpace(of type: PersistentObject.Type) -> ClassSpace? { spaces[ObjectIdentifier(type)] }

    func space(of type: PersistentObject.Type, _ session: Session) throws -> ClassSpace {
        if version != session.store.classes.version { addNewClasses(session) }
        if let space = spaces[ObjectIdentifier(type)] { return space }
        let map = try ClassMap.map(of: type)
        try session.prepareTable(of: map)
        let others = try storedClasses(of: map, session)
        // From here on only library code runs, so that user code never finds a partial change.
        if let space = spaces[ObjectIdentifier(type)] { return space }
        let hierarchy = hierarchies[ObjectIdentifier(map.root)] ?? HierarchySpace()
        hierarchy.rows.departed = departed
        hierarchies[ObjectIdentifier(map.root)] = hierarchy
        join(map, others, hierarchy, session)
        let space = try ClassSpace(map, hierarchy, session: session)
        spaces[ObjectIdentifier(type)] = space
        return space
    }

    /// Adds classes that other sessions have used to the hierarchies of this session.
    private func addNewClasses(_ session: Session) {
        version = session.store.classes.version
        for hierarchy in hierarchies.values {
            guard let map = hierarchy.classes.values.first, session.store.classes.hasClassColumn(map) else { continue }
            var grew = !hierarchy.hasClassColumn
            hierarchy.hasClassColumn = true
            for relative in session.store.classes.relatives(of: map) where hierarchy.add(relative) { grew = true }
            if grew { renew(hierarchy) }
        }
    }

    /// The other classes of the rows in a class's table, whose tables are created or updated; empty if they are already
    /// known.
    private func storedClasses(of map: ClassMap, _ session: Session) throws -> [ClassMap] {
        let isKnown = hierarchies[ObjectIdentifier(map.root)]?.hasClassColumn ?? false
        guard !isKnown else { return [] }
        let others = try ClassSpaces.storedClasses(sharing: map, session)
        for other in others { try session.prepareTable(of: other) }
        return others
    }

    /// The other classes of the rows in a class's table, by their present or former names.
    static func storedClasses(sharing map: ClassMap, _ session: Session) throws -> [ClassMap] {
        guard session.store.classes.hasClassColumn(map) else { return [] }
        var others: [ClassMap] = []
        for name in try classNames(sharing: map, session) {
            let named = ClassResolver.subclass(named: name, of: map.root)
            guard let type = named ?? ClassResolver.renamedSubclass(from: name, of: map.root), type != map.type else {
                continue
            }
            others.append(try ClassMap.map(of: type))
        }
        return others
    }

    /// Adds a class to its hierarchy, and other classes that are known to share its table.
    private func join(_ map: ClassMap, _ others: [ClassMap], _ hierarchy: HierarchySpace, _ session: Session) {
        var grew = hierarchy.add(map)
        if session.store.classes.hasClassColumn(map) {
            grew = grew || !hierarchy.hasClassColumn
            hierarchy.hasClassColumn = true
            for other in others { _ = hierarchy.add(other) }
            for relative in session.store.classes.relatives(of: map) where hierarchy.add(relative) { grew = true }
        }
        if grew { renew(hierarchy) }
    }

    /// Recreates the statements of a hierarchy's classes, because they name the classes, and the plans of other
    /// classes, whose paths may lead to the hierarchy.
    private func renew(_ hierarchy: HierarchySpace) {
        for (key, space) in spaces {
            if space.hierarchy === hierarchy { spaces[key] = nil } else { space.forgetPlans() }
        }
    }

    /// The names in a table's class column. Each name is found by the index, so that the table is not read.
    private static func classNames(sharing map: ClassMap, _ session: Session) throws -> [String] {
        let table = map.table
        // The names contain a space, so no user column has them.
        let statement = try session.connection.statement(
            """
            WITH RECURSIVE " known"(" name") AS (SELECT min("class") FROM \(name: table) \
            UNION ALL SELECT (SELECT min("class") FROM \(name: table) WHERE "class" > " known"." name") \
            FROM " known" WHERE " name" IS NOT NULL) SELECT " name" FROM " known"
            """)
        defer { statement.finish() }
        var names: [String] = []
        while try statement.step() {
            guard !statement.column(0).isNull else { continue }
            do { names.append(try String.read(statement.column(0))) } catch {
                throw StoreError.value(error).at(className: map.name, sql: statement.sql)
            }
        }
        return names
    }
}
