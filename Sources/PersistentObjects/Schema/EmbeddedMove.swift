internal import StoreEngine

/// The values of a structure that go from one column with their JSON to a column for each field, or back.
struct EmbeddedMove: Sendable {
    /// A field's column, and where in the structure the field is.
    struct Field: Sendable {
        let column: String
        let offset: Int
        let codec: PropertyCodec
        let name: String
    }

    let map: ClassMap
    let whole: Property
    /// The column with the JSON.
    let column: String
    let fields: [Field]

    private var list: SQL { "\(list: fields.map { "\(name: $0.column)" as SQL })" }

    /// Reads the JSON of each row and writes the columns.
    func split(_ run: SchemaRun, rows: SQL) throws {
        let columns = fields.map { "\(name: $0.column) = ?" as SQL }
        let update = try run.connection.prepare("UPDATE \(name: map.table) SET \(list: columns) WHERE \"id\" = ?")
        try run.forEachRow("\(name: column)", rows, in: map.table, for: whole.name) { id, values in
            // Nil becomes the initial value, which is there already, where nil can be no value.
            guard values[0] != .null || whole.codec.acceptsNull else { return }
            let memory = whole.codec.facts.allocate()
            defer { memory.deallocate() }
            guard whole.codec.decode(values[0], at: memory) else {
                throw failure(values[0], of: id, whole.codec.fault(of: values[0])?.description ?? "", run)
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
        // What has no column, a field that has just come, has what a new object has in it.
        let initial = Examination.run {
            map.scratch.withObject { ValueMemory(copying: whole.address(in: $1), whole.codec) }
        }
        try run.forEachRow(list, rows, in: map.table, for: whole.name) { id, values in
            // A row of another class.
            guard values.contains(where: { $0 != .null }) else { return }
            let value = initial.withAddress { ValueMemory(copying: $0, whole.codec) }
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

    private func failure(_ value: DatabaseValue, of id: Int64, _ reason: String, _ run: SchemaRun) -> SchemaError {
        .notConvertible(
            className: map.name, property: whole.name, rowID: id, value: run.shown(value), type: whole.typeName,
            reason: reason)
    }
}

// A structure that was stored as JSON and is embedded now, or the other way round.
extension TablePlan {
    /// Moves values between one column and several, whose new ones other changes have added before; the old ones go.
    func moveEmbedded(_ found: TableDescription) throws {
        for value in map.embedded where map.isRoot || !isOfRoot(value.whole) {
            guard let move = try split(of: value, found) else { continue }
            try change(moving: [move.column], move.fields.map(\.column)) { try move.split($0, rows: $1) }
        }
        for property in map.properties where property.part == nil && (map.isRoot || !isOfRoot(property)) {
            guard let move = try join(to: property, found) else { continue }
            try change(moving: move.fields.map(\.column), [move.column]) { try move.join($0, rows: $1) }
        }
    }

    private func change(
        moving old: [String], _ new: [String], _ work: @escaping @Sendable (SchemaRun, SQL) throws -> Void
    ) throws {
        guard let property = map.properties.first(where: { $0.column == new[0] }) else { return }
        // Whoever leaves columns behind has seen them here.
        table.seenColumns.formUnion(old.map(Naming.folded))
        table.isRebuilt = true
        let rows = hierarchy.rowsToFill(property) ?? ""
        let names = (old: TablePlan.list(old), new: TablePlan.list(new))
        change("moves what \(names.old) of table \"\(map.table)\" has to \(names.new)", .columns, countsRows: true) {
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

    /// The JSON that an embedded value had before: where none of its columns is there, and a column with its name.
    private func split(of value: EmbeddedValue, _ found: TableDescription) throws -> EmbeddedMove? {
        let properties = value.places.map { map.properties[$0] }
        guard properties.allSatisfy({ found.column($0.column) == nil }),
            let column = ([value.whole.column] + value.whole.formerColumns).lazy.compactMap({ found.column($0) }).first,
            column.type == dialect.declaredType(value.whole.codec.logicalType).text, isFree(column.name)
        else { return nil }
        return EmbeddedMove(
            map: map, whole: value.whole, column: column.name,
            fields: properties.map {
                EmbeddedMove.Field(column: $0.column, offset: $0.partOffset, codec: $0.codec, name: $0.name)
            })
    }

    /// The columns that a value which is JSON now had before, as far as the file says that they were those of its fields.
    private func join(to property: Property, _ found: TableDescription) throws -> EmbeddedMove? {
        guard case .scalar = property.shape, found.column(property.column) == nil,
            CodecFactory.isStoredAsJSON(property.codec.valueType),
            let record = ([map.name] + map.type.formerNames).compactMap({ context.record.classes[$0] }).first,
            case .success(let all) = EmbeddedFields.fields(of: property.codec.valueType, isForeign: false)
        else { return nil }
        let fields = all.compactMap { field -> EmbeddedMove.Field? in
            let name = "\(property.name).\(field.name)"
            guard let former = record.properties[name], !former.isGone, let column = former.column,
                found.column(column) != nil, isFree(column)
            else { return nil }
            return EmbeddedMove.Field(column: column, offset: field.codecOffset, codec: field.codec, name: name)
        }
        return fields.isEmpty
            ? nil : EmbeddedMove(map: map, whole: property, column: property.column, fields: fields)
    }

    /// Whether a column is no property's, and no conversion of the user's reads it.
    func isFree(_ column: String) -> Bool {
        let folded = Naming.folded(column)
        let relatives = context.relatives(of: map)
        return !relatives.flatMap(\.properties).contains { $0.hasColumn && Naming.folded($0.column) == folded }
            && !relatives.flatMap(\.type.conversions).contains { Naming.folded($0.source) == folded }
    }
}
