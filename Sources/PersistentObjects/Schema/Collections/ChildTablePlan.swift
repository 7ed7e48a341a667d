// Collections: tables of collections that are made, changed and dropped, and how elements become others. It knows the
// plan that is being made, and must run nothing.

internal import StoreEngine

/// What has to be done to the table of a collection so that it is what the property says.
///
/// The plan of the owner's table was made before.
struct ChildTablePlan {
    private(set) var changes: [SchemaPlan.Change] = []
    private let table: ChildTable
    private let property: Property
    private let map: ClassMap
    private let context: PlanContext

    init(
        _ table: ChildTable, of property: Property, in map: ClassMap, owner: PlannedTable, _ context: PlanContext
    ) throws {
        self.table = table
        self.property = property
        self.map = map
        self.context = context
        if let reason = TableNaming.refusal(ofName: table.name) {
            throw SchemaError.invalidName(className: map.name, name: table.name, reason: reason)
        }
        let source = try CollectionSource(property, map, owner, context)
        if let found = source.table {
            try follow(found, owner)
        } else if let other = try context.inspector.table(table.name), owner.isThere || !other.isView {
            throw unsuitable(other, other.isView ? "is a view" : "does not belong to table \"\(table.ownerTable)\"")
        } else {
            try create(table.name)
            if let column = source.column { try fill(from: column) }
            addIndex()
        }
    }

    /// The table is there, perhaps under another name or in another shape.
    private mutating func follow(_ found: TableDescription, _ owner: PlannedTable) throws {
        let isRenamed = Naming.folded(found.name) != Naming.folded(table.name)
        guard let shape = FoundCollection(found) else {
            throw unsuitable(found, "has no columns of a collection, which \(property.name) needs")
        }
        if try fits(found, shape) {
            if isRenamed {
                context.rename(found.name, to: table.name, map.name)
                var steps = SchemaSteps()
                for index in try context.inspector.indexes(of: found.name) where index.sql != nil {
                    steps.dropIndex(index.name)
                }
                if !steps.isEmpty { add("drops the indexes of \"\(found.name)\"", .release, steps) }
            }
            if try isRenamed || !hasIndex(found) { addIndex() }
        } else {
            try rebuild(found, shape)
            addIndex()
        }
    }

    private mutating func add(
        _ summary: String, _ phase: SchemaPlan.Phase, counting: String? = nil, _ steps: SchemaSteps
    ) {
        changes.append(
            SchemaPlan.Change(
                summary, phase, className: map.name, property: property.name, rowsOf: counting, steps))
    }

    private func unsuitable(_ found: TableDescription, _ reason: String) -> SchemaError {
        .unsuitableTable(className: map.name, table: found.name, reason: reason)
    }
}

// The table as it is to be.
extension ChildTablePlan {
    private mutating func create(_ name: String, _ phase: SchemaPlan.Phase = .collections) throws {
        var steps = SchemaSteps()
        steps.add(try definition(name))
        add("makes table \"\(name)\"", phase, steps)
    }

    private func definition(_ name: String) throws -> SQL {
        let columns = try table.columns.map { column in
            let null: SQL = column.acceptsNull ? "" : " NOT NULL"
            let definition: SQL = "\(name: column.name) \(context.dialect.declaredType(column.type))\(null)"
            guard let target = try referencedTable(column.name) else { return definition }
            return definition + .foreignKey(to: target, onDelete: .cascades)
        }
        return """
            CREATE TABLE \(name: name) (\(list: columns), PRIMARY KEY (\(names: table.primaryKey)))\
            \(context.dialect.keyedTableOptions)
            """
    }

    private func referencedTable(_ column: String) throws -> String? {
        if column == ChildTable.ownerColumn { return table.ownerTable }
        guard column == table.valueColumn else { return nil }
        return try table.target.flatMap { try ClassMap.map(of: $0).referableTable }
    }

    private var indexName: String { "\(table.name).\(table.valueColumn).index" }

    private func hasIndex(_ found: TableDescription) throws -> Bool {
        guard table.target != nil else { return true }
        return try context.inspector.indexes(of: found.name).contains {
            Naming.folded($0.name) == Naming.folded(indexName)
        }
    }

    /// Deleting an object looks for the collections that it is in.
    private mutating func addIndex() {
        guard table.target != nil else { return }
        var steps = SchemaSteps()
        steps.createIndex(
            IndexDefinition(name: indexName, columns: [table.valueColumn], isUnique: false, isDescending: false),
            on: table.name)
        add("makes index \"\(indexName)\"", .indexes, steps)
    }
}

// The table as it is.
extension ChildTablePlan {
    /// Whether the table is as the property wants it; throws where it cannot become so.
    private func fits(_ found: TableDescription, _ shape: FoundCollection) throws -> Bool {
        guard shape.isOfObjects == (table.target != nil) else {
            throw unsuitable(
                found,
                shape.isOfObjects
                    ? "has ids of objects, \(property.name) has values" : "has values, \(property.name) has objects")
        }
        if let target = table.target {
            let wanted = try ClassMap.map(of: target).table
            let isTarget = Naming.folded(context.table(wanted)?.foundName ?? wanted)
            let key = try context.inspector.foreignKeys(of: found.name)[table.valueColumn]
            if let key, key != isTarget {
                throw SchemaError.columnTypeDiffers(
                    className: map.name, property: property.name, column: "\(found.name).\(shape.value.name)",
                    found: "INTEGER with ids of table \"\(key)\"", wanted: .integer)
            }
        }
        guard shape.style == table.style, !isElementOther else { return false }
        return table.columns.allSatisfy { wanted in
            guard let column = found.column(wanted.name) else { return false }
            return column.type == context.dialect.declaredType(wanted.type).text
                && column.isNotNull != wanted.acceptsNull
        }
    }

    private var elementCodec: PropertyCodec? { (property.codec as? CollectionCodec)?.element }

    /// Whether the file says that its elements were of another type.
    private var isElementOther: Bool {
        guard table.target == nil, let former = context.record.typeName(of: property, in: map) else { return false }
        return former != PropertyRecord.typeName(of: property)
    }
}

// Elements that are converted.
extension ChildTablePlan {
    private mutating func rebuild(_ found: TableDescription, _ shape: FoundCollection) throws {
        context.releaseTriggers(of: [found.name, table.name])
        let new = "po_new_" + table.name
        let copy = try CollectionCopy(
            table, of: property, in: map, into: new,
            value: context.record.elementMeaning(of: property, shape.value, in: map, context.dialect),
            key: shape.key.map { context.record.keyMeaning(of: property, $0, in: map, context.dialect) })
        var steps = SchemaSteps()
        steps.add(try definition(new))
        let source = found.name
        steps.add("-- \"\(new)\" = the elements of \"\(source)\", each converted") { run in
            try copy.run(run, from: source, shape)
        }
        steps.dropTable(source)
        steps.renameTable(new, to: table.name)
        if Naming.folded(source) != Naming.folded(table.name) {
            try context.addHistoryRenaming(source, to: table.name, &steps)
        }
        if shape.style != table.style, try context.inspector.table(HistoryNames.elements) != nil {
            steps.add(HistoryStatements.forgettingPlaces(in: table.name))
        }
        add("makes table \"\(table.name)\" of \(property.typeName)", .collections, counting: source, steps)
    }

    /// The value of a column becomes the only element, or its JSON all of them.
    private mutating func fill(from column: ColumnDescription) throws {
        let new = "po_new_" + property.column
        let owner = map.table
        let copy = try CollectionCopy(
            table, of: property, in: map, into: table.name,
            value: context.record.meaning(of: property, column, in: map, context.dialect), key: nil)
        context.releaseTriggers(of: [owner])
        var steps = SchemaSteps()
        steps.add("-- \"\(table.name)\" = what column \"\(column.name)\" has") { run in
            try copy.run(run, fromColumn: column.name, of: owner)
        }
        for index in context.table(owner)?.foundIndexes ?? []
        where index.columns.contains(where: { Naming.folded($0 ?? "") == Naming.folded(column.name) }) {
            steps.dropIndex(index.name)
            context.table(owner)?.indexes.remove(Naming.folded(index.name))
        }
        let isOptional = property.hasColumn
        if isOptional {
            steps.add("ALTER TABLE \(name: owner) ADD COLUMN \(name: new) \(context.dialect.declaredType(.integer))")
            steps.add("UPDATE \(name: owner) SET \(name: new) = 1 WHERE \(name: column.name) IS NOT NULL")
        }
        steps.add("ALTER TABLE \(name: owner) DROP COLUMN \(name: column.name)")
        if isOptional { steps.add("ALTER TABLE \(name: owner) RENAME COLUMN \(name: new) TO \(name: property.column)") }
        add(
            "moves column \"\(column.name)\" to table \"\(table.name)\"", .collections,
            counting: context.table(owner)?.foundName, steps)
    }
}

extension ChildTable {
    /// The columns in the table's order.
    var columns: [(name: String, type: LogicalType, acceptsNull: Bool)] {
        let value = (valueColumn, target == nil ? valueType : .integer, valueAcceptsNull && style != .set)
        let owner = (ChildTable.ownerColumn, LogicalType.integer, false)
        return switch style {
        case .array: [owner, (ChildTable.positionColumn, .integer, false), value]
        case .set: [owner, value]
        case .dictionary: [owner, (ChildTable.keyColumn, keyType ?? .any, false), value]
        }
    }

    fileprivate var primaryKey: [String] { columns.prefix(2).map(\.name) }
}
