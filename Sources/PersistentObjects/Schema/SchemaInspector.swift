internal import StoreEngine

/// Reads what tables a file has, as plans ask for it.
struct SchemaInspector {
    private let connection: any Connection
    private let schema: any SchemaReader
    let dialect: Dialect
    /// What the moves of the plan have made of tables when everything else begins.
    let overlay = SchemaOverlay()

    /// - Parameter schema: What it asks; what the database has now where that is nil.
    init(_ connection: any Connection, _ schema: (any SchemaReader)? = nil) {
        self.connection = connection
        self.schema = schema ?? connection.schema
        dialect = connection.dialect
    }

    /// A table or view by its name, nil where there is none.
    func table(_ name: String) throws -> TableDescription? {
        if let table = overlay.tables[Naming.folded(name)] { return table }
        return try schema.table(name)
    }

    /// The tables that columns refer to, both folded.
    func foreignKeys(of table: String) throws -> [String: String] {
        if let keys = overlay.foreignKeys[Naming.folded(table)] { return keys }
        var targets: [String: String] = [:]
        for (column, target) in try schema.foreignKeys(of: table) {
            targets[Naming.folded(column)] = Naming.folded(target)
        }
        return targets
    }

    /// The indexes of a table, those of its keys too.
    func indexes(of table: String) throws -> [IndexDescription] {
        overlay.isNew(table) ? [] : try schema.indexes(of: table)
    }

    /// Whether the database numbers the rows of a table.
    func hasRowNumbers(_ table: String) throws -> Bool { try schema.hasRowNumbers(table) }

    /// All triggers whose names begin so.
    func triggers(beginning prefix: String) throws -> [TriggerDescription] { try schema.triggers(beginning: prefix) }

    /// The triggers on a table.
    func triggers(on table: String) throws -> [TriggerDescription] { try schema.triggers(on: table) }

    /// The text that made a table.
    func definition(of name: String) throws -> String? { try schema.definition(of: name) }

    /// The columns of a table.
    func columnNames(of table: String) throws -> [String] { try schema.columnNames(of: table) }

    /// The tables in which this column refers to a table.
    func tables(referringTo table: String, by column: String) throws -> [String] {
        let found = try schema.tables(referringTo: table, by: column).filter { !overlay.mentions($0) }
        return found + overlay.references(to: table).filter { Naming.folded($0.column) == column }.map(\.table)
    }

    /// The columns of all tables that refer to a table.
    func references(to table: String) throws -> [ReferenceDescription] {
        try schema.references(to: table).filter { !overlay.mentions($0.table) } + overlay.references(to: table)
    }

    /// Whether there is a row of this class; the table has the column.
    func hasRows(of className: String, in table: String) throws -> Bool {
        // Rows that are to come count as if they were there.
        if overlay.gainsRows(table) { return true }
        return try hasStoredRows(of: className, in: table)
    }

    /// The same of the file as it is.
    func hasStoredRows(of className: String, in table: String) throws -> Bool {
        // A name with a NUL is no class's.
        guard let name = SQLLiteral(.text(className)) else { return false }
        return try connection.value("SELECT 1 FROM \(name: table) WHERE \"class\" = \(literal: name) LIMIT 1") != nil
    }

    func hasSeveralRows(_ table: String) throws -> Bool {
        if overlay.gainsRows(table) { return true }
        return try connection.value("SELECT 1 FROM \(name: table) LIMIT 1 OFFSET 1") != nil
    }
}

extension TableDescription {
    func column(_ name: String) -> ColumnDescription? {
        columns.first { Naming.folded($0.name) == Naming.folded(name) }
    }

    /// Why no class can use it; nil where one can.
    func unsuitability(_ dialect: Dialect) -> String? {
        if isView { return "is a view" }
        let type = dialect.declaredType(.integer).text
        guard let id = column("id"), id.keyPlace != 0, columns.count(where: { $0.keyPlace != 0 }) == 1, id.type == type
        else { return "has no column \"id\" that is its \(type) PRIMARY KEY" }
        // Ids are promised never to be used again.
        guard !reusesIDs else {
            return "may reuse ids (a store requires \(dialect.idColumn.text))"
        }
        return nil
    }
}
