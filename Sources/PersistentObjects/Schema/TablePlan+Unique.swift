internal import StoreEngine

// Uniqueness in a table with rows: the values must differ, and unused unique indexes are dropped.
extension TablePlan {
    /// Whether the property alone must be unique.
    func isUniqueAlone(_ property: Property) -> Bool {
        map.indexes.contains { $0.isUnique && $0.columns == [property.column] }
    }

    /// Sets a separate value in each existing row, as in new objects.
    ///
    /// - Parameter rows: A condition; empty for all.
    func fill(_ property: Property, withOwnValuesIn rows: SQL, _ steps: inout SchemaSteps) {
        let fill: SQL = "UPDATE \(name: map.table) SET \(name: property.column) = ? WHERE \"id\" = ?"
        steps.add(fill, forEach: rows, in: map.table, binding: InitialValue.maker(of: property, map))
    }

    /// Throws if two rows would get the same value.
    func checkUniqueInitialValue(of property: Property) throws {
        guard try inspector.hasSeveralRows(map.table) else { return }
        throw SchemaError.equalInitialValues(className: map.name, property: property.name)
    }
}

// Indexes: unused indexes of the library are dropped, and missing indexes are created.
extension TablePlan {
    func compareIndexes() throws {
        let declared = try WrittenIndex.declared(of: map, dialect)
        try dropFormerIndexes()
        for index in (map.indexes + hierarchy.indexes).map({ WrittenIndex($0, of: map, dialect) }) + declared {
            let name = Naming.folded(index.name)
            guard table.indexes.insert(name).inserted else {
                replaceIfOutdated(index)
                continue
            }
            table.currentIndexes.insert(name)
            change("creates index \"\(index.name)\"", map.type.conversions.isEmpty ? .indexes : .lateIndexes) {
                $0.createIndex(index, on: map.table)
            }
        }
        dropUnfinishedIndexes()
    }

    /// Replaces an index of an earlier version of the library, or of a property that became optional, whose order
    /// queries cannot use.
    private func replaceIfOutdated(_ index: WrittenIndex) {
        guard let replacement = dialect.indexReplacement,
            table.currentIndexes.insert(Naming.folded(index.name)).inserted,
            let found = table.foundIndexes.first(where: { $0.name == index.name }), !index.matches(found)
        else { return }
        add(IndexRenewal(index, on: map.table, replacement), "replacing index \"\(index.name)\"")
    }

    private func dropUnfinishedIndexes() {
        guard map.isRoot, let replacement = dialect.indexReplacement else { return }
        for index in table.foundIndexes where IndexRenewal.isUnfinished(index.name) {
            add(IndexRenewal(removing: index.name, on: map.table, replacement), "dropping index \"\(index.name)\"")
        }
    }

    private func add(_ renewal: IndexRenewal, _ summary: String) {
        change(summary, .renewals) { steps in
            for statement in renewal.statements { steps.add(statement) }
        }
        changes[changes.count - 1].renewal = renewal
    }

    /// Drops unused indexes, because unique indexes would reject values that the class allows, and other indexes cost
    /// time.
    ///
    /// A hierarchy's table has indexes of subclasses that this process may not know. Unless all classes are known, only
    /// indexes on one property of the root are dropped.
    private func dropFormerIndexes() throws {
        guard map.isRoot, let found = table.found else { return }
        let relatives = context.relatives(of: map)
        let names =
            (relatives.flatMap(\.indexes) + hierarchy.indexes).map(\.name)
            + (try relatives.flatMap { try WrittenIndex.declared(of: $0, dialect) }).map(\.name)
        let wanted = Set(names.map { Naming.folded($0) })
        let start = Naming.folded(found.name) + "."
        let isRenamed = Naming.folded(found.name) != Naming.folded(map.table)
        let knowsAll = context.knowsAllClasses(of: map, hierarchy.hasClassColumn)
        for index in table.foundIndexes.sortedUnspecialized(by: { $0.name < $1.name }) {
            let name = Naming.folded(index.name)
            guard name.hasPrefix(start), TablePlan.isOurs(name), isRenamed || !wanted.contains(name) else { continue }
            let isOnOneProperty = map.properties.contains { property in
                [".unique", ".index"].contains { name == start + Naming.folded(property.column) + $0 }
            }
            guard isRenamed || knowsAll || isOnOneProperty else { continue }
            table.indexes.remove(name)
            change("drops index \"\(index.name)\"", .release) { $0.dropIndex(index.name) }
        }
    }

    /// Whether an index name has the library's form. Other programs' names differ.
    static func isOurs(_ name: String) -> Bool {
        [".unique", ".index", ".unique.descending", ".index.descending"].contains { name.hasSuffix($0) }
    }
}
