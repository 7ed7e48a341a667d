internal import StoreEngine

/// Encrypts a value for rows that have nil in a property that is no longer optional: the initial value, or no elements
/// in a collection.
struct SealedNilFilling: Sendable {
    let property: Property
    let map: ClassMap
    /// The condition of the rows whose classes have the property.
    let rows: SQL
    /// Some of the rows.
    let ids: [Int64]
    let loss: String?

    /// The error if no value can replace nil.
    var refusal: SchemaError { .nilInRequired(className: map.name, property: property.name, rowIDs: ids) }

    /// Adds the step that writes the values into a column, after the other values were written.
    func add(to steps: inout SchemaSteps, from source: String, to column: String) {
        guard let sealing = property.sealing else { return }
        let (table, key, refusal) = (map.table, map.keySQL(), refusal)
        let initial = InitialValue(property, map)
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
