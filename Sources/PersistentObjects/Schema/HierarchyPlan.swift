internal import StoreEngine

/// The column that stores the classes of a hierarchy's rows, and the values of subclasses' new columns in existing
/// rows.
///
/// The column is added with the first subclass, so the table of a class without subclasses has no such column.
struct HierarchyPlan {
    static let column = "class"

    private(set) var changes: [SchemaPlan.Change] = []
    private(set) var indexes: [IndexDefinition] = []
    /// Whether the table has the column after the plan has run.
    let hasClassColumn: Bool
    private let map: ClassMap
    private let context: PlanContext
    private let foundName: String
    private let dialect: Dialect
    let relatives: [ClassMap]
    /// Whether rows can already belong to subclasses.
    private let hadClassColumn: Bool

    init(_ map: ClassMap, _ table: PlannedTable, _ context: PlanContext) throws {
        self.map = map
        self.context = context
        foundName = table.foundName
        dialect = context.dialect
        relatives = context.relatives(of: map)
        let found = table.found?.column(HierarchyPlan.column)
        let own = map.properties.first { $0.hasColumn && Naming.folded($0.column) == HierarchyPlan.column }
        hadClassColumn = HierarchyPlan.hasClassColumn(table.found, map, context.dialect)
        hasClassColumn = hadClassColumn || !map.isRoot
        // A class without subclasses may declare such a column itself, as long as the file has no hierarchy.
        if let own, !map.isRoot || HierarchyPlan.isDefault(found, of: map) {
            throw SchemaError.duplicateColumn(
                className: map.name, column: HierarchyPlan.column, properties: [HierarchyPlan.column, own.name])
        }
        guard hasClassColumn else { return }
        if !hadClassColumn {
            guard found == nil else {
                throw SchemaError.unsuitableTable(
                    className: map.name, table: map.table, reason: "already has another column \"class\"")
            }
        }
        let isNew = table.seenColumns.insert(HierarchyPlan.column).inserted
        if !hadClassColumn, isNew { try addColumn() }
        let formerRoot = HierarchyPlan.formerRoot(found, map, context.record)
        if hadClassColumn, isNew, formerRoot != nil { try renameRoot(table) }
        if hadClassColumn { renameClass(context.record, formerRoot) }
        indexes = [
            IndexDefinition(
                name: "\(map.table).\(HierarchyPlan.column).index", columns: [HierarchyPlan.column], isUnique: false,
                isDescending: false)
        ]
    }

    /// Whether a table of the file stores the classes of its rows.
    static func hasClassColumn(_ table: TableDescription?, _ map: ClassMap, _ dialect: Dialect) -> Bool {
        let own = map.properties.contains { $0.hasColumn && Naming.folded($0.column) == column }
        return !own && (table?.column(column).map { storesClass($0, dialect) } ?? false)
    }

    private static func isDefault(_ column: ColumnDescription?, of map: ClassMap) -> Bool {
        guard let column else { return false }
        return column.defaultValue == literal(map)?.text
    }

    /// Whether a column is the class column and not a property's column. The default of a string property is usually
    /// the empty string.
    private static func storesClass(_ column: ColumnDescription, _ dialect: Dialect) -> Bool {
        column.type == dialect.declaredType(.text).text && column.isNotNull && column.defaultValue != nil
            && column.defaultValue != "''"
    }

    private static func literal(_ map: ClassMap) -> SQLLiteral? { SQLLiteral(.text(String(describing: map.root))) }

    /// The former name of a renamed root, which is still the default of the class column: a name that the root declares,
    /// or that of the class with the root's former table.
    private static func formerRoot(
        _ found: ColumnDescription?, _ map: ClassMap, _ record: FileRecord
    ) -> String? {
        let tables = Set(map.formerTables.map(Naming.folded))
        let ofTables = record.classes.values.filter { $0.superclass == nil && tables.contains(Naming.folded($0.table)) }
        return (map.root.formerNames + ofTables.map(\.name).sortedUnspecialized()).first { name in
            // A class that became a subclass keeps its rows.
            SQLLiteral(.text(name))?.text == found?.defaultValue
                && ClassResolver.subclass(named: name, of: map.root) == nil
        }
    }

    /// Existing rows belong to the root's class.
    private mutating func addColumn() throws {
        let definition = try definition(named: HierarchyPlan.column)
        var steps = SchemaSteps()
        steps.add("ALTER TABLE \(name: map.table) ADD COLUMN \(definition)")
        add("adds column \"class\" with the class of each row", .columns, steps)
    }

    private func definition(named name: String) throws -> SQL {
        guard let literal = HierarchyPlan.literal(map) else {
            throw SchemaError.invalidName(
                className: map.name, name: String(describing: map.root), reason: "it contains a NUL")
        }
        return "\(name: name) \(dialect.declaredType(.text)) NOT NULL DEFAULT \(literal: literal)"
    }

    /// Updates the column's default after the root was renamed, because rows that other programs insert belong to it.
    private mutating func renameRoot(_ table: PlannedTable) throws {
        table.isRebuilt = true
        let new = "po_new_class"
        let index = "\(map.table).class.index"
        table.indexes.remove(Naming.folded(index))
        var steps = SchemaSteps()
        steps.add("ALTER TABLE \(name: map.table) ADD COLUMN \(try definition(named: new))")
        steps.add("UPDATE \(name: map.table) SET \(name: new) = \(name: HierarchyPlan.column)")
        steps.dropIndex(index)
        steps.add("ALTER TABLE \(name: map.table) DROP COLUMN \(name: HierarchyPlan.column)")
        steps.add("ALTER TABLE \(name: map.table) RENAME COLUMN \(name: new) TO \(name: HierarchyPlan.column)")
        add("sets the class of rows without one to \(map.root)", .columns, steps)
    }

    /// Sets the present name in rows with a former name of the class, in two steps because names may be exchanged.
    private mutating func renameClass(_ record: FileRecord, _ formerRoot: String?) {
        let applied = record.classes[map.name]?.formerNames
        let declared = map.type.formerNames
        let ofTable = [map.isRoot ? formerRoot : nil].compactMap(\.self).filter { !declared.contains($0) }
        let formers = (declared + ofTable).filter { former in
            if applied?.contains(former) == true { return false }
            // Another class may have this name now. Only the file's record distinguishes its rows from the class's
            // rows.
            return !record.isEmpty || !relatives.contains { $0.name == former }
        }
        guard !formers.isEmpty, let name = SQLLiteral(.text(map.name)),
            let meanwhile = SQLLiteral(.text("po_new_" + map.name))
        else { return }
        let literals = formers.compactMap { SQLLiteral(.text($0)) }.map { "\(literal: $0)" as SQL }
        func update(_ name: SQLLiteral, _ former: SQL) -> SchemaSteps {
            var steps = SchemaSteps()
            steps.add("UPDATE \(name: map.table) SET \"class\" = \(literal: name) WHERE \"class\" IN (\(former))")
            return steps
        }
        let summary = "renames class \(formers.joined(separator: ", ")) to \(map.name)"
        add(summary, .classes, update(meanwhile, "\(list: literals)"))
        add(summary, .conversions, update(name, "\(literal: meanwhile)"))
    }

    private mutating func add(_ summary: String, _ phase: SchemaPlan.Phase, _ steps: SchemaSteps) {
        changes.append(SchemaPlan.Change(summary, phase, className: map.name, steps))
    }

    /// The value that fills a subclass's new column in rows that already have the class.
    ///
    /// A class that this process has not seen may inherit the property. All rows get the value, except rows of classes
    /// known not to have the property, because a NULL in a required property is unreadable.
    func fill(_ property: Property, _ inspector: SchemaInspector) throws -> SchemaSteps {
        var steps = SchemaSteps()
        // If the class column is new, no row has a subclass.
        guard hadClassColumn else { return steps }
        let others = context.classes(of: map, in: foundName).filter { $0.type != map.type }
        if let value = value(of: property, in: map) {
            guard value != .null else { return steps }
            steps.add("\(update(property)) \(isOfClasses(with: property))", binding: value)
        } else if try inspector.hasRows(of: map.name, in: map.table) {
            throw SchemaError.invalidDefault(
                className: map.name, property: property.name, reason: "a column cannot represent it (NaN, for example)")
        }
        for other in others {
            guard let same = other.properties.first(where: { isSameColumn($0, property) }),
                let value = value(of: same, in: other), let name = SQLLiteral(.text(other.name))
            else { continue }
            steps.add("\(update(property)) \"class\" = \(literal: name)", binding: value)
        }
        return steps
    }

    /// The condition of the rows that `fill` sets to the class's initial value; nil if there are no such rows.
    func rowsToFill(_ property: Property) -> SQL? {
        guard hadClassColumn, !map.isRoot else { return nil }
        return isOfClasses(with: property)
    }

    func isOfClasses(with property: Property) -> SQL {
        let without = context.classes(of: map, in: foundName).filter { relative in
            relative.type != map.type && !relative.properties.contains { isSameColumn($0, property) }
        }
        let others = without.map(\.name) + context.formerClasses(outside: map, in: foundName)
        let names = others.compactMap { SQLLiteral(.text($0)) }.map { "\(literal: $0)" as SQL }
        return "\"class\" NOT IN (\(list: names))"
    }

    private func isSameColumn(_ one: Property, _ other: Property) -> Bool {
        one.hasColumn && Naming.folded(one.column) == Naming.folded(other.column)
    }

    private func value(of property: Property, in map: ClassMap) -> DatabaseValue? {
        map.ordinal(of: property.name).flatMap { map.defaults[$0]?.value }
    }

    private func update(_ property: Property) -> SQL {
        "UPDATE \(name: map.table) SET \(name: property.column) = ? WHERE"
    }
}
