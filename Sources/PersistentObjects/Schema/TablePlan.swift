internal import StoreEngine

/// The changes that make a class's table match its declarations, determined by comparison.
///
/// The columns that a subclass adds are in the table of its hierarchy's root, whose plan was made before. These columns
/// are nullable, because rows of other classes have no value in them.
final class TablePlan {
    let map: ClassMap
    let table: PlannedTable
    let hierarchy: HierarchyPlan
    let context: PlanContext
    /// The file's storage of the class's properties.
    let matches: StorageMatches
    var changes: [SchemaPlan.Change] = []
    /// The properties whose columns a conversion of the class fills.
    var converted: Set<String> = []

    init(_ map: ClassMap, _ table: PlannedTable, _ context: PlanContext) throws {
        self.map = map
        self.table = table
        self.context = context
        matches = try context.matches(of: map, in: table)
        hierarchy = try HierarchyPlan(map, table, context)
        for conversion in map.type.conversions { _ = try OwnConversion.property(of: conversion, in: map) }
        if !table.isThere, map.isRoot { try createTable() }
        changes += hierarchy.changes
        if table.isThere { try compareColumns() } else if !map.isRoot { try addAllColumns() }
        try compareIndexes()
    }

    var dialect: Dialect { context.dialect }
    var inspector: SchemaInspector { context.inspector }

    /// Adds a change whose steps are collected in `body`.
    func change(
        _ summary: String, _ phase: SchemaPlan.Phase, _ property: Property? = nil, loss: String? = nil,
        countsRows: Bool = false, neededBy obstacle: SQL? = nil, _ body: (inout SchemaSteps) throws -> Void
    ) rethrows {
        var steps = SchemaSteps()
        try body(&steps)
        var change = SchemaPlan.Change(
            summary, phase, className: map.name, property: property?.name, loss: loss,
            rowsOf: countsRows ? table.found?.name : nil, steps)
        change.obstacle = obstacle
        changes.append(change)
    }
}

// A new table.
extension TablePlan {
    private func createTable() throws {
        var columns: [SQL] = ["\"id\" \(dialect.idColumn)"]
        for (ordinal, property) in map.properties.enumerated() where property.hasColumn {
            table.seenColumns.insert(Naming.folded(property.column))
            columns.append(
                try definition(of: property, property.isKey ? nil : constantDefault(ordinal)) + keyDefault(property))
        }
        // If referenced tables must exist, all tables are created before their columns.
        let isWhole = dialect.refersAhead || columns.count == 1
        change("creates table \"\(map.table)\"", .tables) {
            $0.add(
                "CREATE TABLE \(name: map.table) (\(list: isWhole ? columns : [columns[0]]))\(dialect.tableOptions)")
        }
        guard !isWhole else { return }
        change("creates the columns of table \"\(map.table)\"", .columns) {
            $0.add(
                "ALTER TABLE \(name: map.table) \(list: columns.dropFirst().map { "ADD COLUMN \($0)" as SQL })")
        }
    }

    /// The default of a key column, so that a program without support for keys can insert rows.
    private func keyDefault(_ property: Property) -> SQL {
        property.isKey ? " DEFAULT (\(dialect.randomKey(property.codec.logicalType)))" : ""
    }

    /// The columns of a subclass, in a table that the same plan creates.
    private func addAllColumns() throws {
        for property in map.properties where property.hasColumn && isUnseen(property) {
            try change("adds column \"\(property.column)\"", .columns, property) {
                $0.add(try addition(definition(of: property, nil)))
            }
        }
    }

    /// Whether no other class's plan has inspected the column; marks it as inspected.
    func isUnseen(_ property: Property) -> Bool {
        table.seenColumns.insert(Naming.folded(property.column)).inserted
    }

    func addition(_ definition: SQL) -> SQL { "ALTER TABLE \(name: map.table) ADD COLUMN \(definition)" }
}

// Definitions of columns.
extension TablePlan {
    /// The default of a property's column. Each column has a default, because a column whose property is removed in a
    /// later version must not block inserts. It is a neutral value if the initial value varies or has no literal.
    func constantDefault(_ ordinal: Int) -> DatabaseValue? {
        let property = map.properties[ordinal]
        guard property.sealing == nil else { return nil }
        if let value = map.defaults[ordinal], value.isConstant, literal(value.value, of: property) != nil {
            return value.value
        }
        return neutralValue(property)
    }

    func neutralValue(_ property: Property) -> DatabaseValue {
        property.codec.acceptsNull ? .null : dialect.neutralValue(property.codec.logicalType)
    }

    /// A value as the default of a property's column.
    func literal(_ value: DatabaseValue, of property: Property) -> SQLLiteral? {
        dialect.literal(value, property.codec.logicalType)
    }

    func definition(of property: Property, named name: String? = nil, _ defaultValue: DatabaseValue?) throws -> SQL {
        // The file must not contain the initial value, so the column has no default.
        if property.sealing != nil { return "\(name: name ?? property.column) \(dialect.declaredType(.blob))" }
        if property.codec.columnType == .any, !HistoryNames.contains(map.table) {
            try context.connection.require(.anyValues, className: map.name, property: property.name)
        }
        var sql: SQL = "\(name: name ?? property.column) \(dialect.declaredType(property.codec.logicalType))"
        // A recreated key column cannot have a default that differs from row to row, so it may be NULL.
        let isNewKey = property.isKey && name != nil
        if isRequired(property), !isNewKey { sql.append(" NOT NULL") }
        if let defaultValue, defaultValue != .null, let literal = literal(defaultValue, of: property) {
            sql.append(" DEFAULT \(literal: literal)")
        }
        if let target = try referencedTable(property) { sql.append(.foreignKey(to: target, onDelete: .setsNull)) }
        return sql
    }

    /// Whether the column is NOT NULL. Columns of subclasses are nullable, because rows of other classes have no value
    /// in them.
    func isRequired(_ property: Property) -> Bool { isOfRoot(property) && !property.codec.acceptsNull }

    /// Whether every row of the table has the property.
    func isOfRoot(_ property: Property) -> Bool { property.level <= map.rootLevel }

    func referencedTable(_ property: Property) throws -> String? {
        guard case .reference = property.shape, let codec = property.codec as? ReferenceCodec else { return nil }
        // The check of a reference reads entries, which would conflict with concurrent transactions that write entries.
        if HistoryNames.contains(map.table), dialect.history.statementTriggers != nil { return nil }
        return try ClassMap.map(of: codec.target).referableTable
    }
}
