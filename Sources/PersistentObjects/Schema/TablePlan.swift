internal import StoreEngine

/// What has to be done to a class's table so that it is what the class says: found by comparing, then run.
struct TablePlan {
    private(set) var statements: [SQL] = []
    /// Values for new columns that SQL cannot write as literals.
    private var fills: [(SQL, DatabaseValue)] = []
    private let map: ClassMap

    var isEmpty: Bool { statements.isEmpty && fills.isEmpty }

    /// Compares the class with the table as the file has it.
    init(_ map: ClassMap, _ connection: SQLiteConnection) throws {
        self.map = map
        let inspector = SchemaInspector(connection)
        var table = try inspector.table(map.table)
        if table == nil, let former = try formerTable(inspector) {
            var rename = SQL("ALTER TABLE ")
            rename.append(identifier: former.name)
            rename.append(" RENAME TO ")
            rename.append(identifier: map.table)
            statements.append(rename)
            table = former
        }
        if let table {
            try checkSuitable(table)
            try addColumns(to: table)
        } else {
            try createTable()
        }
        let existing = try inspector.indexNames(of: table?.name ?? map.table)
        if let table, Naming.folded(table.name) != Naming.folded(map.table) { dropIndexes(existing, of: table.name) }
        addIndexes(existing)
    }

    /// Runs the statements; the caller has opened a transaction.
    func run(on connection: SQLiteConnection) throws {
        for statement in statements {
            do { try connection.execute(statement) } catch {
                guard error.code == .notUnique else { throw error.at(className: map.name) }
                throw SchemaError.notUnique(className: map.name, index: error.message)
            }
        }
        for (sql, value) in fills {
            let statement = try connection.prepare(sql.text)
            do throws(ValueFault) { try statement.bind(value, at: 1) } catch { throw StoreError.value(error) }
            try statement.run()
        }
    }

    private func formerTable(_ inspector: SchemaInspector) throws -> SchemaInspector.Table? {
        for name in map.formerTables {
            if let table = try inspector.table(name) { return table }
        }
        return nil
    }

    private func checkSuitable(_ table: SchemaInspector.Table) throws {
        if let reason = table.unsuitability {
            throw SchemaError.unsuitableTable(className: map.name, table: table.name, reason: reason)
        }
    }
}

// Statements.
extension TablePlan {
    private mutating func createTable() throws {
        var sql = SQL("CREATE TABLE ")
        sql.append(identifier: map.table)
        sql.append(" (\"id\" INTEGER PRIMARY KEY AUTOINCREMENT")
        for (place, property) in map.properties.enumerated() {
            sql.append(", ")
            sql.append(definitionOf: property, defaultValue: constantDefault(place))
        }
        sql.append(") STRICT")
        statements.append(sql)
    }

    /// A column that a later version of the class has no property for must not stand in the way of inserts, so each
    /// has a default; where the initial value differs from object to object, or has no literal, it is a neutral one.
    private func constantDefault(_ place: Int) -> DatabaseValue? {
        if let value = map.defaults[place], value.isConstant, SQLLiteral(value.value) != nil { return value.value }
        return neutralValue(map.properties[place])
    }

    private func neutralValue(_ property: Property) -> DatabaseValue {
        if property.codec.acceptsNull { return .null }
        return switch property.codec.columnType {
        case .integer, .any: .integer(0)
        case .real: .real(0)
        case .text: .text("")
        case .blob: .blob([])
        }
    }

    private mutating func addColumns(to table: SchemaInspector.Table) throws {
        var columns = Dictionary(
            table.columns.map { (Naming.folded($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        for (place, property) in map.properties.enumerated() {
            if let column = columns[Naming.folded(property.column)] {
                try check(column, against: property)
            } else if let former = property.formerColumns.compactMap({ columns.removeValue(forKey: Naming.folded($0)) })
                .first
            {
                try check(former, against: property)
                rename(former.name, to: property.column)
            } else {
                try add(property, place)
            }
        }
    }

    private func check(_ column: SchemaInspector.Column, against property: Property) throws {
        guard column.type == property.codec.columnType.rawValue else {
            throw SchemaError.columnTypeDiffers(
                className: map.name, property: property.name, column: column.name, found: column.type,
                wanted: property.codec.columnType)
        }
        guard !(column.isNotNull && property.codec.acceptsNull) else {
            throw SchemaError.columnRefusesNull(className: map.name, property: property.name, column: column.name)
        }
    }

    private mutating func rename(_ column: String, to name: String) {
        var sql = SQL("ALTER TABLE ")
        sql.append(identifier: map.table)
        sql.append(" RENAME COLUMN ")
        sql.append(identifier: column)
        sql.append(" TO ")
        sql.append(identifier: name)
        statements.append(sql)
    }

    /// The rows that are there get the value that a new object has.
    private mutating func add(_ property: Property, _ place: Int) throws {
        guard let value = map.defaults[place]?.value else {
            throw SchemaError.invalidDefault(
                className: map.name, property: property.name, reason: "it has no form in a column (NaN, for one)")
        }
        // Rows that are there would get a whole number where an ANY column defaults to a REAL one (SQLite 3.40).
        let isReal = property.codec.columnType == .any && value.storageClass == .real
        let isLiteral = !isReal && SQLLiteral(value) != nil
        var sql = SQL("ALTER TABLE ")
        sql.append(identifier: map.table)
        sql.append(" ADD COLUMN ")
        sql.append(definitionOf: property, defaultValue: isLiteral ? value : neutralValue(property))
        statements.append(sql)
        guard !isLiteral else { return }
        var fill = SQL("UPDATE ")
        fill.append(identifier: map.table)
        fill.append(" SET ")
        fill.append(identifier: property.column)
        fill.append(" = ?")
        fills.append((fill, value))
    }

    /// Our own indexes begin with the table's name: under the former one they would stand beside the new ones.
    private mutating func dropIndexes(_ existing: Set<String>, of former: String) {
        for name in existing.sorted() where Naming.folded(name).hasPrefix(Naming.folded(former) + ".") {
            var sql = SQL("DROP INDEX ")
            sql.append(identifier: name)
            statements.append(sql)
        }
    }

    private mutating func addIndexes(_ existing: Set<String>) {
        let existing = Set(existing.map(Naming.folded))
        for index in map.indexes where !existing.contains(Naming.folded(index.name)) {
            var sql = SQL(index.isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ")
            sql.append(identifier: index.name)
            sql.append(" ON ")
            sql.append(identifier: map.table)
            sql.append(" (")
            sql.append(index.columns) { sql, column in
                sql.append(identifier: column)
                if index.isDescending { sql.append(" DESC") }
            }
            sql.append(")")
            statements.append(sql)
        }
    }
}

extension SQL {
    fileprivate mutating func append(definitionOf property: Property, defaultValue: DatabaseValue?) {
        append(identifier: property.column)
        append(" ")
        append(type: property.codec.columnType)
        if !property.codec.acceptsNull { append(" NOT NULL") }
        if let defaultValue, defaultValue != .null, let literal = SQLLiteral(defaultValue) {
            append(" DEFAULT ")
            append(literal: literal)
        }
    }
}
