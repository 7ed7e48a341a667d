internal import StoreEngine

// The columns of an existing table. They are renamed, added, recreated if their type or nullability differs, and kept
// if they belong to no property.
extension TablePlan {
    func compareColumns() throws {
        guard let found = table.found else { return }
        makeWay()
        // The superclass's plan renames the columns of inherited properties.
        let renames = matches.columnRenames.filter { isUnseen($0.property) }
        for (column, property) in renames {
            change("renames column \"\(column.name)\" to \"\(property.column)\"", .columns, property) { _ in }
            try compare(column, with: property, isRenamed: true)
        }
        try addRenames(renames, isExchange: matches.isExchange)
        // Properties inherited from the root were compared by the root's plan.
        let own = map.isRoot ? map.properties : map.properties.filter { !isOfRoot($0) }
        var compared: [Property] = []
        for property in own where property.hasColumn && isUnseen(property) {
            compared.append(property)
            try compare(property)
        }
        try moveEmbedded(found, own)
        dropSigns(found)
        try addIdleConversionNotes(
            to: renames.map(\.property) + compared, in: found, renamed: Set(renames.map(\.property.name)))
        try planUnknownColumns(found.columns)
    }

    /// Compares a property that has a column with its storage in the file: a column, a collection's table, or nothing.
    private func compare(_ property: Property) throws {
        guard let found = matches.found(property) else { return try add(property, ordinal(of: property)) }
        if property.isCollection {
            if found.table == nil {
                // The column becomes a table; the table's plan handles it.
                table.isRebuilt = true
                if context.sealed.column(found.name, of: table.foundName) != nil {
                    try checkHistory(of: property, storedAs: found.name)
                }
            } else if let flag = found.column {
                try compare(flag, with: property)
            } else {
                try addFlag(property)
            }
        } else if found.table != nil {
            if let sealing = property.sealing { return try encryptCollection(found, property, sealing) }
            try reduce(found, to: property)
        } else if let column = found.column {
            try compare(column, with: property)
        }
    }

    /// Renames all columns at once, because names may be exchanged. If they are, all columns get temporary names first.
    private func addRenames(_ renames: [(column: ColumnDescription, property: Property)], isExchange: Bool) throws {
        guard !renames.isEmpty else { return }
        var steps = SchemaSteps()
        let hasHistory = try inspector.table(HistoryNames.entries) != nil
        let isCaptured = try inspector.definition(of: CaptureNames.tables) != nil
        func rename(_ column: String, _ name: String) {
            steps.renameColumn(column, to: name, in: map.table)
            if isCaptured { steps.add(CaptureRecord.renaming(column: column, to: name, of: map.table)) }
            guard hasHistory else { return }
            for sql in HistoryStatements.renaming(column: column, to: name, of: map.table) { steps.add(sql) }
        }
        if isExchange {
            for (column, _) in renames { rename(column.name, "po_former_" + column.name) }
        }
        for (column, property) in renames {
            rename(isExchange ? "po_former_" + column.name : column.name, property.column)
        }
        guard
            let first = changes.firstIndex(where: { $0.phase == .columns && $0.summary.hasPrefix("renames") })
        else { return }
        changes[first].steps = steps
    }

    /// Adds a column. Existing rows get the value of a new object, or the result of a declared conversion.
    private func add(_ property: Property, _ ordinal: Int) throws {
        if let sealing = property.sealing { return try addSealed(property, sealing) }
        if let conversion = try ownConversion(to: property) { return try convert(with: conversion, property, ordinal) }
        if try addToOptional(property, ordinal) { return }
        let summary = "adds column \"\(property.column)\""
        guard map.isRoot else {
            return try change(summary, .columns, property, countsRows: true) { steps in
                steps.add(try addition(definition(of: property, nil)))
                guard isUniqueAlone(property), map.defaults[ordinal]?.isConstant == false else {
                    return steps.add(try hierarchy.fill(property, inspector))
                }
                if let rows = hierarchy.rowsToFill(property) { fill(property, withOwnValuesIn: rows, &steps) }
            }
        }
        if property.isKey {
            return change(summary, .columns, property, countsRows: true) { addKeys(property, &$0) }
        }
        guard let initial = map.defaults[ordinal] else {
            throw SchemaError.invalidDefault(
                className: map.name, property: property.name, reason: "a column cannot represent it (NaN, for example)")
        }
        if isUniqueAlone(property), initial.value != .null {
            guard initial.isConstant else {
                return try change(summary, .columns, property, countsRows: true) { steps in
                    steps.add(try addition(definition(of: property, neutralValue(property))))
                    fill(property, withOwnValuesIn: "", &steps)
                }
            }
            try checkUniqueInitialValue(of: property)
        }
        let value = initial.value
        // Existing rows would get an integer if an ANY column defaults to a REAL (SQLite 3.40).
        let isReal = property.codec.columnType == .any && value.storageClass == .real
        let isLiteral = !isReal && literal(value, of: property) != nil
        // A row that is not written has the default without storing it, which a recorded change reports as NULL (SQLite
        // 3.40). If the column accepts NULL, an undo could not distinguish the default from NULL.
        let isWritten = !isLiteral || value != .null && property.codec.acceptsNull
        try change(summary, .columns, property, countsRows: isWritten) { steps in
            steps.add(try addition(definition(of: property, isLiteral ? value : neutralValue(property))))
            guard isWritten else { return }
            steps.add("UPDATE \(name: map.table) SET \(name: property.column) = ?", binding: value)
        }
    }

    /// Adds the column of keys to a class; existing rows get UUIDs. An added column cannot have a default that differs
    /// from row to row, so this column may be NULL for programs without support for keys.
    private func addKeys(_ property: Property, _ steps: inout SchemaSteps) {
        steps.add(addition("\(name: property.column) \(dialect.declaredType(property.codec.logicalType))"))
        steps.add(
            "UPDATE \(name: map.table) SET \(name: property.column) = \(dialect.randomKey(property.codec.logicalType))")
    }

    /// Generates keys for rows that a program without support for keys inserted after the column was added.
    func fillKeys(_ column: ColumnDescription, _ property: Property) throws {
        // A move generates the keys of moved rows.
        guard context.settings.changes != .refused,
            let found = try context.connection.schema.table(table.foundName),
            try found.hasRowsWithoutKey(column.name, context.connection)
        else { return }
        // An older version can use the other rows, so it does not need this change.
        change(
            "generates keys for rows without a key", .columns, property, countsRows: true,
            neededBy: "SELECT 1 WHERE 1 = 0"
        ) {
            $0.add(
                """
                UPDATE \(name: map.table) SET \(name: property.column) = \
                \(dialect.randomKey(property.codec.logicalType)) WHERE \(name: property.column) IS NULL
                """)
        }
    }
}

extension TableDescription {
    /// Whether a program without support for keys inserted a row after a column of keys was added; false if this program
    /// cannot change it.
    func hasRowsWithoutKey(_ key: String, _ connection: any Connection) throws -> Bool {
        guard connection.writeRefusal == nil, let column = column(key), !column.isNotNull else { return false }
        return try connection.value("SELECT 1 FROM \(name: name) WHERE \(name: key) IS NULL LIMIT 1") != nil
    }
}

// Columns without a property.
extension TablePlan {
    /// Keeps the columns that belong to no known class, or drops them if that was requested.
    private func planUnknownColumns(_ columns: [ColumnDescription]) throws {
        guard map.isRoot, !HistoryNames.contains(map.table) else { return }
        let relatives = context.relatives(of: map)
        let claimed = context.claims(of: map, in: table).compactMap(\.column?.name)
        let wanted = Set(
            (relatives.flatMap(\.properties).filter(\.hasColumn).map(\.column) + claimed + ["id", HierarchyPlan.column])
                .map(Naming.folded))
        let isOurs = context.knowsAllClasses(of: map, hierarchy.hasClassColumn)
        let unwanted = columns.filter { !wanted.contains(Naming.folded($0.name)) }
        guard !unwanted.isEmpty else { return }
        // The plans of subclasses move the values of these columns.
        let moved = context.embeddedColumns(of: map, table)
        for column in unwanted where !moved.contains(Naming.folded(column.name)) {
            let name = Naming.folded(column.name)
            guard isOurs, table.seenColumns.insert(name).inserted else { continue }
            if context.settings.changes == .dropping {
                table.isRebuilt = true
                let table = table
                change(
                    "drops column \"\(column.name)\"", .drops,
                    loss: "all values in column \"\(column.name)\" of \"\(table.foundName)\"", countsRows: true
                ) { steps in
                    for index in indexes(on: column.name) { steps.dropIndex(index.name) }
                    steps.add("ALTER TABLE \(name: map.table) DROP COLUMN \(name: column.name)")
                }
                continue
            }
            context.plan.leftBehind.append(
                "\(map.name): Column \"\(column.name)\" has no property. The column and its values stay in the file")
            if column.isNotNull, column.defaultValue == nil, column.keyOrdinal == 0 { allowNull(column) }
        }
    }

    /// Makes an unused column nullable, because a required column without a default would reject every insert of the
    /// class.
    private func allowNull(_ column: ColumnDescription) {
        guard let type = LogicalType.allCases.first(where: { dialect.declaredType($0).text == column.type }) else {
            return
        }
        table.isRebuilt = true
        let new = "po_new_" + column.name
        change("allows NULL in column \"\(column.name)\"", .columns, countsRows: true) { steps in
            steps.add(addition("\(name: new) \(dialect.declaredType(type))"))
            steps.add("UPDATE \(name: map.table) SET \(name: new) = \(name: column.name)")
            replace(column, by: new, named: column.name, &steps)
        }
    }

    func indexes(on column: String) -> [IndexDescription] {
        table.foundIndexes.filter { index in
            if index.columns.contains(where: { Naming.folded($0 ?? "") == Naming.folded(column) }) { return true }
            // The library's own indexes quote every name.
            guard index.isPartial || index.columns.contains(nil), TablePlan.isOurs(Naming.folded(index.name)) else {
                return false
            }
            let name: SQL = "\(name: column)"
            return Naming.folded(index.sql ?? "").contains(Naming.folded(name.text))
        }
    }

    func dropIndexes(on column: String, _ steps: inout SchemaSteps) {
        for index in indexes(on: column) {
            if !TablePlan.isOurs(Naming.folded(index.name)) { keepText(of: index, &steps) }
            steps.dropIndex(index.name)
            table.indexes.remove(Naming.folded(index.name))
        }
    }

    /// Saves the SQL of an index just before it is dropped, because a column may have been renamed since the plan was
    /// made.
    private func keepText(of index: IndexDescription, _ steps: inout SchemaSteps) {
        let (name, table) = (index.name, map.table)
        steps.add("-- drops index \"\(name)\", which is recreated with its column") { run in
            run.indexTexts[name] = try run.connection.schema.indexes(of: table).first { $0.name == name }?.sql
        }
    }

    /// Recreates other programs' indexes on a column. The index comparison recreates the library's own.
    func recreateIndexes(on column: String, _ steps: inout SchemaSteps) {
        for index in indexes(on: column) where !TablePlan.isOurs(Naming.folded(index.name)) {
            let name = index.name
            steps.add("-- recreates index \"\(name)\"") { run in
                guard let text = run.indexTexts.removeValue(forKey: name) else { return }
                try run.connection.execute(SQL(RawSQL(text)))
            }
        }
    }

    /// Drops the old column and renames the new column. If a conversion reads the old column, it is dropped later.
    ///
    /// - Parameters:
    ///   - column: The old column, as it was found.
    ///   - former: The old column's temporary name, if it has such a name.
    func replace(
        _ column: ColumnDescription, _ former: String? = nil, by new: String, named name: String,
        _ steps: inout SchemaSteps
    ) {
        let former = former ?? column.name
        dropIndexes(on: column.name, &steps)
        if isReadByConversion(column.name) {
            setAside(former, &steps)
        } else {
            steps.add("ALTER TABLE \(name: map.table) DROP COLUMN \(name: former)")
        }
        steps.renameColumn(new, to: name, in: map.table)
        recreateIndexes(on: column.name, &steps)
    }
}
