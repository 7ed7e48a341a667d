internal import StoreEngine

// Conversions that the class declares itself.
extension TablePlan {
    /// The class's conversion to a property, if its source is in the file.
    func ownConversion(to property: Property) throws -> OwnConversion? {
        for conversion in try conversions(to: property) {
            guard let source = table.found?.column(conversion.source) else { continue }
            return try OwnConversion(conversion, source, property, map)
        }
        return nil
    }

    /// The class's conversion to a property that reads the property's own column.
    ///
    /// - Parameter isRenamed: Whether the same plan renames the column, so that both names refer to it.
    func ownConversion(
        of column: ColumnDescription, to property: Property, isRenamed: Bool
    ) throws -> OwnConversion? {
        let names = isRenamed ? ownNames(of: property) : [Naming.folded(column.name)]
        return try conversions(to: property).first { names.contains(Naming.folded($0.source)) }.map {
            try OwnConversion($0, column, property, map)
        }
    }

    private func conversions(to property: Property) throws -> [PropertyConversion] {
        try map.type.conversions.filter { try OwnConversion.property(of: $0, in: map).name == property.name }
    }

    /// The present and former names of a property's column, folded.
    private func ownNames(of property: Property) -> Set<String> {
        Set(([property.column] + property.formerColumns).map(Naming.folded))
    }

    /// Whether a conversion of a class of the table reads a column.
    func isReadByConversion(_ column: String) -> Bool {
        context.relatives(of: map).flatMap(\.type.conversions).contains {
            Naming.folded($0.source) == Naming.folded(column)
        }
    }

    /// Adds the property's column, and fills it after all tables have been migrated, because the conversion may find
    /// and create objects.
    ///
    /// - Parameter column: The property's old column, which the new column replaces.
    func convert(
        with conversion: OwnConversion, _ property: Property, _ ordinal: Int, replacing column: ColumnDescription? = nil
    ) throws {
        let rows = hierarchy.rowsToFill(property) ?? ""
        let definition = try definition(of: property, map.isRoot ? constantDefault(ordinal) : nil)
        converted.insert(property.name)
        change("adds column \"\(property.column)\"", .columns, property) { steps in
            if let column {
                dropIndexes(on: column.name, &steps)
                setAside(property.column, &steps)
            }
            steps.add(addition(definition))
        }
        let table = map.table
        change(
            "fills column \"\(property.column)\" from \"\(conversion.source)\"", .conversions, property,
            countsRows: true
        ) { steps in
            steps.add("-- \"\(table)\".\(OwnConversion.label(of: property.column)) \"\(conversion.source)\"") { run in
                try conversion.run(run, to: property.column, rows: rows, in: table)
            }
        }
        guard let column, indexes(on: column.name).contains(where: { !TablePlan.isOurs(Naming.folded($0.name)) }) else {
            return
        }
        change("recreates other programs' indexes on column \"\(property.column)\"", .lateIndexes) {
            recreateIndexes(on: column.name, &$0)
        }
    }

    /// Renames a column, so that conversions read it by its new name, and drops it after the last conversion.
    func setAside(_ column: String, _ steps: inout SchemaSteps) {
        table.isRebuilt = true
        let old = "po_old_" + column
        let name = map.table
        steps.renameColumn(column, to: old, in: name)
        change("drops the former column \"\(column)\"", .lateIndexes) {
            $0.add("ALTER TABLE \(name: name) DROP COLUMN \(name: old)")
        }
    }
}

// Declared conversions that do not run.
extension TablePlan {
    /// Adds notes about conversions to some properties that neither this plan nor an earlier plan runs.
    func addIdleConversionNotes(to properties: [Property], in found: TableDescription, renamed: Set<String>) throws {
        for property in properties where !converted.contains(property.name) {
            for conversion in try conversions(to: property) {
                let isRenamed = renamed.contains(property.name)
                guard let reason = reasonOfIdleness(conversion, property, found, isRenamed: isRenamed),
                    try !hasRun(conversion, to: property)
                else { continue }
                context.plan.notes.append(
                    "\(map.name).\(property.name): The conversion from column \"\(conversion.source)\" does not "
                        + "run, because \(reason). No value was converted. To convert existing values, use "
                        + "store.migrate")
            }
        }
    }

    private func reasonOfIdleness(
        _ conversion: PropertyConversion, _ property: Property, _ found: TableDescription, isRenamed: Bool
    ) -> String? {
        let isThere = isRenamed || found.column(property.column) != nil
        let isSource = found.column(conversion.source) != nil
        guard isThere else {
            return isSource ? nil : "table \"\(found.name)\" has no column \"\(conversion.source)\""
        }
        guard ownNames(of: property).contains(Naming.folded(conversion.source)) else {
            return isSource ? "column \"\(property.column)\" already exists" : nil
        }
        // The column has the same type and its first name, so no version of the class can have had another type.
        let isSame = conversion.sourceType == property.codec.valueType && property.formerColumns.isEmpty
        return isSame ? "it reads the property's own column and returns a value of the same type" : nil
    }

    /// Whether the file records that an earlier plan ran the conversion.
    private func hasRun(_ conversion: PropertyConversion, to property: Property) throws -> Bool {
        guard try inspector.table(RecordTables.history) != nil else { return false }
        let statement = try context.connection.prepare(
            "SELECT 1 FROM \(name: RecordTables.history) WHERE sql LIKE ? LIMIT 1")
        return try ([property.column] + property.formerColumns).contains { column in
            try !statement.rows([.text("%\(OwnConversion.label(of: column))%")]).isEmpty
        }
    }
}
