internal import StoreEngine

/// The values of a row and of its collections at some time.
struct PastRow {
    /// The values by the columns' folded names. A missing column was NULL, or did not exist.
    var values: [String: DatabaseValue] = [:]
    /// The elements by the tables' folded names.
    var elements: [String: PastElements] = [:]

    func value(of property: Property) -> DatabaseValue { values[Naming.folded(property.column)] ?? .null }

    func elements(of property: Property, _ map: ClassMap) -> PastElements {
        ChildTable(property, of: map).flatMap { elements[Naming.folded($0.name)] } ?? PastElements()
    }

    /// Whether another row has the same value for a property.
    func isSame(_ property: Property, as other: PastRow, _ map: ClassMap) -> Bool {
        values[Naming.folded(property.column)] == other.values[Naming.folded(property.column)]
            && elements(of: property, map) == other.elements(of: property, map)
    }
}
