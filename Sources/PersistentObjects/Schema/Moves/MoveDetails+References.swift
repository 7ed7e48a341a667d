internal import StoreEngine

// References to rows that are moved.
extension MoveDetails {
    mutating func addReferences() throws {
        for reference in try inspector.references(to: move.source.name) {
            guard let table = try inspector.table(reference.table) else { continue }
            guard reference.isToID else {
                throw refusal(
                    move.source.name,
                    "column \"\(reference.column)\" of \"\(table.name)\" refers to it by columns other than its "
                        + "id alone")
            }
            if let shape = FoundCollection(table), isOfLibrary(table) {
                if isSame(reference.column, ChildTable.ownerColumn) {
                    try addCollection(table, shape)
                } else {
                    try addReference(reference, table, isCollection: true)
                }
            } else if !move.isWhole || !isSame(table.name, move.source.name) {
                try addReference(reference, table, isCollection: false)
            }
        }
    }

    /// Whether the library created a table that resembles a collection's table, so that it can be recreated.
    private func isOfLibrary(_ table: TableDescription) -> Bool {
        table.columns.count <= 3 && table.columns.count { $0.keyOrdinal > 0 } == 2
            && table.columns.allSatisfy { column in
                LogicalType.allCases.contains { context.dialect.declaredType($0).text == column.type }
            }
    }

    /// Refuses triggers of other programs, because they would be restored on tables that no longer exist.
    func checkTriggers() throws {
        guard move.isWhole else { return }
        let tables = Set(([move.source.name] + move.collections.map(\.source.name)).map(Naming.folded))
        let all = try inspector.triggers(beginning: "")
        guard let trigger = all.first(where: { !OwnTriggers.contains($0.name) && $0.mentions(tables) }) else { return }
        throw refusal(
            move.source.name,
            "trigger \"\(trigger.name)\", which another program created, mentions it. Drop the trigger, and "
                + "recreate it for table \"\(map.table)\"")
    }

    private mutating func addReference(
        _ reference: ReferenceDescription, _ table: TableDescription, isCollection: Bool
    ) throws {
        if !move.isWhole {
            let link = try link(table.name, reference.column)
            guard link.isMoved else {
                move.kept.append(
                    TableMove.Kept(
                        table: table.name, column: reference.column, className: link.className, property: link.property,
                        id: isCollection ? ChildTable.ownerColumn : table.column("id")?.name ?? reference.column))
                return
            }
        }
        // The collections of moved rows are recreated in any case.
        if isCollection, move.isWhole, try isOwned(table) { return }
        guard let deletion = SQL.Deletion(rawValue: reference.deletion.uppercased()) else {
            throw refusal(
                move.source.name,
                "column \"\(reference.column)\" of \"\(table.name)\" refers to it with a delete rule that the "
                    + "library does not support (\(reference.deletion)). Recreate that table without the rule")
        }
        let isBound = try inspector.indexes(of: table.name).contains { index in
            index.sql == nil && index.columns.contains { isSame($0 ?? "", reference.column) }
        }
        guard isCollection || !isBound && table.column(reference.column)?.isNotNull != true else {
            throw refusal(
                move.source.name,
                "column \"\(reference.column)\" of \"\(table.name)\" refers to it and is NOT NULL or UNIQUE in "
                    + "the table's definition, so it cannot be changed. Recreate the table without that constraint")
        }
        move.references.append(
            TableMove.Reference(
                table: table, column: reference.column, deletion: deletion,
                foreignKeys: try inspector.foreignKeys(of: table.name), isCollection: isCollection))
    }

    private func isOwned(_ table: TableDescription) throws -> Bool {
        try inspector.foreignKeys(of: table.name)[ChildTable.ownerColumn] == Naming.folded(move.source.name)
    }

    /// Adds the collection of moved owners.
    private mutating func addCollection(_ table: TableDescription, _ shape: FoundCollection) throws {
        let start = Naming.folded(move.source.name) + "_"
        let column = Naming.folded(table.name).hasPrefix(start) ? String(table.name.dropFirst(start.count)) : table.name
        let property = map.properties.first {
            $0.isCollection && matches.found($0)?.table.map { isSame($0.name, table.name) } ?? false
        }
        guard move.isWhole || property != nil || isRecorded(column) else {
            // No moved row may have such elements, because they would be deleted with the row.
            move.kept.append(
                TableMove.Kept(
                    table: table.name, column: ChildTable.ownerColumn, className: table.name,
                    property: ChildTable.ownerColumn, id: ChildTable.ownerColumn))
            return
        }
        var found = try property.flatMap { property in
            try context.table(map.table).flatMap { try StorageMatches(map, $0, context).found(property)?.table }
        }
        let keys = try inspector.foreignKeys(of: table.name)
        let value = keys[Naming.folded(shape.value.name)]
        let isToSource = value == Naming.folded(move.source.name)
        let isMoved = try isToSource && (move.isWhole || link(table.name, shape.value.name).isMoved)
        if let other = found {
            let isAlike = other.columns.map { [$0.name, $0.type] } == table.columns.map { [$0.name, $0.type] }
            let otherValue = try inspector.foreignKeys(of: other.name)[Naming.folded(shape.value.name)]
            let both = [Naming.folded(move.source.name), Naming.folded(move.target)]
            if !isAlike || !(isMoved ? both.contains(otherValue ?? "") : otherValue == value) {
                // The empty table of a former collection is replaced.
                guard try isEmpty(other) else {
                    throw refusal(
                        move.source.name,
                        "the elements in \"\(table.name)\" have another type than those in \"\(other.name)\". Give "
                            + "both properties the same type first, and open the file once with that version")
                }
                move.emptied.append(other.name)
                found = nil
            }
        }
        let target = found?.name ?? "\(map.table)_\(property?.column ?? column)"
        if found == nil, try inspector.table(target) != nil, !move.emptied.contains(where: { self.isSame($0, target) })
        {
            throw refusal(move.source.name, "table \"\(target)\" already exists in the file. Rename or drop it")
        }
        move.collections.append(
            TableMove.Collection(
                source: table, target: target, isNew: found == nil, movedValue: isMoved ? shape.value.name : nil,
                valueTable: isMoved ? move.target : value))
    }

    /// Whether one of the moved classes has, or had, a collection with this name.
    private func isRecorded(_ column: String) -> Bool {
        move.classNames.compactMap { context.record.classes[$0] }.contains { record in
            record.properties.values.contains { isSame($0.column ?? Naming.snakeCase($0.name), column) }
        }
    }

    /// The property that refers to the class's former hierarchy, and whether its references lead to moved rows.
    func link(_ table: String, _ column: String) throws -> (className: String, property: String, isMoved: Bool) {
        for other in context.known {
            let found = move.includes(other) ? move.source.name : context.table(other.table)?.foundName ?? other.table
            for property in other.properties {
                guard let target = property.target(in: found, table, column) else { continue }
                return (other.name, property.name, ClassMap.isClass(target, map.type))
            }
        }
        for record in context.record.classes.values.sortedUnspecialized(by: { $0.name < $1.name }) {
            for property in record.properties.values.sortedUnspecialized(by: { $0.name < $1.name })
            where property.kind != "inverse" {
                guard let target = property.target else { continue }
                let isColumn = isSame(record.table, table) && isSame(property.column ?? "", column)
                let child = "\(record.table)_\(property.column ?? Naming.snakeCase(property.name))"
                guard isColumn || isSame(child, table) else { continue }
                return (record.name, property.name, move.classNames.contains(target))
            }
        }
        return (table, column, false)
    }
}

extension Property {
    /// The class that it refers to, if it is stored in this column of a table in the file.
    ///
    /// - Parameter owner: The table of the property's class in the file.
    fileprivate func target(in owner: String, _ table: String, _ column: String) -> PersistentObject.Type? {
        let names = ([self.column] + formerColumns).map(Naming.folded)
        switch shape {
        case .reference:
            guard Naming.folded(owner) == Naming.folded(table), names.contains(Naming.folded(column)) else {
                return nil
            }
            return (codec as? ReferenceCodec)?.target
        case .collection:
            guard names.contains(where: { Naming.folded(owner) + "_" + $0 == Naming.folded(table) }) else { return nil }
            return ((codec as? CollectionCodec)?.element as? ReferenceCodec)?.target
        case .scalar, .inverse: return nil
        }
    }
}
