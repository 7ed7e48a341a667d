/// Which columns of the file's table the properties of a class have, by their names now and before.
///
/// A former name can be the present name of another property, which has got its
/// column from a third: `a` became `b`, and what was `b` became `c`.
struct ColumnMatches {
    /// In an order in which each new name is free when its turn comes.
    private(set) var renames: [(column: SchemaInspector.Column, property: Property)] = []
    private var columns: [String: SchemaInspector.Column]

    init(_ properties: [Property], _ columns: [SchemaInspector.Column]) {
        self.columns = Dictionary(
            columns.map { (Naming.folded($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        let properties = properties.filter(\.hasColumn)
        var missing = properties.filter { self.columns[Naming.folded($0.column)] == nil }
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

    /// The column that has the property's name and is its own; nil where it was another's, or there is none.
    func column(of property: Property) -> SchemaInspector.Column? { columns[Naming.folded(property.column)] }

    /// Properties whose columns were renamed in a circle: the file does not tell whether that was done already.
    static func circle(in properties: [Property]) -> [Property]? {
        func former(_ property: Property) -> [Property] {
            let names = Set(property.formerColumns.map(Naming.folded))
            return properties.filter {
                $0.hasColumn && $0.name != property.name && names.contains(Naming.folded($0.column))
            }
        }
        for property in properties where !property.formerColumns.isEmpty {
            var seen: [Property] = []
            var waiting = former(property)
            while let other = waiting.popLast() {
                if other.name == property.name { return [property] + seen }
                guard !seen.contains(where: { $0.name == other.name }) else { continue }
                seen.append(other)
                waiting += former(other)
            }
        }
        return nil
    }
}
