internal import StoreEngine

/// Which columns of the file's table the properties of a class have, by their names now and before.
///
/// A former name can be the present name of another property, which has got its
/// column from a third: `a` became `b`, and what was `b` became `c`.
struct ColumnMatches {
    /// In an order in which each new name is free when its turn comes.
    private(set) var renames: [(column: ColumnDescription, property: Property)] = []
    private var columns: [String: ColumnDescription]

    init(_ properties: [Property], _ columns: [ColumnDescription]) {
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
    func column(of property: Property) -> ColumnDescription? { columns[Naming.folded(property.column)] }
}
