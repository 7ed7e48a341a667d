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
        if let table, let reason = table.unsuitability {
            throw SchemaError.unsuitableTable(className: map.name, table: table.name, reason: reason)
        }
        hierarchy = try HierarchyPlan(map, table, relatives: relatives)
        hasClassColumn = hierarchy.hasClassColumn
        steps.add(hierarchy.steps)
        if let table { try addColumns(to: table) } else { try createTable() }
        try addIndexes(try inspector.indexNames(of: map.table))
    }
}

// Tables and columns.
extension TablePlan {
    private mutating func createTable() throws {
        var sql = SQL("CREATE TABLE ")
        sql.append(identifier: map.table)
        sql.append(" (\"id\" INTEGER PRIMARY KEY AUTOINCREMENT")
        for (place, property) in map.properties.enumerated() where property.hasColumn {
            sql.append(", ")
            // A program that knows no keys can go on inserting rows.
            let value = property.isKey ? nil : constantDefault(place)
            try append(definitionOf: property, defaultValue: value, to: &sql)
            guard property.isKey else { continue }
            sql.append(" DEFAULT (")
            sql.append(TablePlan.newKey)
            sql.append(")")
        }
        sql.append(") STRICT")
        steps.add(sql)
    }

    /// A column that a later version of the class has no property for must not stand in the way of inserts, so each
    /// has a default; where the initial value differs from object to object, or has no literal, it is a neutral one.
    private func constantDefault(_ place: Int) -> DatabaseValue? {
        if let value = map.defaults[place], value.isConstant, SQLLiteral(value.value) != nil { return value.value }
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

    private mutating func addColumns(to table: SchemaInspector.Table) throws {
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
        _ column: SchemaInspector.Column, against property: Property, _ foreignKeys: [String: String]
    ) throws {
        guard column.type == property.codec.columnType.rawValue else {
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
        var sql = SQL("ALTER TABLE ")
        sql.append(identifier: map.table)
        sql.append(" RENAME COLUMN ")
        sql.append(identifier: column)
        sql.append(" TO ")
        sql.append(identifier: name)
        steps.add(sql)
    }

    /// The rows that are there get the value that a new object has.
    private mutating func add(_ property: Property, _ place: Int) throws {
        var sql = SQL("ALTER TABLE ")
        sql.append(identifier: map.table)
        sql.append(" ADD COLUMN ")
        guard map.isRoot else {
            try append(definitionOf: property, defaultValue: nil, to: &sql)
            steps.add(sql)
            guard isUniqueAlone(property), map.defaults[place]?.isConstant == false else {
                return steps.add(try hierarchy.fill(property, inspector))
            }
            if let ids = hierarchy.idsToFill(property) { fill(property, withOwnValuesIn: ids) }
            return
        }
        guard !property.isKey else { return addKeys(property, sql) }
        guard let initial = map.defaults[place] else {
            throw SchemaError.invalidDefault(
                className: map.name, property: property.name, reason: "it has no form in a column (NaN, for one)")
        }
        if isUniqueAlone(property), initial.value != .null {
            guard initial.isConstant else {
                try append(definitionOf: property, defaultValue: neutralValue(property), to: &sql)
                steps.add(sql)
                return fill(property, withOwnValuesIn: allIDs)
            }
            try checkUniqueInitialValue(of: property)
        }
        let value = initial.value
        // Rows that are there would get a whole number where an ANY column defaults to a REAL one (SQLite 3.40).
        let isReal = property.codec.columnType == .any && value.storageClass == .real
        let isLiteral = !isReal && SQLLiteral(value) != nil
        try append(definitionOf: property, defaultValue: isLiteral ? value : neutralValue(property), to: &sql)
        steps.add(sql)
        guard !isLiteral else { return }
        var fill = SQL("UPDATE ")
        fill.append(identifier: map.table)
        fill.append(" SET ")
        fill.append(identifier: property.column)
        fill.append(" = ?")
        steps.add(fill, binding: value)
    }

    private func append(definitionOf property: Property, defaultValue: DatabaseValue?, to sql: inout SQL) throws {
        sql.append(identifier: property.column)
        sql.append(" ")
        sql.append(type: property.codec.columnType)
        if map.isRoot, !property.codec.acceptsNull { sql.append(" NOT NULL") }
        if let defaultValue, defaultValue != .null, let literal = SQLLiteral(defaultValue) {
            sql.append(" DEFAULT ")
            sql.append(literal: literal)
        }
        if let target = try referencedTable(property) { sql.append(foreignKeyTo: target, onDelete: .setsNull) }
    }

    /// A random UUID, version 4, in lower case.
    private static let newKey: StaticString = """
        lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' || \
        substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))
        """

    /// A class gets keys: the rows that are there get UUIDs. A column that is added can have no default that differs
    /// from row to row, so this one may be NULL for programs that know no keys.
    private mutating func addKeys(_ property: Property, _ start: SQL) {
        var sql = start
        sql.append(identifier: property.column)
        sql.append(" TEXT")
        steps.add(sql)
        var fill = SQL("UPDATE ")
        fill.append(identifier: map.table)
        fill.append(" SET ")
        fill.append(identifier: property.column)
        fill.append(" = ")
        fill.append(TablePlan.newKey)
        steps.add(fill)
    }

    private func referencedTable(_ property: Property) throws -> String? {
        guard case .reference = property.shape, let codec = property.codec as? ReferenceCodec else { return nil }
        return try ClassMap.map(of: codec.target).table
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
