internal import StoreEngine

/// Gives a property the only element that a collection has, where the property had a collection before.
struct CollectionReduction: Sendable {
    private let property: Property
    private let className: String
    private let conversion: ValueConversion?

    init(_ property: Property, in map: ClassMap, value: ValueMeaning) {
        self.property = property
        className = map.name
        let isReference = if case .reference = property.shape { true } else { false }
        conversion = isReference ? nil : ValueConversion(from: value, to: property.codec)
    }

    func run(_ run: SchemaRun, from source: String, _ value: String, to column: String, of table: String) throws {
        let rows = try run.connection.prepare(
            """
            SELECT \(name: ChildTable.ownerColumn), \(name: value), count(*) FROM \(name: source) \
            GROUP BY \(name: ChildTable.ownerColumn)
            """)
        let update = try run.connection.prepare("UPDATE \(name: table) SET \(name: column) = ? WHERE \"id\" = ?")
        try rows.forEach(for: property.name) { row in
            guard case .integer(let id) = row[0] else { return }
            func failure(_ reason: String) -> SchemaError {
                .notConvertible(
                    className: className, property: property.name, rowID: id, value: run.shown(row[1]),
                    type: property.typeName, reason: reason)
            }
            guard row[2] == .integer(1) else { throw failure("it has several elements, which one value cannot hold") }
            let converted: DatabaseValue
            do throws(ValueFault) { converted = try conversion?(row[1]) ?? row[1] } catch {
                throw failure(error.description)
            }
            // An element that is nil leaves the initial value to a property that takes none.
            if converted != .null || property.codec.acceptsNull { try update.execute([converted, .integer(id)]) }
        }
    }
}
