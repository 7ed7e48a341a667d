internal import StoreEngine

/// The column that tells the classes of a hierarchy's rows, and what subclasses' columns hold in rows that are there.
///
/// The column comes with the first subclass, so a class without subclasses has
/// none.
struct HierarchyPlan {
    static let column = "class"

    private(set) var steps = SchemaSteps()
    private(set) var indexes: [IndexDefinition] = []
    /// Whether the table has the column, when the steps have been run.
    let hasClassColumn: Bool
    private let map: ClassMap
    private let dialect: Dialect
    let relatives: [ClassMap]
    /// Whether rows can be of subclasses already.
    private let hadClassColumn: Bool

    init(_ map: ClassMap, _ table: TableDescription?, relatives: [ClassMap], _ dialect: Dialect) throws {
        self.map = map
        self.dialect = dialect
        self.relatives = relatives
        let found = table?.column(HierarchyPlan.column)
        let own = map.properties.first { $0.hasColumn && Naming.folded($0.column) == HierarchyPlan.column }
        hadClassColumn = own == nil && (found.map { HierarchyPlan.tellsClass($0, dialect) } ?? false)
        hasClassColumn = hadClassColumn || !map.isRoot
        // A class without subclasses may have such a column of its own, as long as the file has no hierarchy.
        if let own, !map.isRoot || found?.defaultValue == HierarchyPlan.literal(map)?.text {
            throw SchemaError.duplicateColumn(
                className: map.name, column: HierarchyPlan.column, properties: [HierarchyPlan.column, own.name])
        }
        guard hasClassColumn else { return }
        if !hadClassColumn {
            guard found == nil else {
                throw SchemaError.unsuitableTable(
                    className: map.name, table: map.table, reason: "has another column \"class\" already")
            }
            try addColumn()
        }
        indexes = [
            IndexDefinition(
                name: "\(map.table).\(HierarchyPlan.column).index", columns: [HierarchyPlan.column], isUnique: false,
                isDescending: false)
        ]
    }

    /// Tells it from a column that a property was stored in: the default of a text is the empty one mostly.
    private static func tellsClass(_ column: ColumnDescription, _ dialect: Dialect) -> Bool {
        column.type == dialect.declaredType(.text).text && column.isNotNull && column.defaultValue != nil
            && column.defaultValue != "''"
    }

    private static func literal(_ map: ClassMap) -> SQLLiteral? { SQLLiteral(.text(String(describing: map.root))) }

    /// Rows that are there are of the root's class.
    private mutating func addColumn() throws {
        guard let literal = HierarchyPlan.literal(map) else {
            throw SchemaError.invalidName(
                className: map.name, name: String(describing: map.root), reason: "it has a NUL in it")
        }
        let type = dialect.declaredType(.text)
        steps.add(
            "ALTER TABLE \(name: map.table) ADD COLUMN \"class\" \(type) NOT NULL DEFAULT \(literal: literal)")
    }

    /// What fills a subclass's new column where rows have the class already.
    ///
    /// A class that this process has not seen may inherit the property, so all
    /// classes but those known not to have it get the value: one too many does
    /// no harm, a NULL in a property that is not optional is unreadable.
    func fill(_ property: Property, _ inspector: SchemaInspector) throws -> SchemaSteps {
        var steps = SchemaSteps()
        // Where the column that tells classes is new as well, there are no such rows.
        guard hadClassColumn else { return steps }
        let others = relatives.filter { $0.type != map.type }
        if let value = value(of: property, in: map) {
            guard value != .null else { return steps }
            steps.add("\(update(property)) \(isOfClasses(with: property))", binding: value)
        } else if try inspector.hasRows(of: map.name, in: map.table) {
            throw SchemaError.invalidDefault(
                className: map.name, property: property.name, reason: "it has no form in a column (NaN, for one)")
        }
        for other in others {
            guard let same = other.properties.first(where: { isSameColumn($0, property) }),
                let value = value(of: same, in: other), let name = SQLLiteral(.text(other.name))
            else { continue }
            steps.add("\(update(property)) \"class\" = \(literal: name)", binding: value)
        }
        return steps
    }

    /// The ids of the rows that `fill` gives the class's initial value; nil where there are none.
    func idsToFill(_ property: Property) -> SQL? {
        guard hadClassColumn else { return nil }
        return "SELECT \"id\" FROM \(name: map.table) WHERE \(isOfClasses(with: property))"
    }

    private func isOfClasses(with property: Property) -> SQL {
        let without = relatives.filter { relative in
            relative.type != map.type && !relative.properties.contains { isSameColumn($0, property) }
        }
        let names = without.compactMap { SQLLiteral(.text($0.name)) }.map { "\(literal: $0)" as SQL }
        return "\"class\" NOT IN (\(list: names))"
    }

    private func isSameColumn(_ one: Property, _ other: Property) -> Bool {
        one.hasColumn && Naming.folded(one.column) == Naming.folded(other.column)
    }

    private func value(of property: Property, in map: ClassMap) -> DatabaseValue? {
        map.place(of: property.name).flatMap { map.defaults[$0]?.value }
    }

    private func update(_ property: Property) -> SQL {
        "UPDATE \(name: map.table) SET \(name: property.column) = ? WHERE"
    }
}
