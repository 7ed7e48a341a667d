internal import StoreEngine

/// Reads the tables of a file for plans.
struct SchemaInspector {
    private let connection: any Connection
    private let schema: any SchemaReader
    let dialect: Dialect
    /// The tables as the plan's moves, which run before all other changes, leave them.
    let overlay = SchemaOverlay()

    /// - Parameter schema: The schema reader; nil for the database's current state.
    init(_ connection: any Connection, _ schema: (any SchemaReader)? = nil) {
        self.connection = connection
        self.schema = schema ?? connection.schema
        dialect = connection.dialect
    }

    /// A table or view by its name; nil if it does not exist.
    func table(_ name: String) throws -> TableDescription? {
        if let table = overlay.tables[Naming.folded(name)] { return table }
        return try schema.table(name)
    }

    /// The folded names of the tables that columns refer to, by the folded names of the columns.
    func foreignKeys(of table: String) throws -> [String: String] {
        if let keys = overlay.foreignKeys[Naming.folded(table)] { return keys }
        var targets: [String: String] = [:]
        for (column, target) in try schema.foreignKeys(of: table) {
            targets[Naming.folded(column)] = Naming.folded(target)
        }
        return targets
    }

    /// The indexes of a table, including the indexes of its keys.
    func indexes(of table: String) throws -> [IndexDescription] {
        overlay.isNew(table) ? [] : try schema.indexes(of: table)
    }

    /// Whether the database numbers the rows of a table.
    func hasRowNumbers(_ table: String) throws -> Bool { try schema.hasRowNumbers(table) }

    /// Whether the primary key of a table has its own index.
    func hasKeyIndex(_ table: String) throws -> Bool { try schema.hasKeyIndex(table) }

    /// The columns to which the columns of a table refer, in the order of `foreignKeys(of:)`.
    func referencedColumns(of table: String) throws -> [ReferencedColumn] { try schema.referencedColumns(of: table) }

    /// All triggers whose names have this prefix.
    func triggers(beginning prefix: String) throws -> [TriggerDescription] { try schema.triggers(beginning: prefix) }

    /// The triggers on a table.
    func triggers(on table: String) throws -> [TriggerDescription] { try schema.triggers(on: table) }

    /// The SQL that created a table.
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

    /// Whether a row of this class exists; the table has the class column.
    func hasRows(of className: String, in table: String) throws -> Bool {
        // Rows that will be moved count as present.
        if overlay.gainsRows(table) { return true }
        return try hasStoredRows(of: className, in: table)
    }

    /// The same for the file's current state.
    func hasStoredRows(of className: String, in table: String) throws -> Bool {
        // A name with a NUL belongs to no class.
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

    /// The reason that no class can use it; nil if a class can.
    func unsuitability(_ dialect: Dialect) -> String? {
        if isView { return "is a view" }
        if isRemote { return "has rows on another server" }
        let type = dialect.declaredType(.integer).text
        guard let id = column("id"), id.keyOrdinal != 0, columns.count(where: { $0.keyOrdinal != 0 }) == 1,
            id.type == type
        else { return "has no column \"id\" that is its \(type) PRIMARY KEY" }
        // Ids must never be reused.
        guard !reusesIDs else {
            return "may reuse ids (a store requires \(dialect.idColumn.text))"
        }
        return nil
    }
}
