internal import StoreEngine

/// The value for rows that have nil in a property that is no longer optional: the initial value, or no elements in a
/// collection. It is encrypted if the property still is.
struct SealedNilFilling: Sendable {
    let property: Property
    let map: ClassMap
    /// The condition of the rows whose classes have the property.
    let rows: SQL
    /// Some of the rows.
    let ids: [Int64]
    let loss: String?

    /// Adds the step that writes the values into a column, after the other values were written.
    func add(to steps: inout SchemaSteps, from source: String, to column: String) {
        let initial = InitialValue(property, map)
        guard let sealing = property.sealing else {
            return initial.fillNulls(of: property, map, from: source, to: column, rows, &steps)
        }
        let refusal = SchemaError.nilInRequired(className: map.name, property: property.name, rowIDs: ids)
        let (table, key) = (map.table, map.keySQL())
        let isCollection = property.codec is WholeCollectionCodec
        let isNil = SQL.and(["\(name: source) IS NULL", rows])
        let what = isCollection ? "no elements" : "the initial value"
        steps.add("-- \"\(table)\".\"\(column)\" = \(what), encrypted, if \"\(source)\" is NULL") { run in
            let writer = try SealedWriter(run, sealing, table, column, key: key)
            try run.forEachID(isNil, in: table) { id in
                let value =
                    isCollection ? .blob(CollectionEncoding.bytes(of: [], .array)) : try? initial.next()
                guard let value, value != .null else { throw refusal }
                try writer.write(value, to: id)
            }
        }
    }
}
