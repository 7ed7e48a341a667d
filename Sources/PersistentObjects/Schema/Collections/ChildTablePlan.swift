// Collections: creates, changes and drops the tables of collections, and converts their elements. It knows the plan
// that is being made, and must not run statements.

internal import StoreEngine

/// The changes that make the table of a collection match its property.
///
/// The plan of the owner's table was made before.
struct ChildTablePlan {
    private(set) var changes: [SchemaPlan.Change] = []
    private let table: ChildTable
    private let property: Property
    private let map: ClassMap
    private let context: PlanContext
    /// The property's storage in the file.
    private let storage: FoundStorage?

    init(
        _ table: ChildTable, of property: Property, in map: ClassMap, owner: PlannedTable, _ storage: FoundStorage?,
        _ context: PlanContext
    ) throws {
        self.table = table
        self.property = property
        self.map = map
        self.context = context
        self.storage = storage
        if let reason = TableNaming.refusal(ofName: table.name) {
            throw SchemaError.invalidName(className: map.name, name: table.name, reason: reason)
        }
        if let found = storage?.table {
            try follow(found, owner)
        } else if let other = try context.inspector.table(table.name), owner.isThere || !other.isView,
            !isMovedAway(other, owner)
        {
            throw try unsuitable(other, reason(against: other, owner))
        } else {
            try create(table.name)
            if let column = storage?.column { try fill(from: column, of: owner) }
            addIndex()
        }
    }

    /// Whether a table belongs to another property, so that it is renamed or dropped before this table is created.
    private func isMovedAway(_ other: TableDescription, _ owner: PlannedTable) -> Bool {
        context.claims(of: map, in: owner).contains {
            $0.table.map { Naming.folded($0.name) == Naming.folded(other.name) } ?? false
        }
    }

    private func reason(against other: TableDescription, _ owner: PlannedTable) throws -> String {
        if other.isView { return "is a view" }
        let keys = try context.inspector.foreignKeys(of: other.name)
        return keys[ChildTable.ownerColumn] == Naming.folded(owner.foundName)
            ? "does not have the columns of a collection, which \(property.name) needs"
            : "does not belong to table \"\(table.ownerTable)\""
    }

    /// Handles a table that exists, possibly under another name or in another shape.
    private mutating func follow(_ found: TableDescription, _ owner: PlannedTable) throws {
        let isRenamed = Naming.folded(found.name) != Naming.folded(table.name)
        guard let shape = FoundCollection(found) else {
            throw unsuitable(found, "does not have the columns of a collection, which \(property.name) needs")
        }
        let fits = try fits(found, shape)
        // A table of another shape is recreated under the table's name.
        if isRenamed { context.rename(found.name, to: table.name, map.name) }
        if fits {
            if isRenamed {
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

// The table as declared.
extension ChildTablePlan {
    private mutating func create(_ name: String, _ phase: SchemaPlan.Phase = .collections) throws {
        var steps = SchemaSteps()
        steps.add(try definition(name))
        add("creates table \"\(name)\"", phase, steps)
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

    /// Adds an index on the elements, because deleting an object searches for the collections that contain it.
    private mutating func addIndex() {
        guard table.target != nil else { return }
        var steps = SchemaSteps()
        steps.createIndex(
            IndexDefinition(name: indexName, columns: [table.valueColumn], isUnique: false, isDescending: false),
            on: table.name)
        add("creates index \"\(indexName)\"", .indexes, steps)
    }
}

// The existing table.
extension ChildTablePlan {
    /// Whether the table matches the property; throws if it cannot be converted.
    private func fits(_ found: TableDescription, _ shape: FoundCollection) throws -> Bool {
        guard shape.isOfObjects == (table.target != nil) else {
            throw unsuitable(
                found,
                shape.isOfObjects
                    ? "has ids of objects, but \(property.name) has values"
                    : "has values, but \(property.name) has objects")
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

    /// Whether the file records another type for the collection.
    private var isElementOther: Bool {
        guard table.target == nil,
            let former = context.record.typeName(of: property, storedAs: storage?.name, in: map)
        else { return false }
        return former != PropertyRecord.typeName(of: property)
    }
}

// Elements that are converted.
extension ChildTablePlan {
    private mutating func rebuild(_ found: TableDescription, _ shape: FoundCollection) throws {
        context.releaseTriggers(of: [found.name, table.name])
        let (new, name) = ("po_new_" + table.name, storage?.name ?? property.column)
        let copy = try CollectionCopy(
            table, of: property, in: map, into: new,
            value: context.record.elementMeaning(
                of: property, storedAs: name, shape.value, in: map, context.dialect),
            key: shape.key.map {
                context.record.keyMeaning(of: property, storedAs: name, $0, in: map, context.dialect)
            })
        var steps = SchemaSteps()
        steps.add(try definition(new))
        let source = table.name
        steps.add("-- \"\(new)\" = the elements of \"\(source)\", each converted") { run in
            try copy.run(run, from: source, shape)
        }
        steps.dropTable(source)
        steps.renameTable(new, to: source)
        if shape.style != table.style, try context.inspector.table(HistoryNames.elements) != nil {
            steps.add(HistoryStatements.forgettingPlaces(in: table.name))
        }
        add("converts table \"\(table.name)\" to \(property.typeName)", .collections, counting: found.name, steps)
    }

    /// Fills the collection from a column: its value becomes the only element, or the contents of its JSON the
    /// elements.
    private mutating func fill(from column: ColumnDescription, of owner: PlannedTable) throws {
        try checkElements(of: column, owner)
        let (new, old, ownerTable) = ("po_new_" + property.column, owner.nameMeanwhile(of: column.name), map.table)
        let copy = try CollectionCopy(
            table, of: property, in: map, into: table.name,
            value: context.record.meaning(of: property, column, in: map, context.dialect), key: nil)
        context.releaseTriggers(of: [ownerTable])
        let sealed = context.sealed.column(column.name, of: owner.foundName)
        let (collection, classMap) = (SealedCollection(property, in: map), map)
        // Rows that were moved from another table have no value there.
        let isThere = SQL.and(
            ["\(name: old) IS NOT NULL", context.withoutNewcomers(to: owner, lacking: property)])
        var steps = SchemaSteps()
        steps.add("-- \"\(table.name)\" = the values of column \"\(old)\"") { run in
            if let sealed, let collection {
                try collection.decrypt(sealed, old, of: classMap, rows: isThere, run)
            } else {
                try copy.run(run, fromColumn: old, of: ownerTable, rows: isThere)
            }
        }
        for index in owner.foundIndexes
        where index.columns.contains(where: { Naming.folded($0 ?? "") == Naming.folded(column.name) }) {
            steps.dropIndex(index.name)
            owner.indexes.remove(Naming.folded(index.name))
        }
        let isOptional = property.hasColumn
        if isOptional {
            steps.add(
                "ALTER TABLE \(name: ownerTable) ADD COLUMN \(name: new) \(context.dialect.declaredType(.integer))")
            steps.add("UPDATE \(name: ownerTable) SET \(name: new) = 1 WHERE \(isThere)")
        }
        steps.add("ALTER TABLE \(name: ownerTable) DROP COLUMN \(name: old)")
        if isOptional { steps.renameColumn(new, to: property.column, in: ownerTable) }
        add(
            "moves column \"\(column.name)\" to table \"\(table.name)\"", .collections, counting: owner.foundName, steps
        )
        if sealed != nil {
            changes[changes.count - 1].exposure = "all elements of column \"\(column.name)\""
        }
    }

    /// Throws if a reference's objects are of another class than the elements.
    private func checkElements(of column: ColumnDescription, _ owner: PlannedTable) throws {
        let found = owner.foreignKeys[Naming.folded(column.name)]
        guard let target = table.target else {
            guard found == nil else {
                throw SchemaError.columnTypeDiffers(
                    className: map.name, property: property.name, column: column.name,
                    found: "\(column.type) with ids of objects", wanted: table.valueType.columnType)
            }
            return
        }
        let wanted = try ClassMap.map(of: target).table
        guard found != Naming.folded(context.table(wanted)?.foundName ?? wanted) else { return }
        guard let found else {
            throw SchemaError.columnTypeDiffers(
                className: map.name, property: property.name, column: column.name,
                found: "\(column.type) with values, not ids of objects", wanted: .integer)
        }
        throw SchemaError.referenceDiffers(
            className: map.name, property: property.name, column: column.name, found: found, wanted: wanted)
    }
}

extension ChildTable {
    /// The columns in table order.
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
