internal import StoreEngine

// A column whose values become values of another type, are allowed to be NULL or forbidden to, or refer to another
// table: SQLite cannot alter one, so a new column gets the values and takes the old one's place.
extension TablePlan {
    /// - Parameters:
    ///   - column: The property's column, as it was found.
    ///   - isRenamed: Whether the same plan gives it the property's name.
    func compare(_ column: ColumnDescription, with property: Property, isRenamed: Bool = false) throws {
        if case .collection = property.shape, try CollectionSource(property, map, table, context).column != nil {
            // The column becomes a table; the plan of that has it.
            table.isRebuilt = true
            return
        }
        if case .collection = property.shape {
        } else if try addFromCollection(property, place(of: property), replacing: column) {
            return
        }
        let wanted = dialect.declaredType(property.codec.logicalType).text
        let meaning = context.record.meaning(of: property, column, in: map, dialect)
        try checkSiblings(of: column, property)
        if isRenamed || column.type != wanted || isToBeChecked(property, meaning),
            let conversion = try ownConversion(of: column, to: property, isRenamed: isRenamed)
        {
            return try convert(with: conversion, property, place(of: property), replacing: column)
        }
        let isReference = if case .reference = property.shape { true } else { false }
        if isReference, column.type != wanted {
            guard let conversion = try ownConversion(to: property) else {
                throw SchemaError.columnTypeDiffers(
                    className: map.name, property: property.name, column: column.name, found: column.type,
                    wanted: property.codec.columnType)
            }
            return try convert(with: conversion, property, place(of: property), replacing: column)
        }
        let hasOtherTarget = try checkTarget(of: column, property)
        // Keys that came to a class later may be NULL for programs that know none.
        let isNullWrong = !property.isKey && column.isNotNull != isRequired(property)
        if column.type != wanted || isNullWrong || hasOtherTarget {
            try rebuild(column, property, meaning, isOnlyNull: column.type == wanted && !hasOtherTarget)
        } else if isToBeChecked(property, meaning) {
            check(column, property, meaning)
        }
        if !isOfRoot(property), !property.codec.acceptsNull { try fillOwnNulls(column, property) }
    }

    /// A subclass's column may be NULL, for rows of other classes: in its own rows a property that takes no nil any
    /// more has its initial value.
    private func fillOwnNulls(_ column: ColumnDescription, _ property: Property) throws {
        let classes = context.relatives(of: map).filter { $0.derives(from: map) }
        let names = classes.flatMap { [$0.name] + $0.type.formerNames }.compactMap { SQLLiteral(.text($0)) }
        let rows: SQL = "\"class\" IN (\(list: names.map { "\(literal: $0)" }))"
        // What the same plan makes or moves here has its values from that.
        guard let found = try context.connection.schema.table(table.foundName), found.column(column.name) != nil,
            found.column(HierarchyPlan.column) != nil,
            try context.connection.value(
                "SELECT 1 FROM \(name: found.name) WHERE \(name: column.name) IS NULL AND \(rows) LIMIT 1") != nil
        else { return }
        let initial = InitialValue(property, map)
        change("fills column \"\(property.column)\" where it is nil", .columns, property, countsRows: true) {
            initial.fillNulls(of: property, map, from: property.column, to: property.column, rows, &$0)
        }
    }

    /// A column that a class beside this one has too keeps its type.
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

    /// Whether the file does not say that the column refers to what the property refers to.
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

    func place(of property: Property) -> Int { map.place(of: property.name) ?? 0 }

    /// Whether another type that is stored in the same kind of column had the values, and may have had others.
    private func isToBeChecked(_ property: Property, _ meaning: ValueMeaning) -> Bool {
        guard case .scalar = property.shape, let former = context.record.typeName(of: property, in: map) else {
            return false
        }
        return former != PropertyRecord.typeName(of: property)
    }

    /// Reads every value as the new type, and writes those that are stored in another way.
    private func check(_ column: ColumnDescription, _ property: Property, _ meaning: ValueMeaning) {
        let conversion = RowConversion(property, map, ValueConversion(from: meaning, to: property.codec))
        let table = map.table
        let rows = hierarchy.rowsToFill(property) ?? ""
        change("reads column \"\(column.name)\" as \(property.typeName)", .columns, property, countsRows: true) {
            $0.add("-- reads each value of \(table).\(property.column) as \(property.typeName)") { run in
                try conversion.run(run, from: property.column, to: property.column, rows: rows, in: table)
            }
        }
    }

    /// - Parameter isOnlyNull: Whether the column has the right type and target, but takes NULL or not.
    private func rebuild(
        _ column: ColumnDescription, _ property: Property, _ meaning: ValueMeaning, isOnlyNull: Bool
    ) throws {
        table.isRebuilt = true
        let new = "po_new_" + property.column
        let summary = summary(of: column, property)
        let conversion = RowConversion(property, map, ValueConversion(from: meaning, to: property.codec))
        let isSame =
            column.type == dialect.declaredType(property.codec.logicalType).text && !isToBeChecked(property, meaning)
        let isFilled = !property.codec.acceptsNull && !property.isKey
        let initial = InitialValue(property, map)
        let definition = try definition(
            of: property, named: new, property.isKey ? nil : constantDefault(place(of: property)))
        let table = map.table
        // Rows of other classes have nothing in a subclass's column.
        let nulls: SQL = map.isRoot ? "" : hierarchy.isOfClasses(with: property)
        let rowWithNil = try isFilled && !column.isNotNull ? rowWithNil(column, of: property) : nil
        let losesNil = try rowWithNil.map { try context.connection.value($0) != nil } ?? false
        let loss = losesNil ? "nil in column \"\(property.column)\", which becomes the initial value" : nil
        // A program that has an older version of the class reads and writes what is not nil.
        let obstacle: SQL? = isOnlyNull && isSame ? rowWithNil ?? "SELECT 1 WHERE 1 = 0" : nil
        change(summary, .columns, property, loss: loss, countsRows: true, neededBy: obstacle) { steps in
            steps.add(addition(definition))
            if isSame {
                // A required column has its default where there is nothing; the initial value comes next.
                let isThere: SQL = property.codec.acceptsNull ? "" : " WHERE \(name: property.column) IS NOT NULL"
                steps.add("UPDATE \(name: table) SET \(name: new) = \(name: property.column)\(isThere)")
            } else {
                steps.add("-- \"\(table)\".\"\(new)\" = \"\(property.column)\", each value converted") { run in
                    try conversion.run(run, from: property.column, to: new, rows: "", in: table)
                }
            }
            if isFilled {
                initial.fillNulls(of: property, map, from: property.column, to: new, nulls, &steps)
            }
            replace(column, property.column, by: new, named: property.column, &steps)
        }
    }

    /// Finds a row of the class that has nil in a column; nil where the column comes from another table.
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
        let null = isRequired(property) ? " NOT NULL" : ""
        return
            "makes column \"\(property.column)\" \(wanted)\(null), was \(column.type)\(column.isNotNull ? " NOT NULL" : "")"
    }
}

// A collection that becomes one value.
extension TablePlan {
    /// Fills a new column with the only element of what was a collection; false where there was none.
    ///
    /// - Parameter flag: The column that told nil from empty.
    func addFromCollection(
        _ property: Property, _ place: Int, replacing flag: ColumnDescription? = nil
    ) throws -> Bool {
        let column =
            property.column.hasSuffix("_id") && isReference(property)
            ? String(property.column.dropLast(3)) : property.column
        let names = Set([column, Naming.snakeCase(property.name)] + property.formerColumns)
        let owned = Set(map.properties.compactMap { ChildTable($0, of: map) }.map { Naming.folded($0.name) })
        for name in names.sorted() {
            let child = table.foundName + "_" + name
            guard !owned.contains(Naming.folded(child)), let found = try inspector.table(child), !found.isView,
                let shape = FoundCollection(found), shape.isOfObjects == isReference(property),
                try inspector.foreignKeys(of: found.name)[ChildTable.ownerColumn] == Naming.folded(table.foundName)
            else { continue }
            let meaning = context.record.elementMeaning(of: property, shape.value, in: map, dialect)
            let reduction = CollectionReduction(property, in: map, value: meaning)
            let new = flag == nil ? property.column : "po_new_" + property.column
            let definition = try definition(
                of: property, named: new,
                isOfRoot(property) && !property.codec.acceptsNull ? constantDefault(place) : nil)
            let owner = map.table
            context.releaseTriggers(of: [found.name])
            if flag != nil { table.isRebuilt = true }
            let fills = isOfRoot(property) && !property.codec.acceptsNull ? map.defaults[place]?.value : nil
            change(
                "makes column \"\(property.column)\" of table \"\(found.name)\"", .collections, property,
                countsRows: true
            ) { steps in
                steps.add(addition(definition))
                if let fills, fills != .null, literal(fills, of: property) == nil {
                    steps.add("UPDATE \(name: owner) SET \(name: new) = ?", binding: fills)
                }
                steps.add("-- \"\(owner)\".\"\(new)\" = the only element in \"\(found.name)\"") { run in
                    try reduction.run(run, from: found.name, shape.value.name, to: new, of: owner)
                }
                steps.dropTable(found.name)
                if let flag { replace(flag, by: new, named: property.column, &steps) }
            }
            return true
        }
        return false
    }

    private func isReference(_ property: Property) -> Bool {
        if case .reference = property.shape { true } else { false }
    }
}
