internal import StoreEngine

/// The shape of a collection's table in the file.
struct FoundCollection {
    let style: CollectionCodec.Style
    let key: ColumnDescription?
    let value: ColumnDescription
    let isOfObjects: Bool

    /// Nil if it is not a table of a collection.
    init?(_ table: TableDescription) {
        // A class can also have columns with these names, but its table has ids.
        guard table.column(ChildTable.ownerColumn) != nil, table.column("id") == nil,
            let value = table.column("value_id") ?? table.column("value")
        else { return nil }
        self.value = value
        isOfObjects = Naming.folded(value.name) == "value_id"
        key = table.column(ChildTable.keyColumn)
        style = table.column(ChildTable.positionColumn) != nil ? .array : key != nil ? .dictionary : .set
    }
}

extension FoundCollection {
    /// The tables of the collections of a class's table in the file, by the folded suffixes of their names.
    static func tables(
        of owner: PlannedTable, _ map: ClassMap, _ context: PlanContext
    ) throws -> [String: TableDescription] {
        if let known = owner.collections { return known }
        guard let found = owner.found else { return [:] }
        let prefixes = ([found.name, map.table] + map.formerTables).map { Naming.folded($0) + "_" }
        var tables: [String: (prefix: Int, table: TableDescription)] = [:]
        for name in try context.inspector.tables(referringTo: found.name, by: ChildTable.ownerColumn) {
            let folded = Naming.folded(name)
            let fitting = prefixes.indices.filter { folded.hasPrefix(prefixes[$0]) }
            guard !fitting.isEmpty, let table = try context.inspector.table(name), !table.isView,
                FoundCollection(table) != nil
            else { continue }
            // One prefix may start with another prefix. Only one of the resulting suffixes belongs to a property.
            for prefix in fitting {
                let ending = String(folded.dropFirst(prefixes[prefix].count))
                // Another class may have a former name of the owner's table.
                guard tables[ending].map({ $0.prefix > prefix }) ?? true else { continue }
                tables[ending] = (prefix, table)
            }
        }
        let collections = tables.mapValues(\.table)
        owner.collections = collections
        return collections
    }
}
