internal import StoreEngine

/// The values of a row and of its collections at some time.
struct PastRow {
    /// By the folded names of the columns; those that are not in it held NULL, or were not there.
    var values: [String: DatabaseValue] = [:]
    /// By the folded names of the tables.
    var elements: [String: PastElements] = [:]

    func value(of property: Property) -> DatabaseValue { values[Naming.folded(property.column)] ?? .null }

    func elements(of property: Property, _ map: ClassMap) -> PastElements {
        ChildTable(property, of: map).flatMap { elements[Naming.folded($0.name)] } ?? PastElements()
    }

    /// Whether another row has the same for a property.
    func isSame(_ property: Property, as other: PastRow, _ map: ClassMap) -> Bool {
        values[Naming.folded(property.column)] == other.values[Naming.folded(property.column)]
            && elements(of: property, map) == other.elements(of: property, map)
    }
}
