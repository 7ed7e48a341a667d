internal import StoreEngine

// Collections that become a single value, and the flags that distinguish nil collections from empty collections.
extension TablePlan {
    /// Frees the names of columns that other properties need: unused flags are dropped, and columns whose values move
    /// get temporary names.
    func makeWay() {
        for property in map.properties + map.embedded.map(\.whole) where map.isRoot || !isOfRoot(property) {
            guard let found = matches.found(property), let column = found.column else { continue }
            let isEmbedded = map.ordinal(of: property.name) == nil
            guard isEmbedded || !found.keepsColumn(for: property),
                table.clearedColumns.insert(Naming.folded(column.name)).inserted
            else { continue }
            if found.table != nil, property.sealing != nil {
                // The flag is read when the elements are encrypted.
                keepFlag(column, of: property)
            } else if found.table != nil {
                dropFlag(column, of: property)
            } else if isEmbedded || property.isCollection {
                setAside(column, of: property)
            }
        }
    }

    private func dropFlag(_ column: ColumnDescription, of property: Property) {
        table.isRebuilt = true
        change("drops column \"\(column.name)\", which marked whether a collection is nil", .columns, property) {
            steps in
            dropIndexes(on: column.name, &steps)
            if isReadByConversion(column.name) {
                setAside(column.name, &steps)
            } else {
                steps.add("ALTER TABLE \(name: map.table) DROP COLUMN \(name: column.name)")
            }
        }
    }

    private func keepFlag(_ column: ColumnDescription, of property: Property) {
        table.isRebuilt = true
        let name = TablePlan.setAsideName(of: column.name)
        change("temporarily renames column \"\(column.name)\" to \"\(name)\"", .columns, property) { steps in
            dropIndexes(on: column.name, &steps)
            steps.renameColumn(column.name, to: name, in: map.table)
        }
    }

    /// Renames a column temporarily if another property needs its name before its values have been read.
    private func setAside(_ column: ColumnDescription, of property: Property) {
        let name = Naming.folded(column.name)
        let isNeeded = context.relatives(of: map).flatMap(\.properties).contains {
            $0.hasColumn && $0.name != property.name && Naming.folded($0.column) == name
        }
        guard isNeeded else { return }
        let meanwhile = TablePlan.setAsideName(of: column.name)
        table.namesMeanwhile[name] = meanwhile
        table.isRebuilt = true
        change("temporarily renames column \"\(column.name)\" to \"\(meanwhile)\"", .columns, property) {
            $0.renameColumn(column.name, to: meanwhile, in: map.table)
        }
    }

    /// Adds the flag of a collection that becomes optional; in existing rows, the collection is not nil.
    func addFlag(_ property: Property) throws {
        try change(
            "adds column \"\(property.column)\", which marks whether \(property.name) is nil", .columns, property,
            countsRows: true
        ) { steps in
            steps.add(addition(try definition(of: property, nil)))
            let rows = hierarchy.rowsToFill(property)
            guard rows != nil || map.isRoot else { return }
            let condition: SQL = rows.map { " WHERE \($0)" } ?? ""
            steps.add("UPDATE \(name: map.table) SET \(name: property.column) = 1\(condition)")
        }
    }

    /// Fills a new column with the only element of the former collection.
    func reduce(_ found: FoundStorage, to property: Property) throws {
        guard let source = found.table, let shape = FoundCollection(source) else { return }
        let ordinal = ordinal(of: property)
        if let conversion = try ownConversion(to: property) { return try convert(with: conversion, property, ordinal) }
        try checkElements(of: source, shape, property)
        let meaning = context.record.elementMeaning(
            of: property, storedAs: found.name, shape.value, in: map, dialect)
        let reduction = CollectionReduction(property, in: map, from: shape, value: meaning)
        let isRequired = !property.codec.acceptsNull
        let definition = try definition(
            of: property, isOfRoot(property) && isRequired ? constantDefault(ordinal) : nil)
        context.releaseTriggers(of: [source.name])
        let name = nameMeanwhile(of: source)
        try change(
            "converts table \"\(source.name)\" to column \"\(property.column)\"", .collections, property,
            countsRows: true
        ) { steps in
            steps.add(addition(definition))
            if isRequired { try fill(property, &steps) }
            steps.add("-- \"\(map.table)\".\"\(property.column)\" = the only element in \"\(name)\"") {
                [table = map.table] run in
                try reduction.run(run, from: name, to: property.column, of: table)
            }
            steps.dropTable(name)
        }
    }

    /// Sets the value of a new object in rows without an element.
    private func fill(_ property: Property, _ steps: inout SchemaSteps) throws {
        guard isOfRoot(property) else { return steps.add(try hierarchy.fill(property, inspector)) }
        guard let value = map.defaults[ordinal(of: property)]?.value, value != .null,
            literal(value, of: property) == nil
        else { return }
        steps.add("UPDATE \(name: map.table) SET \(name: property.column) = ?", binding: value)
    }

    /// Throws if the elements are objects of another class than the reference's.
    private func checkElements(of source: TableDescription, _ shape: FoundCollection, _ property: Property) throws {
        guard shape.isOfObjects, let target = try referencedTable(property) else { return }
        let found = try inspector.foreignKeys(of: source.name)[Naming.folded(shape.value.name)]
        guard let found, found != Naming.folded(context.table(target)?.foundName ?? target) else { return }
        throw SchemaError.referenceDiffers(
            className: map.name, property: property.name, column: "\(source.name).\(shape.value.name)", found: found,
            wanted: target)
    }

    /// The name of a collection's table until its elements are read, if another collection gets its name before.
    func nameMeanwhile(of source: TableDescription) -> String {
        let isNeeded = context.relatives(of: map).contains { relative in
            guard let matches = try? context.matches(of: relative, in: table) else { return false }
            return relative.properties.contains {
                guard let child = ChildTable($0, of: relative), matches.found($0)?.table != nil else { return false }
                return Naming.folded(child.name) == Naming.folded(source.name)
            }
        }
        guard isNeeded else { return source.name }
        let name = "po_old_" + source.name
        context.rename(source.name, to: name, map.name)
        return name
    }
}
