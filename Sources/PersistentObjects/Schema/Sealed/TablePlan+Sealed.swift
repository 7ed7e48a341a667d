internal import StoreEngine

// Encrypted columns: values are encrypted, decrypted, or encrypted again, row by row.
extension TablePlan {
    /// Adds an encrypted column. Existing rows get the value of a new object.
    func addSealed(_ property: Property, _ sealing: PropertySealing) throws {
        guard try ownConversion(to: property) == nil else {
            throw SchemaError.notStorable(
                className: map.name, property: property.name, type: property.typeName,
                reason: "class var conversions cannot fill an @Encrypted property. Convert the values with "
                    + "store.migrate")
        }
        let initial = map.defaults[ordinal(of: property)]
        if isUniqueAlone(property), let initial, initial.isConstant, initial.value != .null {
            try checkUniqueInitialValue(of: property)
        }
        let isNil = initial.map { $0.isConstant && $0.value == .null } ?? false
        let rows: SQL? = map.isRoot ? "" : hierarchy.rowsToFill(property)
        let (table, value, key) = (map.table, InitialValue(property, map), map.keySQL())
        try change("adds encrypted column \"\(property.column)\"", .columns, property, countsRows: !isNil) { steps in
            steps.add(addition(try definition(of: property, nil)))
            guard !isNil, let rows else { return }
            steps.add("-- \"\(table)\".\"\(property.column)\" = the initial value, encrypted") { run in
                try run.sealed?.prepareToWrite(run.connection, hashes: sealing.isSearchable)
                let update = try run.connection.prepare(
                    "UPDATE \(name: table) SET \(name: property.column) = \(sealing.sealed("?", key: key)) WHERE \"id\" = ?"
                )
                try run.forEachID(rows, in: table) { id in try update.execute([try value.next(), .integer(id)]) }
            }
        }
    }

    /// Compares a column that is encrypted, or becomes encrypted, or ceases to be encrypted; false for other columns.
    func compareSealed(_ column: ColumnDescription, _ property: Property) throws -> Bool {
        let known = context.sealed.column(column.name, of: table.foundName)
        guard known != nil || property.sealing != nil else { return false }
        let wanted = SealedColumn(property, of: map, dialect)
        if let known, let wanted, known.hasSameValues(as: wanted) { return true }
        try checkNil(column, property, known)
        let meaning =
            known.map { ValueMeaning(typeName: $0.type, column: logicalType($0.columnType), isJSON: $0.isJSON) }
            ?? context.record.meaning(of: property, column, in: map, dialect)
        let conversion = SealedConversion(
            property: property, map: map, from: known?.context, ValueConversion(from: meaning, to: property.codec))
        let table = map.table
        let rows: SQL = map.isRoot ? "" : hierarchy.isOfClasses(with: property)
        if known != nil, property.sealing != nil {
            change("encrypts column \"\(property.column)\" again", .columns, property, countsRows: true) { steps in
                steps.add("-- \"\(table)\".\"\(property.column)\", each value decrypted and encrypted again") { run in
                    try conversion.run(run, from: property.column, to: property.column, rows: rows, in: table)
                }
            }
            return true
        }
        self.table.isRebuilt = true
        let new = "po_new_" + property.column
        let isOpened = known != nil
        let definition = try definition(of: property, named: new, constantDefault(ordinal(of: property)))
        let name = "column \"\(property.column)\""
        let summary = isOpened ? "stores \(name) without encryption" : "encrypts \(name)"
        change(summary, .columns, property, countsRows: true) { steps in
            steps.add(addition(definition))
            let work = isOpened ? "decrypted" : "encrypted"
            let text = "-- \"\(table)\".\"\(new)\" = \"\(property.column)\", each value \(work)"
            steps.add(text) { run in
                try conversion.run(run, from: property.column, to: new, rows: rows, in: table)
            }
            replace(column, property.column, by: new, named: property.column, &steps)
        }
        if isOpened {
            changes[changes.count - 1].exposure = "all values of column \"\(property.column)\""
        } else {
            context.plan.notes.append(
                "\(map.name).\(property.name): The values are encrypted from now on. Free pages of the file, its log and "
                    + "earlier backups still contain them. Call store.vacuum() and store.checkpoint(), and replace the "
                    + "backups")
        }
        return true
    }

    private func logicalType(_ text: String) -> LogicalType {
        LogicalType.allCases.first { dialect.declaredType($0).text == text } ?? .any
    }

    /// Throws if a row of the class has nil in a property that is not optional.
    private func checkNil(_ column: ColumnDescription, _ property: Property, _ known: SealedColumn?) throws {
        guard !property.codec.acceptsNull, let found = try context.connection.schema.table(table.foundName),
            found.column(column.name) != nil
        else { return }
        let isOfClass: SQL =
            map.isRoot || found.column(HierarchyPlan.column) == nil
            ? "" : " AND \(hierarchy.isOfClasses(with: property))"
        let statement = try context.connection.prepare(
            """
            SELECT "id" FROM \(name: found.name) WHERE \(name: column.name) IS NULL\(isOfClass) ORDER BY "id" LIMIT 10
            """)
        let ids = try statement.rows([]).compactMap { row in
            if case .integer(let id)? = row.first { id } else { nil as Int64? }
        }
        guard ids.isEmpty else {
            throw SchemaError.nilInRequired(className: map.name, property: property.name, rowIDs: ids)
        }
    }
}

extension SealedColumn {
    /// Whether values have the same encrypted form.
    fileprivate func hasSameValues(as other: SealedColumn) -> Bool {
        (owner, property, flags, type, columnType) == (
            other.owner, other.property, other.flags, other.type, other.columnType
        )
    }
}

/// Encrypts, decrypts, or converts the values of a column.
private struct SealedConversion: Sendable {
    private let property: Property
    private let className: String
    /// The class and property for which the values are encrypted; nil if they are not.
    private let source: String?
    private let conversion: ValueConversion
    private let key: SQL

    init(property: Property, map: ClassMap, from source: String?, _ conversion: ValueConversion) {
        self.property = property
        className = map.name
        self.source = source
        self.conversion = conversion
        key = map.keySQL()
    }

    func run(_ run: SchemaRun, from column: String, to target: String, rows: SQL, in table: String) throws {
        guard let sealed = run.sealed else {
            throw SchemaError.notStorable(
                className: className, property: property.name, type: property.typeName,
                reason: "its values are encrypted, and the store has no keyring. Open the store with the keyring")
        }
        if let sealing = property.sealing {
            try sealed.prepareToWrite(run.connection, hashes: sealing.isSearchable)
        }
        let value = property.sealing?.sealed("?", key: key) ?? "?"
        let update = try run.connection.prepare(
            "UPDATE \(name: table) SET \(name: target) = \(value) WHERE \"id\" = ?")
        let isThere: SQL = "\(name: column) IS NOT NULL"
        try run.forEachRow("\(name: column), \(key)", SQL.and([isThere, rows]), in: table, for: property.name) {
            id, values in
            var plain = values[0]
            if let source {
                do throws(StoreError) {
                    plain = try sealed.value(plain, source, key: values[1], run.connection)
                } catch {
                    throw error.at(className: className, property: property.name, rowID: id)
                }
            }
            try update.execute([try converted(plain, id), .integer(id)])
        }
    }

    private func converted(_ value: DatabaseValue, _ id: Int64) throws -> DatabaseValue {
        do throws(ValueFault) { return try conversion(value) } catch {
            // The message must not contain the value.
            throw SchemaError.notConvertible(
                className: className, property: property.name, rowID: id, value: nil, type: property.typeName,
                reason: error.description)
        }
    }
}
