internal import StoreEngine

/// What has to be done to a class's table so that it is what the class says: found by comparing, then run.
///
/// A subclass's own columns stand in the table of its hierarchy's root, which
/// was brought up to date before. They are nullable: rows of other classes have
/// nothing in them.
struct TablePlan {
    var steps = SchemaSteps()
    /// Whether the table has the column that tells the rows' classes, when the steps have been run.
    let hasClassColumn: Bool
    let map: ClassMap
    let hierarchy: HierarchyPlan
    let inspector: SchemaInspector

    /// Compares the class with the table as the file has it; `relatives` are the known classes of its hierarchy.
    init(_ map: ClassMap, relatives: [ClassMap], _ connection: any Connection) throws {
        self.map = map
        inspector = SchemaInspector(connection)
        let table = try inspector.table(map.table)
        if let table, let reason = table.unsuitability(connection.dialect) {
            throw SchemaError.unsuitableTable(className: map.name, table: table.name, reason: reason)
        }
        hierarchy = try HierarchyPlan(map, table, relatives: relatives, connection.dialect)
        hasClassColumn = hierarchy.hasClassColumn
        steps.add(hierarchy.steps)
        if let table { try addColumns(to: table) } else { try createTable() }
        try addIndexes(try inspector.indexNames(of: map.table))
    }
}

// Tables and columns.
extension TablePlan {
    private mutating func createTable() throws {
        var columns: [SQL] = ["\"id\" \(dialect.idColumn)"]
        for (place, property) in map.properties.enumerated() where property.hasColumn {
            // A program that knows no keys can go on inserting rows.
            let key: SQL = property.isKey ? " DEFAULT (\(dialect.randomKey))" : ""
            columns.append(try definition(of: property, property.isKey ? nil : constantDefault(place)) + key)
        }
        steps.add("CREATE TABLE \(name: map.table) (\(list: columns))\(dialect.tableOptions)")
    }

    private var dialect: Dialect { inspector.dialect }

    /// A column that a later version of the class has no property for must not stand in the way of inserts, so each
    /// has a default; where the initial value differs from object to object, or has no literal, it is a neutral one.
    private func constantDefault(_ place: Int) -> DatabaseValue? {
        if let value = map.defaults[place], value.isConstant, dialect.literal(value.value) != nil { return value.value }
        return neutralValue(map.properties[place])
    }

    private func neutralValue(_ property: Property) -> DatabaseValue {
        if property.codec.acceptsNull { return .null }
        return switch property.codec.columnType {
        case .integer, .any: .integer(0)
        case .real: .real(0)
        case .text: .text("")
        case .blob: .blob([])
        }
    }

    private mutating func addColumns(to table: TableDescription) throws {
        let foreignKeys = map.links.references.isEmpty ? [:] : try inspector.foreignKeys(of: table.name)
        let matches = ColumnMatches(map.properties, table.columns)
        for (column, property) in matches.renames {
            try check(column, against: property, foreignKeys)
            rename(column.name, to: property.column)
        }
        let renamed = Set(matches.renames.map(\.property.name))
        for (place, property) in map.properties.enumerated()
        where property.hasColumn && !renamed.contains(property.name) {
            if let column = matches.column(of: property) {
                try check(column, against: property, foreignKeys)
            } else {
                try add(property, place)
            }
        }
    }

    private func check(
        _ column: ColumnDescription, against property: Property, _ foreignKeys: [String: String]
    ) throws {
        guard column.type == dialect.declaredType(property.codec.columnType).text else {
            throw SchemaError.columnTypeDiffers(
                className: map.name, property: property.name, column: column.name, found: column.type,
                wanted: property.codec.columnType)
        }
        guard !(column.isNotNull && property.codec.acceptsNull) else {
            throw SchemaError.columnRefusesNull(className: map.name, property: property.name, column: column.name)
        }
        if let target = try referencedTable(property), let found = foreignKeys[Naming.folded(column.name)],
            found != Naming.folded(target)
        {
            throw SchemaError.referenceDiffers(
                className: map.name, property: property.name, column: column.name, found: found, wanted: target)
        }
    }

    private mutating func rename(_ column: String, to name: String) {
        steps.add("ALTER TABLE \(name: map.table) RENAME COLUMN \(name: column) TO \(name: name)")
    }

    /// The rows that are there get the value that a new object has.
    private mutating func add(_ property: Property, _ place: Int) throws {
        guard map.isRoot else {
            addColumn(try definition(of: property, nil))
            guard isUniqueAlone(property), map.defaults[place]?.isConstant == false else {
                return steps.add(try hierarchy.fill(property, inspector))
            }
            if let ids = hierarchy.idsToFill(property) { fill(property, withOwnValuesIn: ids) }
            return
        }
        guard !property.isKey else { return addKeys(property) }
        guard let initial = map.defaults[place] else {
            throw SchemaError.invalidDefault(
                className: map.name, property: property.name, reason: "it has no form in a column (NaN, for one)")
        }
        if isUniqueAlone(property), initial.value != .null {
            guard initial.isConstant else {
                addColumn(try definition(of: property, neutralValue(property)))
                return fill(property, withOwnValuesIn: allIDs)
            }
            try checkUniqueInitialValue(of: property)
        }
        let value = initial.value
        // Rows that are there would get a whole number where an ANY column defaults to a REAL one (SQLite 3.40).
        let isReal = property.codec.columnType == .any && value.storageClass == .real
        let isLiteral = !isReal && dialect.literal(value) != nil
        addColumn(try definition(of: property, isLiteral ? value : neutralValue(property)))
        guard !isLiteral else { return }
        steps.add("UPDATE \(name: map.table) SET \(name: property.column) = ?", binding: value)
    }

    private mutating func addColumn(_ definition: SQL) {
        steps.add("ALTER TABLE \(name: map.table) ADD COLUMN \(definition)")
    }

    private func definition(of property: Property, _ defaultValue: DatabaseValue?) throws -> SQL {
        var sql: SQL = "\(name: property.column) \(dialect.declaredType(property.codec.columnType))"
        if map.isRoot, !property.codec.acceptsNull { sql.append(" NOT NULL") }
        if let defaultValue, defaultValue != .null, let literal = dialect.literal(defaultValue) {
            sql.append(" DEFAULT \(literal: literal)")
        }
        if let target = try referencedTable(property) { sql.append(.foreignKey(to: target, onDelete: .setsNull)) }
        return sql
    }

    /// A class gets keys: the rows that are there get UUIDs. A column that is added can have no default that differs
    /// from row to row, so this one may be NULL for programs that know no keys.
    private mutating func addKeys(_ property: Property) {
        addColumn("\(name: property.column) \(dialect.declaredType(.text))")
        steps.add("UPDATE \(name: map.table) SET \(name: property.column) = \(dialect.randomKey)")
    }

    private func referencedTable(_ property: Property) throws -> String? {
        guard case .reference = property.shape, let codec = property.codec as? ReferenceCodec else { return nil }
        return try ClassMap.map(of: codec.target).referableTable
    }
}

// Indexes.
extension TablePlan {
    private mutating func addIndexes(_ existing: Set<String>) throws {
        try dropFormerUniqueIndexes(existing)
        let existing = Set(existing.map(Naming.folded))
        for index in map.indexes + hierarchy.indexes where !existing.contains(Naming.folded(index.name)) {
            steps.createIndex(
                index.name, on: map.table, index.columns, isUnique: index.isUnique, isDescending: index.isDescending)
        }
    }
}
