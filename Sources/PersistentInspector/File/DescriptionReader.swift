internal import PersistentObjects
internal import StoreEngine

/// Reads the description of the classes from a file's metadata tables.
struct DescriptionReader {
    private let connection: any Connection
    private let schema: any SchemaReader

    init(_ connection: any Connection) {
        self.connection = connection
        schema = connection.schema.readAhead()
    }

    /// The classes that have a table; empty for a file without a description.
    func classes() throws -> [ClassDescription] {
        guard try schema.table("po_class") != nil, try schema.table("po_property") != nil else { return [] }
        let records = try rows("SELECT id, name, table_name, superclass, identity FROM po_class ORDER BY name")
        var properties: [DatabaseValue: [[DatabaseValue]]] = [:]
        for row in try rows(
            """
            SELECT class, name, column_name, kind, type, target, is_optional, inverse, delete_rule, initial, cases, \
            flags FROM po_property ORDER BY class, position
            """
        ) { properties[row[0], default: []].append(row) }
        let names = Dictionary(records.map { ($0[0], $0[1].text ?? "") }) { first, _ in first }
        return try records.compactMap { row in
            // Tables of the library, such as the history.
            guard let name = row[1].text, let tableName = row[2].text, !tableName.hasPrefix("po_"),
                let table = try schema.table(tableName)
            else { return nil }
            // A damaged or hostile file can describe a property twice.
            var seen: Set<String> = []
            let described = try (properties[row[0]] ?? []).compactMap { try property($0, table) }
            return ClassDescription(
                name: name, table: table.name, superclass: names[row[3]], identity: row[4].text ?? "integer",
                hasClassColumn: column("class", of: table) != nil && isShared(row, records),
                properties: described.filter { seen.insert($0.name).inserted })
        }
    }

    /// Whether a class shares its table with other classes, so that a column `class` has the classes of the rows.
    private func isShared(_ record: [DatabaseValue], _ records: [[DatabaseValue]]) -> Bool {
        records.count { $0[2] == record[2] } > 1
    }

    private func property(_ row: [DatabaseValue], _ table: TableDescription) throws -> PropertyDescription? {
        guard case .integer(let flags) = row[11], flags & 1 == 0, let name = row[1].text, let type = row[4].text,
            let kind = row[3].text.flatMap(PropertyDescription.Kind.init(rawValue:))
        else { return nil }
        let recorded = row[2].text
        let child = kind.isCollection ? try childTable(name, recorded, of: table) : nil
        let column = recorded.flatMap { self.column($0, of: table) }
        // A key is a string in a program, whatever its column stores.
        let isUUID = name == "key" && type == "String" && column.map { form(of: $0) } == "BLOB"
        if kind != .inverse, child == nil, column == nil { return nil }
        let element = child.flatMap { child in
            self.column("value", of: child.table) ?? self.column("value_id", of: child.table)
        }
        return PropertyDescription(
            name: name, storage: child?.suffix ?? column?.name ?? "", hasColumn: column != nil, kind: kind,
            type: isUUID ? "UUID" : type,
            target: row[5].text, isOptional: row[6] == .integer(1), inverse: row[7].text, deleteRule: row[8].text,
            initial: row[9].text, cases: row[10].text.map { $0.split(separator: "\t").map(String.init) } ?? [],
            isIndexed: flags & 2 != 0, isUnique: flags & 4 != 0, isLazy: flags & 8 != 0, isSearched: flags & 16 != 0,
            isEncrypted: flags & 32 != 0, columnType: (kind.isCollection ? element : column).map(form),
            keyColumnType: child.flatMap { self.column("key", of: $0.table).map(form) })
    }

    /// The table of a collection's elements. The file records its name only if the collection can be nil.
    private func childTable(
        _ property: String, _ recorded: String?, of table: TableDescription
    ) throws -> (table: TableDescription, suffix: String)? {
        for suffix in [recorded, Naming.snakeCase(property), property].compactMap({ $0 }) {
            if let found = try schema.table("\(table.name)_\(suffix)"), column("owner_id", of: found) != nil {
                return (found, suffix)
            }
        }
        return nil
    }

    /// The type of a column in a file that has the same values.
    private func form(of column: ColumnDescription) -> String {
        let type = LogicalType.allCases.first { connection.dialect.declaredType($0).text == column.type }
        return type.map { Dialect.sqlite.declaredType($0).text } ?? column.type
    }

    private func column(_ name: String, of table: TableDescription) -> ColumnDescription? {
        table.columns.first { $0.name.lowercased() == name.lowercased() }
    }

    private func rows(_ sql: SQL) throws -> [[DatabaseValue]] {
        let statement = try connection.prepare(sql)
        defer { statement.finish() }
        var rows: [[DatabaseValue]] = []
        while try statement.step() { rows.append(InspectedFile.row(statement)) }
        return rows
    }
}

extension DatabaseValue {
    /// The integer; nil for other values.
    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The number; nil for other values.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .null, .text, .blob: nil
        }
    }

    /// The string; nil for other values.
    var text: String? { if case .text(let text) = self { text } else { nil } }
}
