internal import StoreEngine

// Columns of embedded values that may be nil. What rows that are there have in a new one depends on the others.
extension TablePlan {
    /// Adds a column of such a value where the table has others of it.
    ///
    /// - Returns: Whether it was; where not, rows get what a new object has.
    func addToOptional(_ property: Property, _ place: Int) throws -> Bool {
        guard let part = property.part, part.presence != .always, let found = table.found,
            let value = map.embedded.first(where: { $0.whole.name == part.whole.name }),
            let sign = value.sign.map({ map.properties[$0] })
        else { return false }
        func isThere(_ property: Property) -> Bool {
            ([property.column] + property.formerColumns).contains { found.column($0) != nil }
        }
        // It could not be nil before: each row has one. Else whether a row has one is known.
        let isKnown = part.presence == .sign ? value.places.contains { isThere(map.properties[$0]) } : isThere(sign)
        guard isKnown else { return false }
        try change("adds column \"\(property.column)\"", .columns, property, countsRows: true) { steps in
            steps.add(addition(try definition(of: property, nil)))
            // Rows of other classes of the hierarchy have none.
            let rows = hierarchy.rowsToFill(property)
            guard rows != nil || map.isRoot else { return }
            let initial = part.presence == .sign ? .integer(1) : map.defaults[place]?.value ?? .null
            let isWanted: SQL = part.presence == .sign ? "1 = 1" : "\(name: sign.column) IS NOT NULL"
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

    /// Drops what said whether values are nil that can be nil no longer: rows that this class writes would not have it.
    func dropSigns(_ found: TableDescription) {
        for value in map.embedded where value.sign == nil && (map.isRoot || !isOfRoot(value.whole)) {
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

    /// A value that was nil is the initial one from now on, also in fields that can be nil.
    private func fillOptional(_ value: EmbeddedValue, where sign: String, _ steps: inout SchemaSteps) {
        for place in value.places where map.properties[place].codec.acceptsNull {
            let property = map.properties[place]
            guard let initial = map.defaults[place]?.value, initial != .null else { continue }
            let rows = SQL.and(["\(name: sign) IS NULL", hierarchy.rowsToFill(property) ?? ""])
            let update: SQL = "UPDATE \(name: map.table) SET \(name: property.column) = ? WHERE \(rows)"
            steps.add(update, binding: initial)
        }
    }

    /// Throws with the ids of the rows that would lack what their value cannot be without.
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
