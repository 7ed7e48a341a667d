internal import StoreEngine

/// Which columns of the file's table the properties of a class have, by their names now and before.
///
/// A former name can be the present name of another property, which has got its
/// column from a third: `a` became `b`, and what was `b` became `c`. Where names
/// were exchanged only the file's own description tells whether that was done
/// already.
struct ColumnMatches {
    /// In an order in which each new name is free when its turn comes, but for an exchange.
    private(set) var renames: [(column: ColumnDescription, property: Property)] = []
    /// Whether a new name is another's former one.
    private(set) var isExchange = false
    private var columns: [String: ColumnDescription]

    /// - Parameter record: What the file says of the class.
    init(_ map: ClassMap, _ columns: [ColumnDescription], _ record: ClassRecord?) throws {
        self.columns = Dictionary(
            columns.map { (Naming.folded($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        let properties = map.properties.filter(\.hasColumn)
        try exchange(properties, map, record)
        var missing = properties.filter { property in
            self.columns[Naming.folded(property.column)] == nil && !renames.contains { $0.property.name == property.name }
        }
        var next = 0
        while next < missing.count {
            let property = missing[next]
            next += 1
            for former in property.formerColumns.map(Naming.folded) {
                guard let column = self.columns.removeValue(forKey: former) else { continue }
                renames.append((column, property))
                missing += properties.filter { Naming.folded($0.column) == former }
                break
            }
        }
    }

    /// Properties that have each other's columns.
    private mutating func exchange(_ properties: [Property], _ map: ClassMap, _ record: ClassRecord?) throws {
        guard let circle = Property.renamingCircle(in: properties),
            circle.allSatisfy({ columns[Naming.folded($0.column)] != nil })
        else { return }
        guard let record else {
            throw SchemaError.renamedInCircle(className: map.name, properties: circle.map(\.name).sorted())
        }
        let names = Set(circle.map { Naming.folded($0.column) })
        for property in circle {
            let applied = record.properties[property.name]?.formerNames ?? []
            guard let former = property.formerColumns.first(where: { names.contains(Naming.folded($0)) }),
                !applied.contains(former), let column = columns[Naming.folded(former)]
            else { continue }
            renames.append((column, property))
            isExchange = true
        }
        for (column, _) in renames { columns[Naming.folded(column.name)] = nil }
    }

    /// The column that has the property's name and is its own; nil where it was another's, or there is none.
    func column(of property: Property) -> ColumnDescription? { columns[Naming.folded(property.column)] }
}
