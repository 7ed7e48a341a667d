internal import StoreEngine

// What uniqueness needs of a table that has rows: values that differ, and no index of a uniqueness that was taken back.
extension TablePlan {
    /// Whether no two rows may have the same value of the property.
    func isUniqueAlone(_ property: Property) -> Bool {
        map.indexes.contains { $0.isUnique && $0.columns == [property.column] }
    }

    var allIDs: SQL { "SELECT \"id\" FROM \(name: map.table)" }

    /// Rows that are there get values as new objects would: each its own.
    mutating func fill(_ property: Property, withOwnValuesIn ids: SQL) {
        let fill: SQL = "UPDATE \(name: map.table) SET \(name: property.column) = ? WHERE \"id\" = ?"
        let type = map.type
        steps.add(fill, forEach: ids) {
            // The user's init() must not come back to the store, which is in the middle of a transaction.
            try Examination.run {
                let object = type.init()
                return try withExtendedLifetime(object) {
                    try property.codec.encode(property.address(in: ObjectMemory.start(of: object)))
                }
            }
        }
    }

    /// Two rows would get the same value.
    func checkUniqueInitialValue(of property: Property) throws {
        guard try inspector.hasSeveralRows(map.table) else { return }
        throw SchemaError.equalInitialValues(className: map.name, property: property.name)
    }

    /// Drops unique indexes that this library has made, for properties that are gone or no longer unique: they would
    /// refuse what the class allows.
    ///
    /// A table of a hierarchy has indexes of subclasses that this process may not know; there only those on one
    /// property of the root go.
    mutating func dropFormerUniqueIndexes(_ existing: Set<String>) throws {
        guard map.isRoot else { return }
        let wanted = Set((map.indexes + hierarchy.indexes).map { Naming.folded($0.name) })
        let start = Naming.folded(map.table) + "."
        for name in existing.sorted() {
            let folded = Naming.folded(name)
            guard folded.hasPrefix(start), !wanted.contains(folded),
                folded.hasSuffix(".unique") || folded.hasSuffix(".unique.descending")
            else { continue }
            if hasClassColumn {
                guard map.properties.contains(where: { folded == start + Naming.folded($0.column) + ".unique" }),
                    !hierarchy.relatives.contains(where: { relative in
                        relative.indexes.contains { Naming.folded($0.name) == folded }
                    })
                else { continue }
            }
            steps.dropIndex(name)
        }
    }
}
