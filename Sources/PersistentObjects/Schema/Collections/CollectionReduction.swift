internal import StoreEngine

/// Assigns the only element of a collection to a property that was a collection before.
struct CollectionReduction: Sendable {
    private let property: Property
    private let className: String
    private let shape: FoundCollection
    private let conversion: ValueConversion?

    init(_ property: Property, in map: ClassMap, from shape: FoundCollection, value: ValueMeaning) {
        self.property = property
        self.shape = shape
        className = map.name
        conversion = property.isReference ? nil : ValueConversion(from: value, to: property.codec)
    }

    private struct Element {
        let owner: Int64
        let value: DatabaseValue
        let key: DatabaseValue?
    }

    func run(_ run: SchemaRun, from source: String, to column: String, of table: String) throws {
        let key: SQL = shape.style == .dictionary ? ", \(name: ChildTable.keyColumn)" : ""
        let rows = try run.connection.prepare(
            """
            SELECT \(name: ChildTable.ownerColumn), \(name: shape.value.name)\(key) FROM \(name: source) \
            ORDER BY \(name: ChildTable.ownerColumn)
            """)
        let update = try run.connection.prepare("UPDATE \(name: table) SET \(name: column) = ? WHERE \"id\" = ?")
        var last: Element?
        try rows.forEach(for: property.name) { row in
            guard case .integer(let owner) = row[0] else { return }
            let element = Element(owner: owner, value: row[1], key: row.count > 2 ? row[2] : nil)
            if let last {
                guard last.owner != owner else {
                    throw failure("it has several elements, which a single value cannot hold", last, run)
                }
                try update.execute([try value(last, run), .integer(last.owner)])
            }
            last = element
        }
        if let last { try update.execute([try value(last, run), .integer(last.owner)]) }
    }

    private func value(_ element: Element, _ run: SchemaRun) throws -> DatabaseValue {
        guard shape.isOfObjects == property.isReference else {
            let reason =
                shape.isOfObjects
                ? "its elements are objects, not values"
                : "its elements are values, not objects"
            throw failure(reason, element, run)
        }
        guard element.key ?? .integer(0) == .integer(0) else {
            throw failure("its key is not 0, and a single value would lose it", element, run)
        }
        guard element.value != .null else {
            throw failure("its element is nil, which a single value cannot distinguish from no element", element, run)
        }
        do throws(ValueFault) { return try conversion?(element.value) ?? element.value } catch {
            throw failure(error.description, element, run)
        }
    }

    private func failure(_ reason: String, _ element: Element, _ run: SchemaRun) -> SchemaError {
        .notConvertible(
            className: className, property: property.name, rowID: element.owner, value: run.shown(element.value),
            type: property.typeName, reason: reason)
    }
}
