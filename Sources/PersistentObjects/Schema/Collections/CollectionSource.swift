internal import StoreEngine

/// Where the elements of a collection are in the file: in its table, in a table of another shape, or in a column that
/// had one value.
struct CollectionSource {
    /// The table, under whatever name it has.
    let table: TableDescription?
    /// The column of the owner; nil where there is a table.
    let column: ColumnDescription?

    init(_ property: Property, _ map: ClassMap, _ owner: PlannedTable, _ context: PlanContext) throws {
        table = try CollectionSource.table(of: property, map, owner, context)
        guard table == nil, let found = owner.found else {
            column = nil
            return
        }
        let names = [property.column] + property.formerColumns
        column = names.lazy.compactMap { found.column($0) }.first
    }

    /// The table of a collection under a name that it has now, or that its owner's table or the property had before.
    static func table(
        of property: Property, _ map: ClassMap, _ owner: PlannedTable, _ context: PlanContext
    ) throws -> TableDescription? {
        guard owner.isThere else { return nil }
        let current = Set(map.properties.compactMap { ChildTable($0, of: map) }.map { Naming.folded($0.name) })
        let owners = [owner.foundName, map.table] + map.formerTables
        for (place, ownerName) in owners.enumerated() {
            for (index, column) in ([property.column] + property.formerColumns).enumerated() {
                let name = ownerName + "_" + column
                // A property of today may have a name that another one had.
                let isOwn = index == 0
                guard isOwn || !current.contains(Naming.folded(name)),
                    !owners[..<place].contains(where: { Naming.folded($0) == Naming.folded(ownerName) }),
                    let found = try context.inspector.table(name), !found.isView
                else { continue }
                // Another class may have the former name now; with its owner's table SQLite renames what refers to it.
                let keys = try context.inspector.foreignKeys(of: found.name)
                if keys[ChildTable.ownerColumn] == Naming.folded(owner.foundName) { return found }
            }
        }
        return nil
    }
}

/// What shape the table of a collection has in the file.
struct FoundCollection {
    let style: CollectionCodec.Style
    let key: ColumnDescription?
    let value: ColumnDescription
    let isOfObjects: Bool

    /// Nil where it is no table of a collection.
    init?(_ table: TableDescription) {
        guard table.column(ChildTable.ownerColumn) != nil,
            let value = table.column("value_id") ?? table.column("value")
        else { return nil }
        self.value = value
        isOfObjects = Naming.folded(value.name) == "value_id"
        key = table.column(ChildTable.keyColumn)
        style = table.column(ChildTable.positionColumn) != nil ? .array : key != nil ? .dictionary : .set
    }
}
