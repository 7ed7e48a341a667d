internal import StoreEngine

// Columns of optional embedded values. The value of a new column in existing rows depends on the other columns.
extension TablePlan {
    /// Adds a column of an optional embedded value if the table has other columns of the value.
    ///
    /// - Returns: Whether the column was added; if not, rows get the value of a new object.
    func addToOptional(_ property: Property, _ ordinal: Int) throws -> Bool {
        guard let part = property.part, part.presence != .always, let found = table.found,
            let value = map.embedded.first(where: { $0.whole.name == part.whole.name }),
            let presenceFlag = value.presenceFlag.map({ map.properties[$0] })
        else { return false }
        func isThere(_ property: Property) -> Bool {
            ([property.column] + property.formerColumns).contains { found.column($0) != nil }
        }
        // For a new presence column, the value was required before, so each row has a value. For a new field, the
        // presence column shows whether a row has a value.
        let isKnown =
            part.presence == .flag ? value.ordinals.contains { isThere(map.properties[$0]) } : isThere(presenceFlag)
        guard isKnown else { return false }
        try change("adds column \"\(property.column)\"", .columns, property, countsRows: true) { steps in
            steps.add(addition(try definition(of: property, nil)))
            // Rows of other classes of the hierarchy have no value.
            let rows = hierarchy.rowsToFill(property)
            guard rows != nil || map.isRoot else { return }
            let initial = part.presence == .flag ? .integer(1) : map.defaults[ordinal]?.value ?? .null
            let isWanted: SQL = part.presence == .flag ? "1 = 1" : "\(name: presenceFlag.column) IS NOT NULL"
            let condition = rows.map { "\(isWanted) AND \($0)" as SQL } ?? isWanted
            if initial != .null {
                let update: SQL = "UPDATE \(name: map.table) SET \(name: property.column) = ? WHERE \(condition)"
                steps.add(update, binding: initial)
            } else if part.presence == .required {
                refuse(property, where: condition, &steps)
            }
        }
        return true
    }

    /// Drops the presence columns of values that are no longer optional, because rows that this class writes would not
    /// set them.
    func dropSigns(_ found: TableDescription) {
        for value in map.embedded where value.presenceFlag == nil && (map.isRoot || !isOfRoot(value.whole)) {
            for column in context.formerSigns(of: value.whole, map, table)
            where table.seenColumns.insert(Naming.folded(column)).inserted {
                table.isRebuilt = true
                change("drops column \"\(column)\", which marked whether \(value.whole.name) is nil", .columns) {
                    steps in
                    fillOptional(value, where: column, &steps)
                    dropIndexes(on: column, &steps)
                    steps.add("ALTER TABLE \(name: map.table) DROP COLUMN \(name: column)")
                }
            }
        }
    }

    /// Sets the initial value of optional fields in rows whose value was nil.
    private func fillOptional(_ value: EmbeddedValue, where presenceFlag: String, _ steps: inout SchemaSteps) {
        for ordinal in value.ordinals where map.properties[ordinal].codec.acceptsNull {
            let property = map.properties[ordinal]
            guard let initial = map.defaults[ordinal]?.value, initial != .null else { continue }
            let rows = SQL.and(["\(name: presenceFlag) IS NULL", hierarchy.rowsToFill(property) ?? ""])
            let update: SQL = "UPDATE \(name: map.table) SET \(name: property.column) = ? WHERE \(rows)"
            steps.add(update, binding: initial)
        }
    }

    /// Throws with the ids of the rows that lack a required part of their value.
    private func refuse(_ property: Property, where condition: SQL, _ steps: inout SchemaSteps) {
        let (className, table) = (map.name, map.table)
        steps.add("-- no row of \"\(table)\" has a value without \"\(property.column)\"") { run in
            let ids = try run.ids(
                "SELECT \"id\" FROM \(name: table) WHERE \(condition) ORDER BY \"id\" LIMIT 10")
            guard ids.isEmpty else {
                throw SchemaError.nilInRequired(className: className, property: property.name, rowIDs: ids)
            }
        }
    }
}
