internal import StoreEngine

// Encrypted columns: values are encrypted, decrypted, or encrypted again, row by row.
extension TablePlan {
    /// Adds an encrypted column. Existing rows get the value of a new object.
    func addSealed(_ property: Property, _ sealing: PropertySealing) throws {
        try refuseOwnConversion(to: property)
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
                let writer = try SealedWriter(run, sealing, table, property.column, key: key)
                try run.forEachRow(key, rows, in: table) { try writer.write(try value.next(), to: $0, key: $1[0]) }
            }
        }
    }

    /// Compares a column that is encrypted, or becomes encrypted, or ceases to be encrypted; false for other columns.
    func compareSealed(_ column: ColumnDescription, _ property: Property) throws -> Bool {
        let known = context.sealed.column(column.name, of: table.foundName)
        guard known != nil || property.sealing != nil else { return false }
        let wanted = SealedColumn(property, of: map, dialect)
        let filling = try nilFilling(column, property)
        if let known, let wanted, known.hasSameValues(as: wanted) {
            guard let filling, property.sealing != nil else { return true }
            let name = property.column
            change(
                "fills column \"\(name)\" where it is NULL", .columns, property, loss: filling.loss, countsRows: true
            ) {
                filling.add(to: &$0, from: name, to: name)
            }
            return true
        }
        guard known != nil || !(property.codec is WholeCollectionCodec) else {
            throw SchemaError.columnTypeDiffers(
                className: map.name, property: property.name, column: column.name, found: column.type,
                wanted: property.codec.columnType)
        }
        let meaning =
            known.map { ValueMeaning(typeName: $0.type, column: logicalType($0.columnType), isJSON: $0.isJSON) }
            ?? context.record.meaning(of: property, column, in: map, dialect)
        let values = ValueConversion(from: meaning, to: property.codec)
        let conversion = SealedConversion(property: property, map: map, from: known, values)
        let table = map.table
        let rows: SQL = map.isRoot ? "" : hierarchy.isOfClasses(with: property)
        let history = HistoryConversion(property, map, from: known, values)
        if known != nil, property.sealing != nil {
            change(
                "encrypts column \"\(property.column)\" again", .columns, property, loss: filling?.loss,
                countsRows: true
            ) { steps in
                steps.add("-- \"\(table)\".\"\(property.column)\", each value decrypted and encrypted again") { run in
                    try conversion.run(run, from: property.column, to: property.column, rows: rows, in: table)
                }
                filling?.add(to: &steps, from: property.column, to: property.column)
                history?.add(to: &steps)
            }
            return true
        }
        self.table.isRebuilt = true
        let new = "po_new_" + property.column
        let isOpened = known != nil
        let definition = try definition(of: property, named: new, constantDefault(ordinal(of: property)))
        let name = "column \"\(property.column)\""
        let summary = isOpened ? "stores \(name) without encryption" : "encrypts \(name)"
        change(summary, .columns, property, loss: filling?.loss, countsRows: true) { steps in
            steps.add(addition(definition))
            let work = isOpened ? "decrypted" : "encrypted"
            let text = "-- \"\(table)\".\"\(new)\" = \"\(property.column)\", each value \(work)"
            steps.add(text) { run in
                try conversion.run(run, from: property.column, to: new, rows: rows, in: table)
            }
            filling?.add(to: &steps, from: property.column, to: new)
            replace(column, property.column, by: new, named: property.column, &steps)
            history?.add(to: &steps)
        }
        if isOpened {
            changes[changes.count - 1].exposure = "all values of column \"\(property.column)\""
        } else {
            addEncryptionNote(property)
        }
        return true
    }

    private func logicalType(_ text: String) -> LogicalType {
        LogicalType.allCases.first { dialect.declaredType($0).text == text } ?? .any
    }

    /// The values for rows of the class that have nil in a property that is no longer optional; nil if there are none.
    private func nilFilling(_ column: ColumnDescription, _ property: Property) throws -> SealedNilFilling? {
        guard !property.codec.acceptsNull, let found = try context.connection.schema.table(table.foundName),
            found.column(column.name) != nil
        else { return nil }
        // Rows of classes that the program has not used yet can be rows of siblings, which do not have the property.
        let rows = map.isRoot || found.column(HierarchyPlan.column) == nil ? "" : ownRows
        let isNil = SQL.and(["\(name: column.name) IS NULL", rows])
        let statement = try context.connection.prepare(
            "SELECT \"id\" FROM \(name: found.name) WHERE \(isNil) ORDER BY \"id\" LIMIT 10")
        let ids = try statement.rows([]).compactMap { row in
            if case .integer(let id)? = row.first { id } else { nil as Int64? }
        }
        let isCollection = property.codec is WholeCollectionCodec
        return ids.isEmpty
            ? nil
            : SealedNilFilling(
                property: property, map: map, rows: rows, ids: ids, loss: isCollection ? nil : lossOfNil(property))
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
    private let map: ClassMap
    /// The record of the column; nil if its values are not encrypted.
    private let source: SealedColumn?
    private let conversion: ValueConversion
    /// Nil for a property that is not a collection.
    private let collection: SealedCollection?

    init(property: Property, map: ClassMap, from source: SealedColumn?, _ conversion: ValueConversion) {
        self.property = property
        self.map = map
        self.source = source
        self.conversion = conversion
        collection = SealedCollection(property, in: map)
    }

    func run(_ run: SchemaRun, from column: String, to target: String, rows: SQL, in table: String) throws {
        guard let sealed = run.sealed else {
            throw SchemaError.notStorable(
                className: map.name, property: property.name, type: property.typeName,
                reason: "its values are encrypted, and the store has no keyring. Open the store with the keyring")
        }
        let writer = try property.sealing.map { try SealedWriter(run, $0, table, target, key: map.keySQL()) }
        let update = try run.connection.prepare(
            "UPDATE \(name: table) SET \(name: target) = ? WHERE \"id\" = ?")
        let isThere: SQL = "\(name: column) IS NOT NULL"
        let columns: SQL = "\(name: column), \(map.keySQL())"
        try run.forEachRow(columns, SQL.and([isThere, rows]), in: table, for: property.name) { id, values in
            var plain = values[0]
            if let source {
                do throws(StoreError) {
                    plain = try sealed.value(plain, source.context, key: values[1], run.connection)
                } catch {
                    throw error.at(className: map.name, property: property.name, rowID: id)
                }
            }
            let value = try converted(plain, id, run)
            if let writer {
                try writer.write(value, to: id, key: values[1])
            } else {
                try update.execute([value, .integer(id)])
            }
        }
    }

    private func converted(_ value: DatabaseValue, _ id: Int64, _ run: SchemaRun) throws -> DatabaseValue {
        if let collection, let source {
            return try collection.converted(value, from: source.type, of: id, map, run)
        }
        do throws(ValueFault) { return try conversion(value) } catch {
            // The message must not contain the value.
            throw SchemaError.notConvertible(
                className: map.name, property: property.name, rowID: id, value: nil, type: property.typeName,
                reason: error.description)
        }
    }
}
