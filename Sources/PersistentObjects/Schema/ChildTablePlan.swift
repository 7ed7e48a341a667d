internal import StoreEngine

/// What has to be done to the table of a collection so that it is what the property says.
///
/// The owner's table has been brought up to date before.
struct ChildTablePlan {
    private(set) var steps = SchemaSteps()
    private let table: ChildTable
    private let property: Property
    private let map: ClassMap
    private let inspector: SchemaInspector

    init(_ table: ChildTable, of property: Property, in map: ClassMap, _ connection: any Connection) throws {
        self.table = table
        self.property = property
        self.map = map
        inspector = SchemaInspector(connection)
        try checkName()
        if let found = try inspector.table(table.name) {
            try check(found)
            addIndex(try inspector.indexNames(of: found.name))
        } else if let former = try formerTable() {
            try check(former)
            steps.renameTable(former.name, to: table.name)
            steps.dropIndexes(of: former.name, try inspector.indexNames(of: former.name))
            addIndex([])
        } else {
            try create()
            addIndex([])
        }
    }

    private func checkName() throws {
        if let reason = TableNaming.refusal(ofName: table.name) {
            throw SchemaError.invalidName(className: map.name, name: table.name, reason: reason)
        }
    }

    private mutating func create() throws {
        let columns = try table.columns.map { column in
            let null: SQL = column.acceptsNull ? "" : " NOT NULL"
            let definition: SQL = "\(name: column.name) \(inspector.dialect.declaredType(column.type))\(null)"
            guard let target = try referencedTable(column.name) else { return definition }
            return definition + .foreignKey(to: target, onDelete: .cascades)
        }
        steps.add(
            """
            CREATE TABLE \(name: table.name) (\(list: columns), PRIMARY KEY (\(names: table.primaryKey)))\
            \(inspector.dialect.keyedTableOptions)
            """)
    }

    private func referencedTable(_ column: String) throws -> String? {
        if column == ChildTable.ownerColumn { return table.ownerTable }
        guard column == table.valueColumn else { return nil }
        return try table.target.flatMap { try ClassMap.map(of: $0).referableTable }
    }

    /// Deleting an object looks for the collections that it is in.
    private mutating func addIndex(_ existing: Set<String>) {
        guard table.target != nil else { return }
        let name = "\(table.name).\(table.valueColumn).index"
        guard !existing.contains(where: { Naming.folded($0) == Naming.folded(name) }) else { return }
        steps.createIndex(name, on: table.name, [table.valueColumn])
    }
}

// Tables that are there.
extension ChildTablePlan {
    /// A table under a name that the owner's table, or the property, had before.
    private func formerTable() throws -> TableDescription? {
        let current = Set(map.properties.compactMap { ChildTable($0, of: map) }.map { Naming.folded($0.name) })
        for owner in [map.table] + map.formerTables {
            for column in [property.column] + property.formerColumns {
                let name = owner + "_" + column
                guard !current.contains(Naming.folded(name)), let found = try inspector.table(name) else { continue }
                // Another class may have the former name now; with the table SQLite renames what refers to it.
                let foreignKeys = try inspector.foreignKeys(of: found.name)
                if foreignKeys[ChildTable.ownerColumn] == Naming.folded(table.ownerTable) { return found }
            }
        }
        return nil
    }

    private func check(_ found: TableDescription) throws {
        func unsuitable(_ reason: String) -> SchemaError {
            .unsuitableTable(className: map.name, table: found.name, reason: reason)
        }
        func differs(_ column: ColumnDescription, _ type: String, _ wanted: ColumnType) -> SchemaError {
            .columnTypeDiffers(
                className: map.name, property: property.name, column: "\(found.name).\(column.name)", found: type,
                wanted: wanted)
        }
        if found.isView { throw unsuitable("is a view") }
        let foreignKeys = try inspector.foreignKeys(of: found.name)
        for wanted in table.columns {
            guard let column = found.column(wanted.name) else {
                throw unsuitable("has no column \"\(wanted.name)\", which \(property.name) needs")
            }
            guard column.type == inspector.dialect.declaredType(wanted.type).text else {
                throw differs(column, column.type, wanted.type)
            }
            if column.isNotNull, wanted.acceptsNull {
                throw SchemaError.columnRefusesNull(
                    className: map.name, property: property.name, column: "\(found.name).\(column.name)")
            }
        }
        let key = found.columns.filter { $0.keyPlace != 0 }.sorted { $0.keyPlace < $1.keyPlace }
        guard key.map({ Naming.folded($0.name) }) == table.primaryKey else {
            throw unsuitable("has another primary key than \(table.primaryKey.joined(separator: ", "))")
        }
        guard foreignKeys[ChildTable.ownerColumn] == Naming.folded(table.ownerTable) else {
            throw unsuitable("does not belong to table \"\(table.ownerTable)\"")
        }
        if let target = table.target, let column = found.column(table.valueColumn) {
            let wanted = Naming.folded(try ClassMap.map(of: target).table)
            if let key = foreignKeys[table.valueColumn], key != wanted {
                throw differs(column, "INTEGER with ids of table \"\(key)\"", .integer)
            }
        }
    }
}

extension ChildTable {
    /// The columns in the table's order.
    fileprivate var columns: [(name: String, type: ColumnType, acceptsNull: Bool)] {
        let value = (valueColumn, target == nil ? valueType : .integer, valueAcceptsNull && style != .set)
        let owner = (ChildTable.ownerColumn, ColumnType.integer, false)
        return switch style {
        case .array: [owner, (ChildTable.positionColumn, .integer, false), value]
        case .set: [owner, value]
        case .dictionary: [owner, (ChildTable.keyColumn, keyType ?? .any, false), value]
        }
    }

    fileprivate var primaryKey: [String] { columns.prefix(2).map(\.name) }
}
