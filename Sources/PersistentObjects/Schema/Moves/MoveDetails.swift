internal import StoreEngine

/// Decides the treatment of each column, reference and collection of rows that move to another table, and records the
/// resulting tables in the overlay.
struct MoveDetails {
    var move: TableMove
    let context: PlanContext
    /// The source's storage of the class's properties.
    let matches: StorageMatches
    private let keys: [String: String]
    private let targetKeys: [String: String]

    init(_ move: TableMove, _ context: PlanContext) throws {
        self.move = move
        self.context = context
        let (map, source) = (move.map, move.source)
        let record = ([map.name] + map.type.formerNames).lazy.compactMap { context.record.classes[$0] }.first
        let table = try PlannedTable(source.name, found: source, context.inspector)
        matches = try StorageMatches(map, source.columns, FoundCollection.tables(of: table, map, context)) { _ in record
        }
        keys = try context.inspector.foreignKeys(of: move.source.name)
        targetKeys = try move.found.map { try context.inspector.foreignKeys(of: $0.name) } ?? [:]
    }

    var map: ClassMap { move.map }
    var inspector: SchemaInspector { context.inspector }

    func add() throws {
        guard !matches.isExchange else {
            throw refusal(
                move.source.name,
                "its properties exchange names in the same version. Leave the class in its place first, and open "
                    + "the file once with that version")
        }
        // The moved values would be in a column that belongs to no property.
        let changed = map.properties.first { property in
            matches.found(property).map { ($0.table != nil) != property.isCollection } ?? false
        }
        if let changed {
            throw refusal(
                move.source.name,
                "\(changed.name) \(changed.isCollection ? "becomes a collection" : "is no longer a collection") "
                    + "in the same version. Leave the class in its place first, and open the file once with that "
                    + "version")
        }
        var details = self
        details.move.columns = try columns()
        details.move.emptied = try emptiedTables(of: details.move.columns)
        try details.addReferences()
        try details.checkTriggers()
        try details.recordInOverlay()
        context.moves.append(details.move)
        try context.refresh(changed: [move.source.name, move.target])
        context.releaseTriggers(of: details.move.tables + [map.table] + details.move.tables.map(context.finalName))
    }

    func refusal(_ table: String, _ reason: String) -> SchemaError {
        .notMovable(className: map.name, table: table, reason: reason)
    }

    func isSame(_ one: String, _ other: String) -> Bool { Naming.folded(one) == Naming.folded(other) }
}

// Columns.
extension MoveDetails {
    private func columns() throws -> [TableMove.Column] {
        let targetMatches = try move.found.map {
            try StorageMatches(map, $0.columns) { _ in context.record.classes[String(describing: map.root)] }
        }
        let fields = map.properties.filter(\.hasColumn)
        var taken = Set((move.found?.columns ?? []).map { Naming.folded($0.name) } + ["id", HierarchyPlan.column])
        var columns: [TableMove.Column] = []
        for column in move.source.columns where column.keyOrdinal == 0 {
            if move.sourceStoresClass, isSame(column.name, HierarchyPlan.column) { continue }
            let property = fields.first { property in
                matches.found(property).map { $0.keepsColumn(for: property) && $0.column?.name == column.name } ?? false
            }
            guard property != nil || isOfMovedClass(column) else { continue }
            if let property, let found = targetMatches?.column(of: property) {
                columns.append(try merged(column, into: found, property))
                continue
            }
            if property == nil, let same = move.found?.column(column.name), same.type == column.type, !same.isNotNull,
                try refersToSame(column, same)
            {
                columns.append(
                    TableMove.Column(source: column.name, target: same.name, isToMoved: try isToMoved(column)))
                continue
            }
            columns.append(try new(column, property, &taken))
        }
        // Columns that the target has and the source does not have.
        for property in map.properties + map.embedded.map(\.whole) {
            guard let found = targetMatches?.column(of: property), matches.column(of: property) == nil else { continue }
            // The flag of a collection that was not optional in the source: the collection is not nil.
            if property.isCollection, matches.found(property)?.table != nil {
                columns.append(
                    TableMove.Column(
                        target: found.name, property: property.name, initial: InitialValue(placeholder: .integer(1))))
                continue
            }
            if changes(found, for: property) {
                let type = LogicalType.allCases.first { context.dialect.declaredType($0).text == found.type } ?? .any
                let neutral: DatabaseValue? = found.isNotNull ? context.dialect.neutralValue(type) : nil
                columns.append(
                    TableMove.Column(
                        target: found.name, property: property.name,
                        initial: neutral.map { InitialValue(placeholder: $0) }, isPlaceholder: true))
                continue
            }
            columns.append(
                TableMove.Column(
                    target: found.name, property: property.name,
                    initial: property.isKey ? nil : InitialValue(property, map),
                    refusesNull: found.isNotNull && !property.isKey, isNewKey: property.isKey))
        }
        return columns
    }

    /// The tables of the target's former collections that have the names of moved columns. A later plan would take their
    /// elements for the values of the properties, so they must be empty.
    private func emptiedTables(of columns: [TableMove.Column]) throws -> [String] {
        let owner = move.found?.name ?? move.target
        let present = context.relatives(of: map).flatMap(\.properties).filter(\.isCollection).map {
            Naming.folded($0.column)
        }
        return try columns.compactMap { column in
            // The column of an optional collection states only whether it is nil, and moves with the collection's table.
            guard let source = column.source,
                try inspector.table("\(move.source.name)_\(source)").flatMap(FoundCollection.init) == nil,
                !present.contains(Naming.folded(column.target)),
                let table = try inspector.table("\(owner)_\(column.target)"), FoundCollection(table) != nil,
                try inspector.foreignKeys(of: table.name)[ChildTable.ownerColumn] == Naming.folded(owner)
            else { return nil }
            guard try isEmpty(table) else {
                throw refusal(
                    move.source.name,
                    "table \"\(table.name)\" has the elements of a former collection, and column "
                        + "\"\(column.target)\" would get its name. Rename the table, or delete its rows")
            }
            return table.name
        }
    }

    /// Whether a table of the file is empty, and no other move writes to it.
    func isEmpty(_ table: TableDescription) throws -> Bool {
        guard !inspector.overlay.mentions(table.name) else { return false }
        return try context.connection.value("SELECT 1 FROM \(name: table.name) LIMIT 1") == nil
    }

    /// Whether a column that belongs to no property can have values in moved rows; false if only other classes have it.
    private func isOfMovedClass(_ column: ColumnDescription) -> Bool {
        guard !move.isWhole else { return true }
        func has(_ record: ClassRecord) -> Bool {
            record.properties.values.contains { isSame($0.column ?? "", column.name) }
        }
        let recorded = context.record.classes.values.filter { isSame($0.table, move.source.name) && has($0) }
        return recorded.isEmpty || recorded.contains { move.classNames.contains($0.name) }
    }

    /// A new column of the target.
    private func new(
        _ column: ColumnDescription, _ property: Property?, _ taken: inout Set<String>
    ) throws -> TableMove.Column {
        guard let type = LogicalType.allCases.first(where: { context.dialect.declaredType($0).text == column.type })
        else {
            throw refusal(
                move.source.name, "its column \"\(column.name)\" has type \(column.type), which no class uses")
        }
        // A collection's table and its flag get their new name in the move, so no other column may have the name.
        let flag = property.flatMap { $0.isCollection ? $0.column : nil }
        let reserved = Set(map.properties.filter(\.isCollection).map { Naming.folded($0.column) })
        let names = [flag, column.name, property?.column, "\(move.source.name)_\(column.name)"].compactMap { $0 }
        guard
            let name = names.first(where: {
                !taken.contains(Naming.folded($0)) && (flag != nil || !reserved.contains(Naming.folded($0)))
            })
        else {
            throw refusal(
                move.source.name,
                "the other table has another column \"\(column.name)\". Rename one of them with @Column(\"…\", "
                    + "renamedFrom: \"\(column.name)\")")
        }
        taken.insert(Naming.folded(name))
        let isToMoved = try isToMoved(column)
        let reference = isToMoved ? move.target : keys[Naming.folded(column.name)]
        var new = TableMove.Column(
            source: column.name, target: name, new: (type, reference), isToMoved: isToMoved, property: property?.name)
        // If the type also differs, the column's plan converts it.
        if let property, column.type == context.dialect.declaredType(property.codec.logicalType).text,
            !property.codec.acceptsNull, !property.isKey
        {
            new.initial = InitialValue(property, map)
            new.refusesNull = true
        }
        return new
    }

    /// A column that both tables have.
    private func merged(
        _ column: ColumnDescription, into found: ColumnDescription, _ property: Property
    ) throws -> TableMove.Column {
        var merged = TableMove.Column(
            source: column.name, target: found.name, isToMoved: try isToMoved(column), property: property.name)
        guard try refersToSame(column, found) else {
            throw SchemaError.referenceDiffers(
                className: map.name, property: property.name, column: column.name,
                found: keys[Naming.folded(column.name)] ?? "none",
                wanted: targetKeys[Naming.folded(found.name)] ?? "none")
        }
        let wanted = PropertyRecord.typeName(of: property)
        let (own, root) = (
            context.record.typeName(of: property, in: map),
            try context.record.typeName(of: property, in: ClassMap.map(of: map.root))
        )
        let isReference = if case .reference = property.shape { true } else { false }
        if !isReference, column.type != found.type || own != nil && root != nil && own != root {
            guard found.type == context.dialect.declaredType(property.codec.logicalType).text,
                root == nil || root == wanted
            else {
                guard column.type == found.type else {
                    throw SchemaError.columnTypeDiffers(
                        className: map.name, property: property.name, column: "\(move.source.name).\(column.name)",
                        found: column.type, wanted: property.codec.columnType)
                }
                throw refusal(
                    move.source.name,
                    "its column \"\(column.name)\" has \(own ?? column.type), and column \"\(found.name)\" of "
                        + "table \"\(move.target)\" has \(root ?? found.type). Give both properties the type \(wanted) "
                        + "first, and open the file once with that version")
            }
            let meaning = context.record.meaning(of: property, column, in: map, context.dialect)
            merged.conversion = RowConversion(property, map, ValueConversion(from: meaning, to: property.codec))
        }
        if property.isKey { return merged }
        // If the column's plan converts the values, it also sets the initial value of the new type.
        let isChanged = changes(found, for: property)
        merged.initial = property.codec.acceptsNull || isChanged ? nil : InitialValue(property, map)
        merged.refusesNull = found.isNotNull
        if found.isNotNull, isChanged {
            merged.refusal =
                "\(map.name).\(property.name) is nil, and column \"\(found.name)\" of table \"\(move.target)\" "
                + "\(property.codec.acceptsNull ? "accepts nil" : "changes its type") only after this change. Make "
                + "the property of \(map.root) \(property.codec.acceptsNull ? "optional" : wanted) first, and open the "
                + "file once with that version"
        }
        return merged
    }

    /// Whether the plan of a target column converts its values, so that moved rows must not get a value before.
    private func changes(_ found: ColumnDescription, for property: Property) -> Bool {
        guard !property.isKey, !property.isReference else { return false }
        let former = (try? ClassMap.map(of: map.root)).flatMap {
            context.record.typeName(of: property, storedAs: found.name, in: $0)
        }
        return property.isCollection || map.ordinal(of: property.name) == nil
            || found.type != context.dialect.declaredType(property.codec.logicalType).text
            || found.isNotNull && property.codec.acceptsNull
            || former.map { $0 != PropertyRecord.typeName(of: property) } ?? false
    }

    /// Whether a source column stores ids of moved rows.
    private func isToMoved(_ column: ColumnDescription) throws -> Bool {
        guard keys[Naming.folded(column.name)] == Naming.folded(move.source.name) else { return false }
        return try move.isWhole || link(move.source.name, column.name).isMoved
    }

    private func refersToSame(_ column: ColumnDescription, _ other: ColumnDescription) throws -> Bool {
        let (source, target) = (Naming.folded(move.source.name), Naming.folded(move.target))
        let found = targetKeys[Naming.folded(other.name)]
        guard try isToMoved(column) else { return found == keys[Naming.folded(column.name)] }
        return found == source || found == target
    }
}

// Recording the tables after the move in the overlay.
extension MoveDetails {
    private func recordInOverlay() throws {
        let overlay = inspector.overlay
        let (source, target) = (Naming.folded(move.source.name), Naming.folded(move.target))
        var all = targetKeys
        for column in move.columns {
            guard let reference = column.new?.reference else { continue }
            all[Naming.folded(column.target)] = Naming.folded(reference)
        }
        overlay.set(
            TableDescription(name: move.found?.name ?? move.target, columns: targetColumns()), all,
            isNew: move.found == nil, gainsRows: true)
        for table in move.emptied { overlay.remove(table) }
        for reference in move.references {
            var keys = try inspector.foreignKeys(of: reference.table.name)
            keys[Naming.folded(reference.column)] = target
            let table = try inspector.table(reference.table.name) ?? reference.table
            overlay.set(table, keys)
        }
        for collection in move.collections {
            if collection.isNew {
                var keys = [ChildTable.ownerColumn: target]
                if let value = collection.valueTable, let shape = FoundCollection(collection.source) {
                    keys[Naming.folded(shape.value.name)] = Naming.folded(value)
                }
                overlay.set(
                    TableDescription(name: collection.target, columns: collection.source.columns), keys, isNew: true)
            }
            if move.isWhole { overlay.remove(collection.source.name) }
        }
        if move.isWhole, source != target { overlay.remove(move.source.name) }
    }

    private func targetColumns() -> [ColumnDescription] {
        let dialect = context.dialect
        var columns =
            move.found?.columns
            ?? [
                ColumnDescription(
                    name: "id", type: dialect.declaredType(.integer).text, isNotNull: false, keyOrdinal: 1,
                    defaultValue: nil)
            ]
        if let literal = move.classDefault, !move.targetStoresClass {
            columns.append(
                ColumnDescription(
                    name: HierarchyPlan.column, type: dialect.declaredType(.text).text, isNotNull: true, keyOrdinal: 0,
                    defaultValue: literal.text))
        }
        return columns
            + move.columns.compactMap { column in
                column.new.map {
                    ColumnDescription(
                        name: column.target, type: dialect.declaredType($0.type).text, isNotNull: false, keyOrdinal: 0,
                        defaultValue: nil)
                }
            }
    }
}
