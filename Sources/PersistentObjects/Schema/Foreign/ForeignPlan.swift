// Foreign: whether a class and an existing table match. It knows the class map and the file, and must not change the
// file.

internal import StoreEngine

/// The differences between a class and its existing table, collected so that one run shows all of them.
///
/// It has no steps, because an existing table is never created or altered.
struct ForeignPlan {
    private(set) var differences: [String] = []
    private let map: ClassMap
    private let foreign: ForeignTable
    private let inspector: SchemaInspector

    /// Nil for a class whose table the library creates.
    init?(_ map: ClassMap, _ connection: any Connection) throws {
        guard let foreign = map.foreign else { return nil }
        self.map = map
        self.foreign = foreign
        inspector = SchemaInspector(connection)
        if foreign.idColumn == nil { try connection.require(.rowNumbers, className: map.name) }
        guard let table = try inspector.table(map.table) else {
            differences.append("The file has no such table or view. Override tableName")
            return
        }
        let id = try ForeignID(table, inspector)
        try checkID(table, id)
        for property in map.properties where property.hasColumn { check(property, table, id) }
        if table.isRemote, !map.isReadOnly {
            differences.append(
                "The rows of the table, or of some of its partitions, are on another server, where conflicts with "
                    + "other sessions cannot be noticed. Override class var isReadOnly: Bool { true }")
        }
        guard !table.isView, !table.isRemote else { return }
        try checkReferences(table)
        try checkKeys(table)
    }

    /// Throws if there are differences.
    func check() throws {
        guard !differences.isEmpty else { return }
        throw SchemaError.tableDiffers(className: map.name, table: map.table, differences: differences)
    }

    // MARK: Ids

    private mutating func checkID(_ table: TableDescription, _ id: ForeignID) throws {
        if table.isView, !map.isReadOnly {
            differences.append("It is a view, which is read-only. Override class var isReadOnly: Bool { true }")
        }
        if foreign.isKeyed { return }
        guard let name = foreign.idColumn else {
            if table.isView {
                differences.append(
                    "A view has no row ids. Name an integer column with origin: .existing(id: \"…\"), or read it "
                        + "by a primaryKey with origin: .existingByKey")
            } else if !id.hasNumbers {
                differences.append(
                    "Its rows have no row ids (WITHOUT ROWID). Name a unique integer column with origin: "
                        + ".existing(id: \"…\"), or read it by its primaryKey with origin: .existingByKey")
            } else if id.isHidden {
                differences.append(
                    "A column of the same name hides its row ids. Name a unique integer column with origin: "
                        + ".existing(id: \"…\")")
            }
            return
        }
        guard let column = table.column(name) else { return differences.append(missing(name, "the ids", table)) }
        if column.affinity == .text { differences.append("The column of the ids, \(name), is \(column.type)") }
        if column.isGenerated, !map.isReadOnly { differences.append("The column of the ids, \(name), is generated") }
        // A unique index of a partitioned table contains the columns that determine the partition.
        guard !table.isView, !table.isRemote, try !isUnique([name] + table.partitionColumns, table) else { return }
        differences.append("The column of the ids, \(name), has no separate unique index")
    }

    // MARK: Columns

    private mutating func check(_ property: Property, _ table: TableDescription, _ id: ForeignID) {
        for name in property.columns {
            guard let column = table.column(name) else {
                differences.append(missing(name, property.name, table))
                continue
            }
            check(property, column)
            let isID = !foreign.isKeyed && Naming.folded(name) == (foreign.idColumn.map(Naming.folded) ?? id.column)
            if isID, !property.isReadOnly, !map.isReadOnly {
                differences.append(
                    "\(property.name): the column \(name) is the id, which every object already has as id. Remove "
                        + "the property, or mark it @ReadOnly")
            }
        }
    }

    private func missing(_ column: String, _ what: String, _ table: TableDescription) -> String {
        let near = NameSuggestions(table.columns.map(\.name)).nearest(to: column)?.names ?? []
        let advice = near.isEmpty ? "" : " (did you mean \(near.joined(separator: " or "))?)"
        return "\(what): there is no column \(column)\(advice)"
    }

    private mutating func check(_ property: Property, _ column: ColumnDescription) {
        let isWritten = !property.isReadOnly && !map.isReadOnly
        if column.isGenerated, isWritten {
            differences.append("\(property.name): the column \(column.name) is generated. Mark the property @ReadOnly")
        }
        let codec = property.codec
        let isNumber = codec.columnType == .integer || codec.columnType == .real
        if case .reference = property.shape {
            guard column.affinity == .text, let target = property.linkedClass, target.primaryKey.isEmpty else { return }
            differences.append(
                "\(property.name): the column \(column.name) is \(column.type), but a \(target) is identified by "
                    + "a number. Override primaryKey in \(target)")
        } else if isNumber, column.affinity == .text, ForeignPlan.hasOrder(codec) {
            differences.append(
                "\(property.name): the column \(column.name) is \(column.type), which sorts numbers as strings. "
                    + "Use a String, or a view that casts the column")
        } else if codec.columnType == .text, codec.format == nil, column.affinity == .number, isWritten,
            !column.type.contains("DATE"), !column.type.contains("TIME")
        {
            differences.append(
                "\(property.name): the column \(column.name) is \(column.type), which converts the string 007 to "
                    + "7. Use a number, or mark the property @ReadOnly")
        }
    }

    /// Whether values have a meaningful order, unlike Booleans and enumerations.
    private static func hasOrder(_ codec: PropertyCodec) -> Bool {
        let type = (codec.valueType as? any OptionalType.Type)?.wrapped ?? codec.valueType
        return type != Bool.self && !(type is any RawRepresentable.Type)
    }

    // MARK: References and keys

    private mutating func checkReferences(_ table: TableDescription) throws {
        let targets = try inspector.foreignKeys(of: table.name)
        let columns = try inspector.referencedColumns(of: table.name)
        for ordinal in map.links.references {
            let property = map.properties[ordinal]
            guard let type = property.linkedClass, let column = property.columns.first,
                let found = targets[Naming.folded(column)]
            else { continue }
            let target = try ClassMap.map(of: type)
            guard let targetTable = try inspector.table(target.table), !targetTable.isView else { continue }
            let isOfTarget = { (column: ReferencedColumn) in Naming.folded(column.target) == Naming.folded(target.table)
            }
            if columns.contains(where: { isOfTarget($0) && Naming.folded($0.column) == Naming.folded(column) }) {
                try check(property, target, targetTable, columns.filter(isOfTarget))
                continue
            }
            differences.append(
                "\(property.name): the column \(column) refers to the table \(found), but \(target.name) uses "
                    + "\(target.table)"
            )
        }
    }

    /// Checks that the foreign keys of a reference refer to the columns by which the class identifies the target.
    private mutating func check(
        _ property: Property, _ target: ClassMap, _ table: TableDescription, _ columns: [ReferencedColumn]
    ) throws {
        let id = target.foreign == nil ? "id" : try target.foreign?.idColumn ?? ForeignID(table, inspector).column
        let key: [String?] = target.keyColumns.isEmpty ? [id] : target.keyColumns
        for (own, wanted) in zip(property.columns, key) {
            let found = columns.filter { Naming.folded($0.column) == Naming.folded(own) }.map(\.targetColumn)
            guard let other = found.first, !found.contains(where: { Naming.folded($0) == wanted.map(Naming.folded) })
            else { continue }
            differences.append(
                "\(property.name): the column \(own) refers to \(target.table).\(other), but \(target.name) is "
                    + "identified by \(wanted ?? "its row number"). Override primaryKey or origin in \(target.name)")
        }
    }

    private mutating func checkKeys(_ table: TableDescription) throws {
        if !foreign.key.isEmpty, try !isUnique(map.keyColumns, table) {
            let names = foreign.key.map { map.properties[$0].name }.joined(separator: ", ")
            differences.append(
                "primaryKey: there is no primary key or unique index on \(map.keyColumns.joined(separator: ", ")) "
                    + "(\(names))"
            )
        }
        for index in map.indexes {
            let columns = index.columns.flatMap { name in
                map.properties.first { $0.column == name }?.columns ?? [name]
            }
            let names = columns.joined(separator: ", ")
            if index.isUnique {
                guard try !isUnique(columns, table) else { continue }
                differences.append("There is no unique index on \(names), which the class declares unique")
            } else if try !inspector.indexes(of: table.name).contains(where: { $0.begins(with: columns) }) {
                differences.append(
                    "There is no index on \(names), which the class declares. The owner of the table must "
                        + "create it")
            }
        }
    }

    /// Whether some columns together are unique.
    private func isUnique(_ columns: [String], _ table: TableDescription) throws -> Bool {
        let wanted = Set(columns.map(Naming.folded))
        let key = Set(table.columns.filter { $0.keyOrdinal > 0 }.map { Naming.folded($0.name) })
        if !key.isEmpty, key.isSubset(of: wanted) { return true }
        return try inspector.indexes(of: table.name).contains {
            $0.isUnique && !$0.names.isEmpty && Set($0.names).isSubset(of: wanted)
        }
    }
}

extension IndexDescription {
    fileprivate func begins(with wanted: [String]) -> Bool {
        names.starts(with: wanted.map(Naming.folded))
    }

    /// The folded names of the columns; empty for a partial index or an expression index.
    fileprivate var names: [String] {
        let names = columns.compactMap { $0.map(Naming.folded) }
        return isPartial || names.count < columns.count ? [] : names
    }
}

/// The row numbers of a table.
struct ForeignID {
    /// Whether the table has row numbers.
    let hasNumbers: Bool
    /// The folded name of the column that stores them; nil if they are not in a column, and so can change.
    let column: String?
    /// Whether another column has the name by which statements query them.
    let isHidden: Bool

    init(_ table: TableDescription, _ inspector: SchemaInspector) throws {
        hasNumbers = try !table.isView && inspector.hasRowNumbers(table.name)
        let keys = table.columns.filter { $0.keyOrdinal > 0 }
        let isNumber = keys.count == 1 && keys[0].type == inspector.dialect.declaredType(.integer).text
        // An `INTEGER PRIMARY KEY DESC` is an ordinary column with an index.
        let isAlias = try hasNumbers && isNumber && !inspector.hasKeyIndex(table.name)
        column = isAlias ? Naming.folded(keys[0].name) : nil
        let name = inspector.dialect.rowNumber.text
        isHidden = column != name && table.column(name) != nil
    }
}

extension SchemaInspector {
    /// Whether the ids of a class's objects are stored in the primary key of its existing table, and are the numbers by
    /// which the engine reports its rows.
    func isNumbered(_ map: ClassMap) -> Bool {
        guard let foreign = map.foreign, !foreign.isKeyed, let table = try? table(map.table),
            let column = try? ForeignID(table, self).column
        else { return false }
        return foreign.idColumn.map { Naming.folded($0) == column } ?? true
    }
}
