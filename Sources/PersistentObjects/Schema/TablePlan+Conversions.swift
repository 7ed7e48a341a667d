internal import StoreEngine

// Changes the type, nullability or referenced table of a column. A new column gets the values and replaces the old
// column, because SQLite cannot alter a column.
extension TablePlan {
    /// - Parameters:
    ///   - column: The property's column, as it was found.
    ///   - isRenamed: Whether the same plan renames the column to the property's name.
    func compare(_ column: ColumnDescription, with property: Property, isRenamed: Bool = false) throws {
        if try compareSealed(column, property) { return }
        let wanted = dialect.declaredType(property.codec.logicalType).text
        let meaning = context.record.meaning(of: property, column, in: map, dialect)
        if property.isKey, map.isSynced, column.type != wanted { try refuseOtherKeys(property) }
        try checkSiblings(of: column, property)
        let isToBeChecked = isToBeChecked(column, property)
        if isRenamed || column.type != wanted || isToBeChecked,
            let conversion = try ownConversion(of: column, to: property, isRenamed: isRenamed)
        {
            return try convert(with: conversion, property, ordinal(of: property), replacing: column)
        }
        if property.isReference, column.type != wanted {
            guard let conversion = try ownConversion(to: property) else {
                throw SchemaError.columnTypeDiffers(
                    className: map.name, property: property.name, column: column.name, found: column.type,
                    wanted: property.codec.columnType)
            }
            return try convert(with: conversion, property, ordinal(of: property), replacing: column)
        }
        let hasOtherTarget = try checkTarget(of: column, property)
        // Keys that were added to a class later may be NULL for programs without support for keys.
        let isNullWrong = !property.isKey && column.isNotNull != isRequired(property)
        if column.type != wanted || isNullWrong || hasOtherTarget {
            try rebuild(column, property, meaning, isOnlyNull: column.type == wanted && !hasOtherTarget)
        } else if isToBeChecked {
            check(column, property, meaning)
        }
        if property.isKey { try fillKeys(column, property) }
        if !isOfRoot(property), !property.codec.acceptsNull { try fillOwnNulls(column, property) }
    }

    /// Throws if other devices can know the objects of the table by their keys.
    private func refuseOtherKeys(_ property: Property) throws {
        guard try CapturePlan.isCaptured(table.foundName, context.inspector) else { return }
        throw SchemaError.unsupportedChange(
            className: map.name, property: property.name,
            reason:
                "other devices know the objects by their keys, so a synced class cannot change the kind of its keys. "
                + "Restore the earlier identity, or create a new class with the other keys and copy the objects in a step of "
                + "migrate")
    }

    /// Sets the initial value of a property that is no longer optional in the rows of its class. A subclass's column
    /// stays nullable for rows of other classes.
    private func fillOwnNulls(_ column: ColumnDescription, _ property: Property) throws {
        let rows = ownRows
        // Columns that the same plan creates or moves to this table already have their values.
        guard let found = try context.connection.schema.table(table.foundName), found.column(column.name) != nil,
            found.column(HierarchyPlan.column) != nil,
            try context.connection.value(
                "SELECT 1 FROM \(name: found.name) WHERE \(name: column.name) IS NULL AND \(rows) LIMIT 1") != nil
        else { return }
        let initial = InitialValue(property, map)
        change(
            "fills column \"\(property.column)\" where it is NULL", .columns, property, loss: lossOfNil(property),
            countsRows: true
        ) {
            initial.fillNulls(of: property, map, from: property.column, to: property.column, rows, &$0)
        }
    }

    /// The condition of the rows of the class and its known subclasses.
    var ownRows: SQL {
        let classes = context.relatives(of: map).filter { $0.derives(from: map) }
        let names = classes.flatMap { [$0.name] + $0.type.formerNames }.compactMap { SQLLiteral(.text($0)) }
        return "\"class\" IN (\(list: names.map { "\(literal: $0)" }))"
    }

    /// Throws if the type of a column would change that a sibling class also has.
    private func checkSiblings(of column: ColumnDescription, _ property: Property) throws {
        guard column.type != dialect.declaredType(property.codec.logicalType).text else { return }
        let isShared = context.relatives(of: map).contains { other in
            guard !ClassLineage.areRelated(other.type, map.type) else { return false }
            return other.properties.contains {
                $0.hasColumn && Naming.folded($0.column) == Naming.folded(column.name)
                    && dialect.declaredType($0.codec.logicalType).text == column.type
            }
        }
        guard !isShared, context.record.sibling(of: map, having: column.name, known: context.known) == nil else {
            throw SchemaError.columnTypeDiffers(
                className: map.name, property: property.name, column: column.name, found: column.type,
                wanted: property.codec.columnType)
        }
    }

    /// Whether the column's foreign key must be added or removed; throws if the column refers to another table.
    private func checkTarget(of column: ColumnDescription, _ property: Property) throws -> Bool {
        let found = table.foreignKeys[Naming.folded(column.name)]
        guard let target = try referencedTable(property) else { return found != nil }
        let foundTarget = Naming.folded(context.table(target)?.foundName ?? target)
        guard let found else { return true }
        guard found == foundTarget else {
            throw SchemaError.referenceDiffers(
                className: map.name, property: property.name, column: column.name, found: found, wanted: target)
        }
        return false
    }

    func ordinal(of property: Property) -> Int { map.ordinal(of: property.name) ?? 0 }

    /// Whether the file records another type for the values, so that the property's type may not accept all of them.
    private func isToBeChecked(_ column: ColumnDescription, _ property: Property) -> Bool {
        guard case .scalar = property.shape,
            let former = context.record.typeName(of: property, storedAs: column.name, in: map)
        else { return false }
        return former != PropertyRecord.typeName(of: property)
    }

    /// Reads every value as the new type, and writes the values whose stored form differs.
    private func check(_ column: ColumnDescription, _ property: Property, _ meaning: ValueMeaning) {
        let values = ValueConversion(from: meaning, to: property.codec)
        let conversion = RowConversion(property, map, values)
        let history = HistoryConversion(property, map, values)
        let table = map.table
        let rows = SQL.and(
            [hierarchy.rowsToFill(property) ?? "", context.withoutNewcomers(to: self.table, lacking: property)])
        let newcomers = newcomers(lacking: property)
        change("reads column \"\(column.name)\" as \(property.typeName)", .columns, property, countsRows: true) {
            $0.add("-- reads each value of \(table).\(property.column) as \(property.typeName)") { run in
                try conversion.run(run, from: property.column, to: property.column, rows: rows, in: table)
            }
            newcomers?(property.column, &$0)
            history?.add(to: &$0)
        }
    }

    /// Returns steps that set the column in rows moved from another table, after the existing rows' values are
    /// converted.
    private func newcomers(lacking property: Property) -> ((_ column: String, _ steps: inout SchemaSteps) -> Void)? {
        guard let names = context.newcomers(to: table, lacking: property) else { return nil }
        let (initial, table) = (InitialValue(property, map), map.table)
        return { column, steps in
            steps.add(
                "UPDATE \(name: table) SET \(name: column) = ? WHERE \"id\" = ?", forEach: "\"class\" IN (\(names))",
                in: table
            ) { try initial.next() }
        }
    }

    /// - Parameter isOnlyNull: Whether the column has the right type and target, and only its nullability differs.
    private func rebuild(
        _ column: ColumnDescription, _ property: Property, _ meaning: ValueMeaning, isOnlyNull: Bool
    ) throws {
        table.isRebuilt = true
        let new = "po_new_" + property.column
        let summary = summary(of: column, property)
        let values = ValueConversion(from: meaning, to: property.codec)
        let conversion = RowConversion(property, map, values)
        let isSame =
            column.type == dialect.declaredType(property.codec.logicalType).text && !isToBeChecked(column, property)
        let history = isSame ? nil : HistoryConversion(property, map, values)
        let isFilled = !property.codec.acceptsNull && !property.isKey
        let initial = InitialValue(property, map)
        let definition = try definition(
            of: property, named: new, property.isKey ? nil : constantDefault(ordinal(of: property)))
        let table = map.table
        let others = context.withoutNewcomers(to: self.table, lacking: property)
        let newcomers = newcomers(lacking: property)
        // Rows of other classes have no value in a subclass's column.
        let nulls: SQL = map.isRoot ? "" : hierarchy.isOfClasses(with: property)
        let rowWithNil = try isFilled && !column.isNotNull ? rowWithNil(column, of: property) : nil
        let losesNil = try rowWithNil.map { try context.connection.value($0) != nil } ?? false
        let loss = losesNil ? lossOfNil(property) : nil
        // A program with an older version of the class reads and writes non-nil values.
        let obstacle: SQL? = isOnlyNull && isSame ? rowWithNil ?? "SELECT 1 WHERE 1 = 0" : nil
        change(summary, .columns, property, loss: loss, countsRows: true, neededBy: obstacle) { steps in
            steps.add(addition(definition))
            if isSame {
                // Rows with NULL are skipped if the new column is required, and get the initial value next.
                let isThere: SQL = property.codec.acceptsNull ? "" : "\(name: property.column) IS NOT NULL"
                let rows = SQL.and([isThere, others])
                let condition: SQL = rows.isEmpty ? "" : " WHERE \(rows)"
                steps.add("UPDATE \(name: table) SET \(name: new) = \(name: property.column)\(condition)")
            } else {
                steps.add("-- \"\(table)\".\"\(new)\" = \"\(property.column)\", each value converted") { run in
                    try conversion.run(run, from: property.column, to: new, rows: others, in: table)
                }
            }
            newcomers?(new, &steps)
            if isFilled {
                initial.fillNulls(
                    of: property, map, from: property.column, to: new, SQL.and([nulls, others]), &steps)
            }
            replace(column, property.column, by: new, named: property.column, &steps)
            history?.add(to: &steps)
        }
    }

    func lossOfNil(_ property: Property) -> String {
        "nil in column \"\(property.column)\", which becomes the initial value"
    }

    /// Finds a row of the class with nil in a column; nil if the column is moved from another table.
    private func rowWithNil(_ column: ColumnDescription, of property: Property) throws -> SQL? {
        guard let found = try context.connection.schema.table(table.foundName), found.column(column.name) != nil else {
            return nil
        }
        let isNil: SQL = "SELECT 1 FROM \(name: found.name) WHERE \(name: column.name) IS NULL"
        guard !isOfRoot(property) else { return isNil + " LIMIT 1" }
        guard found.column(HierarchyPlan.column) != nil else { return nil }
        return isNil + " AND \(hierarchy.isOfClasses(with: property)) LIMIT 1"
    }

    private func summary(of column: ColumnDescription, _ property: Property) -> String {
        let wanted = dialect.declaredType(property.codec.logicalType).text
        let null = isRequired(property) && !property.isKey ? " NOT NULL" : ""
        return
            "changes column \"\(property.column)\" to \(wanted)\(null), was "
            + "\(column.type)\(column.isNotNull ? " NOT NULL" : "")"
    }
}
