internal import StoreEngine

/// One session's state for the classes of one hierarchy, which share a table.
final class HierarchySpace {
    let rows = RowTable()
    /// Whether the table has a column for the class.
    var hasClassColumn = false
    /// The classes by their names in the class column.
    private(set) var classes: [String: ClassMap] = [:]
    private var identities: [ObjectIdentifier: IdentityMap] = [:]
    /// The unique values by column, for the columns that finders have used.
    var uniqueKeys: [String: UniqueKeys] = [:]

    /// The rows of the table; nil if they are not known, or not worth the memory.
    var whole: WholeTable?

    private var knownInverseTables: (classCount: Int, tables: Set<String>)?

    /// Adds a class; returns false if it was known.
    func add(_ map: ClassMap) -> Bool { classes.updateValue(map, forKey: map.name) == nil }

    /// The class and its known subclasses.
    func family(of map: ClassMap) -> [ClassMap] {
        classes.values.filter { $0.derives(from: map) }.sortedUnspecialized { $0.name < $1.name }
    }

    /// Whether a class of it that the session has used has inverses.
    var hasInverses: Bool { classes.values.contains { !$0.links.inverses.isEmpty } }

    /// The table of its classes, in lowercase.
    var table: String? { classes.values.first.map { Naming.folded($0.table) } }

    /// The tables whose rows determine the inverses of its objects, in lowercase.
    func inverseTables(_ dialect: Dialect) -> Set<String> {
        if let known = knownInverseTables, known.classCount == classes.count { return known.tables }
        var tables: Set<String> = []
        defer { knownInverseTables = (classes.count, tables) }
        for map in classes.values {
            for ordinal in map.links.inverses {
                guard let side = try? InverseSide.of(map.properties[ordinal], in: map) else { continue }
                tables.insert(Naming.folded(side.other.table))
            }
            for ordinal in map.links.filteredInverses {
                // A condition without a reach was refused when the class was prepared.
                let reach = try? InverseReach(map.properties[ordinal], of: map, dialect)
                tables.formUnion(reach?.tables ?? [])
            }
        }
        return tables
    }

    var allIdentities: [IdentityMap] { Array(identities.values) }
    var liveCount: Int { identities.values.reduce(0) { $0 + $1.count } }

    func identity(of map: ClassMap, _ session: Session) -> IdentityMap {
        if let known = identities[ObjectIdentifier(map)] { return known }
        let made = IdentityMap(map, rows, session: session)
        identities[ObjectIdentifier(map)] = made
        return made
    }
}
