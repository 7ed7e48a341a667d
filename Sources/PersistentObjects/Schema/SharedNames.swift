internal import StoreEngine

// Columns and tables that classes of a hierarchy share because properties have the same name.
extension PlanContext {
    /// The program's classes with rows in a class's table, also those that were not used yet.
    func classes(of map: ClassMap, in table: String) -> [ClassMap] {
        let known = relatives(of: map)
        let names = Set(known.map(\.name))
        let others = record.classes(in: table).map(\.name).sortedUnspecialized().filter { !names.contains($0) }
        let types = others.compactMap { ClassResolver.subclass(named: $0, of: map.root) }
        return known + types.compactMap { try? ClassMap.map(of: $0) }
    }

    /// The recorded classes of a table that the program does not have, without the subclasses of a class.
    func formerClasses(outside map: ClassMap, in table: String) -> [String] {
        let known = Set(relatives(of: map).map(\.name))
        let own = Set([map.name] + map.type.formerNames)
        return record.classes(in: table).map(\.name).sortedUnspecialized().filter { name in
            !known.contains(name) && own.isDisjoint(with: record.lineage(of: name))
                && ClassResolver.subclass(named: name, of: map.root) == nil
                && ClassResolver.renamedSubclass(from: name, of: map.root) == nil
        }
    }

    /// Checks that a renamed column, or a renamed collection's table, has no values of another class.
    ///
    /// - Throws: `SchemaError.unsupportedChange`, because the other class would lose its values.
    func checkIsOwn(_ former: String, _ property: Property, of map: ClassMap, in table: PlannedTable) throws {
        // All classes inherit the properties of the root.
        guard property.level > map.rootLevel, let other = sharer(of: former, property, of: map, in: table) else {
            return
        }
        let storage = property.isCollection ? "the table \"\(table.foundName)_\(former)\"" : "the column \"\(former)\""
        let advice =
            property.isCollection
            ? "copy the elements in a migration step: store.migrate"
            : "copy the values: PropertyConversion(\\\(map.name).\(property.name), from: \"\(former)\") "
                + "{ (value: \(property.typeName)) in value }"
        throw SchemaError.unsupportedChange(
            className: map.name, property: property.name,
            reason: "\(storage) has values of \(other), too, so it cannot be renamed. Nothing was changed. Remove "
                + "renamedFrom, and \(advice)")
    }

    /// A class without the property whose rows have values under the former name.
    private func sharer(
        of former: String, _ property: Property, of map: ClassMap, in table: PlannedTable
    ) -> String? {
        let name = Naming.folded(former)
        let recorded = record.classes(in: table.foundName)
        return classes(of: map, in: table.foundName).first { other in
            guard other.name != map.name else { return false }
            let isWanted = other.properties.contains { own in
                let names = [own.column] + own.formerColumns
                let isSame = own.name == property.name && own.column == property.column
                return !isSame && names.contains { Naming.folded($0) == name }
            }
            // A new property with the former name has no values yet.
            let lineage = Set(ClassLineage.hierarchy(of: other).map { String(describing: $0) })
            return isWanted
                && recorded.contains { found in
                    lineage.contains(found.name) && found.property(storedAs: former).map { !$0.isRemoved } ?? false
                }
        }?.name
    }
}
