internal import StoreEngine

/// Moves the values of a structure from one column of JSON to a column for each field, or back.
struct EmbeddedMove: Sendable {
    /// A field's column, and the field's location in the structure.
    struct Field: Sendable {
        let column: String
        let offset: Int
        let codec: PropertyCodec
        let name: String
        /// Whether the column has a value in every row of the class.
        var isRequired = false
    }

    let map: ClassMap
    let whole: Property
    /// The column with the JSON.
    let column: String
    let fields: [Field]
    /// The presence column; nil if there is always a value.
    var presenceFlag: String?
    /// The first field whose content in an existing value is unknown.
    var lacking: String?
    /// The conversion of a value that is not JSON to JSON; nil if the column has JSON.
    var conversion: RowConversion?

    private var list: SQL { "\(list: fields.map { "\(name: $0.column)" as SQL })" }

    /// Reads the JSON of each row and writes the columns.
    func split(_ run: SchemaRun, rows: SQL) throws {
        let columns = fields.map { "\(name: $0.column) = ?" as SQL }
        let update = try run.connection.prepare("UPDATE \(name: map.table) SET \(list: columns) WHERE \"id\" = ?")
        try run.forEachRow("\(name: column)", rows, in: map.table, for: whole.name) { id, values in
            // If nil is not allowed, the initial value replaces it, and is already stored.
            guard values[0] != .null || whole.codec.acceptsNull else { return }
            let json = try conversion?.convert(values[0], of: id, run) ?? values[0]
            let memory = whole.codec.facts.allocate()
            defer { memory.deallocate() }
            guard whole.codec.decode(json, at: memory) else {
                throw failure(values[0], of: id, whole.codec.fault(of: json)?.description ?? "", run)
            }
            defer { whole.codec.destroy(memory) }
            let stored = try fields.map { field in
                do throws(ValueFault) { return try field.codec.encode(memory + field.offset) } catch {
                    throw failure(values[0], of: id, "\(field.name): \(error.description)", run)
                }
            }
            try update.execute(stored + [.integer(id)])
        }
    }

    /// Reads the columns of each row and writes the JSON.
    func join(_ run: SchemaRun, rows: SQL) throws {
        let update = try run.connection.prepare(
            "UPDATE \(name: map.table) SET \(name: column) = ? WHERE \"id\" = ?")
        // A field without a column, such as a new field, gets the value that it has in a new object.
        let initial = Examination.run {
            map.scratch.withObject { ValueMemory(copying: whole.address(in: $1), whole.codec) }
        }
        let presenceFlag: SQL = presenceFlag.map { ", \(name: $0)" } ?? ""
        try run.forEachRow("\(list)\(presenceFlag)", rows, in: map.table, for: whole.name) { id, values in
            guard isThere(values) else {
                // If nil is not allowed, the initial value is already stored.
                if self.presenceFlag != nil, whole.codec.acceptsNull { try update.execute([.null, .integer(id)]) }
                return
            }
            if let lacking {
                throw failure(.null, of: id, "\(lacking) has no value for rows that existed before it", run)
            }
            let value = initial.withAddress { ValueMemory(copying: $0, whole.codec) }
            if let field = fields.first { value.withAddress { field.codec.makePresent($0) } }
            for (field, stored) in zip(fields, values)
            where !value.withAddress({ field.codec.replace($0 + field.offset, by: stored) }) {
                throw failure(stored, of: id, field.codec.fault(of: stored)?.description ?? "", run)
            }
            let json: DatabaseValue
            do throws(ValueFault) {
                json = try value.withAddress { (value) throws(ValueFault) in try whole.codec.encode(value) }
            } catch { throw failure(.null, of: id, error.description, run) }
            try update.execute([json, .integer(id)])
        }
    }

    /// Whether a row has a value.
    private func isThere(_ values: [DatabaseValue]) -> Bool {
        if presenceFlag != nil { return values.last != .null }
        // Rows of other classes of a hierarchy have no value in any column.
        return map.isRoot || values.contains { $0 != .null } || !fields.contains(where: \.isRequired)
    }

    private func failure(_ value: DatabaseValue, of id: Int64, _ reason: String, _ run: SchemaRun) -> SchemaError {
        .notConvertible(
            className: map.name, property: whole.name, rowID: id, value: run.shown(value), type: whole.typeName,
            reason: reason)
    }
}

// A structure that was stored as JSON and is embedded now, or the reverse.
extension TablePlan {
    /// Moves values between one column and several columns. Earlier changes add the new columns; this change drops the
    /// old columns.
    ///
    /// - Parameter own: The properties that the class adds to the properties of the hierarchy's root.
    func moveEmbedded(_ found: TableDescription, _ own: [Property]) throws {
        for value in map.embedded where map.isRoot || !isOfRoot(value.whole) {
            guard let storage = matches.found(value.whole) else { continue }
            if let source = storage.table {
                refuseElements(of: source, value.whole)
            } else if let column = storage.column, !isReadByConversion(column.name) {
                let move = split(of: value, column)
                let rows = context.withoutNewcomers(to: table, lacking: value.whole)
                try change(moving: [move.column], move.fields.map(\.column)) {
                    try move.split($0, rows: SQL.and([$1, rows]))
                }
            }
        }
        for property in own where !converted.contains(property.name) {
            guard let source = try context.embeddedSource(of: property, map, table),
                !source.all.contains(where: { table.seenColumns.contains(Naming.folded($0)) })
            else { continue }
            if let move = join(to: property, source) {
                let old = move.fields.map(\.column) + [move.presenceFlag].compactMap(\.self)
                try change(moving: old, [move.column]) { try move.join($0, rows: $1) }
            } else {
                refuseValues(of: source, property)
            }
        }
    }

    private func change(
        moving old: [String], _ new: [String], _ work: @escaping @Sendable (SchemaRun, SQL) throws -> Void
    ) throws {
        guard let property = map.properties.first(where: { $0.column == new[0] }) else { return }
        // The old columns are marked as seen, so that they are not reported as unused.
        table.seenColumns.formUnion(old.map(Naming.folded))
        table.isRebuilt = true
        let rows = hierarchy.rowsToFill(property) ?? ""
        let names = (old: TablePlan.list(old), new: TablePlan.list(new))
        change("moves the values of \(names.old) of table \"\(map.table)\" to \(names.new)", .columns, countsRows: true)
        {
            steps in
            steps.add("-- \(names.new) = each value of \(names.old)") { try work($0, rows) }
            for column in old {
                dropIndexes(on: column, &steps)
                steps.add("ALTER TABLE \(name: map.table) DROP COLUMN \(name: column)")
            }
        }
    }

    private static func list(_ columns: [String]) -> String {
        (columns.count == 1 ? "column " : "columns ") + columns.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    /// The move of a value from one column to the columns of its fields.
    private func split(of value: EmbeddedValue, _ column: ColumnDescription) -> EmbeddedMove {
        let meaning = context.record.meaning(of: value.whole, column, in: map, dialect)
        let isJSON = meaning == .json && column.type == dialect.declaredType(value.whole.codec.logicalType).text
        return EmbeddedMove(
            map: map, whole: value.whole, column: table.nameMeanwhile(of: column.name),
            fields: value.ordinals.map { map.properties[$0] }.map {
                EmbeddedMove.Field(column: $0.column, offset: $0.partOffset, codec: $0.codec, name: $0.name)
            },
            conversion: isJSON
                ? nil : RowConversion(value.whole, map, ValueConversion(from: meaning, to: value.whole.codec)))
    }

    /// The move of a value from the columns of its fields to JSON; nil if the property is not JSON, or has no such
    /// field.
    private func join(to property: Property, _ source: EmbeddedSource) -> EmbeddedMove? {
        guard case .scalar = property.shape, CodecFactory.isStoredAsJSON(property.codec.valueType),
            case .success(let all) = EmbeddedFields.fields(of: property.codec.valueType, isForeign: false)
        else { return nil }
        let fields = all.compactMap { field -> EmbeddedMove.Field? in
            guard field.presence != .flag, let column = source.columns[field.name] else { return nil }
            let isRequired = field.presence == .required || field.presence == .always && !field.codec.acceptsNull
            return EmbeddedMove.Field(
                column: column, offset: field.codecOffset, codec: field.codec, name: "\(property.name).\(field.name)",
                isRequired: isRequired)
        }
        guard !fields.isEmpty else { return nil }
        // If the initial value is nil, it provides no values for new fields.
        let isInitiallyNil = map.defaults[ordinal(of: property)]?.value == .null
        let lacking = all.first {
            isInitiallyNil && $0.presence == .required && source.columns[$0.name] == nil
        }
        return EmbeddedMove(
            map: map, whole: property, column: property.column, fields: fields, presenceFlag: source.presenceFlag,
            lacking: lacking.map { "\(property.name).\($0.name)" })
    }

    /// Refuses rows with a value, because the property's new type cannot hold an embedded value.
    private func refuseValues(of source: EmbeddedSource, _ property: Property) {
        let columns = source.presenceFlag.map { [$0] } ?? source.all
        let isThere: SQL = "\(list: columns.map { "\(name: $0) IS NOT NULL" as SQL }, separator: " OR ")"
        let rows = hierarchy.rowsToFill(property).map { " AND \($0)" as SQL } ?? ""
        refuse(
            property, "SELECT \"id\" FROM \(name: map.table) WHERE (\(isThere))\(rows) ORDER BY 1 LIMIT 1",
            "it is embedded in \(TablePlan.list(source.all)) of table \"\(map.table)\", and the new type is not a "
                + "structure with such fields"
        )
    }

    /// Refuses rows with elements, because the elements of a collection cannot become the fields of a structure.
    private func refuseElements(of source: TableDescription, _ whole: Property) {
        context.releaseTriggers(of: [source.name])
        let name = context.finalName(source.name)
        refuse(
            whole, "SELECT \(name: ChildTable.ownerColumn) FROM \(name: name) ORDER BY 1 LIMIT 1",
            "its elements are in table \"\(source.name)\", and an embedded value is a single structure")
    }

    private func refuse(_ property: Property, _ rows: SQL, _ reason: String) {
        let (name, type) = (map.name, property.typeName)
        change("checks that no row has a value of \(property.name) that would be lost", .columns) {
            $0.add("-- \(rows.text)") { run in
                guard let id = try run.ids(rows).first else { return }
                throw SchemaError.notConvertible(
                    className: name, property: property.name, rowID: id, value: nil, type: type, reason: reason)
            }
        }
    }
}
