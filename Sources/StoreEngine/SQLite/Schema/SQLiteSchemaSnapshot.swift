/// The schema of the whole file at one moment, read with one statement, and a second one if columns are requested.
///
/// For code that queries many tables: each query of a plain reader is a statement that scans all of `sqlite_schema`.
/// Other information is read from the file.
package struct SQLiteSchemaSnapshot: SchemaReader {
    private let connection: SQLiteConnection
    private let file: SQLiteSchemaReader
    private let contents: SchemaEntries

    init(_ connection: SQLiteConnection, _ contents: SchemaEntries) {
        self.connection = connection
        self.contents = contents
        file = SQLiteSchemaReader(connection)
    }

    private static func folded(_ name: String) -> [UInt8] { SchemaEntries.folded(name) }

    package func table(_ name: String) throws(StoreError) -> TableDescription? {
        let key = Self.folded(name)
        guard let found = contents.tables[key] else { return nil }
        guard let columns = allColumns()[key] else {
            let table = try file.table(name)
            // Views change with their tables.
            if let table, !table.isView { contents.columns?[key] = table.columns }
            return table
        }
        return TableDescription(
            name: found.name, columns: columns, isView: false,
            reusesIDs: SQLiteSchemaReader.reusesIDs(found.text ?? ""))
    }

    private func allColumns() -> [[UInt8]: [ColumnDescription]] {
        if let columns = contents.columns { return columns }
        // Views and virtual tables may have columns that cannot be determined, which would be an error of the
        // statement.
        let sql: SQL = """
            SELECT \(SQLiteSchemaReader.columnTerms), s.name FROM sqlite_schema AS s JOIN pragma_table_xinfo(s.name) AS x \
            WHERE s.type = 'table' AND s.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY s.rowid, x.cid
            """
        var columns: [[UInt8]: [ColumnDescription]] = [:]
        do throws(StoreError) {
            for row in try connection.rows(sql) {
                guard let table = row.last?.text, let column = SQLiteSchemaReader.column(row) else { continue }
                columns[Self.folded(table), default: []].append(column)
            }
        } catch {
            // Possibly because of a foreign table: each table is then read individually, and the library's own tables
            // are unaffected.
            columns = [:]
        }
        contents.columns = columns
        return columns
    }

    package func definitions(
        of tables: [String], triggersBeginning prefix: String
    ) throws(StoreError) -> String {
        let texts = tables.flatMap { table in (contents.entries[Self.folded(table)] ?? []).map { $0.text ?? $0.name } }
        return (texts + (try triggers(beginning: prefix)).map(\.text)).joined(separator: "\n")
    }

    package func triggers(beginning prefix: String) throws(StoreError) -> [TriggerDescription] {
        let (key, triggers) = (Self.folded(prefix), contents.triggers)
        // Find the first trigger that does not sort before the prefix.
        var (first, end) = (0, triggers.count)
        while first < end {
            let middle = (first + end) / 2
            if triggers[middle].key.lexicographicallyPrecedes(key) { first = middle + 1 } else { end = middle }
        }
        return triggers[first...].prefix { $0.key.starts(with: key) }.map(\.trigger)
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    package func triggers(on table: String) throws(StoreError) -> [TriggerDescription] {
        let found = (contents.entries[Self.folded(table)] ?? []).filter { $0.type == "trigger" }.sorted {
            $0.row < $1.row
        }
        return found.compactMap { entry in
            entry.text.map { TriggerDescription(name: entry.name, table: entry.table, text: $0) }
        }
    }

    package func definition(of name: String) throws(StoreError) -> String? { contents.tables[Self.folded(name)]?.text }

    package func version() throws(StoreError) -> Int64 { try file.version() }

    package func columnNames(of table: String) throws(StoreError) -> [String] { try file.columnNames(of: table) }

    package func foreignKeys(of table: String) throws(StoreError) -> [(column: String, target: String)] {
        try file.foreignKeys(of: table)
    }

    package func referencedColumns(of table: String) throws(StoreError) -> [ReferencedColumn] {
        try file.referencedColumns(of: table)
    }

    package func hasKeyIndex(_ table: String) throws(StoreError) -> Bool { try file.hasKeyIndex(table) }

    package func indexNames(of table: String) throws(StoreError) -> Set<String> { try file.indexNames(of: table) }

    package func indexes(of table: String) throws(StoreError) -> [IndexDescription] { try file.indexes(of: table) }

    package func tables(referringTo table: String, by column: String) throws(StoreError) -> [String] {
        try file.tables(referringTo: table, by: column)
    }

    package func references(to table: String) throws(StoreError) -> [ReferenceDescription] {
        try file.references(to: table)
    }

    package func brokenReferences(in table: String) throws(StoreError) -> [(rowID: Int64?, column: String)] {
        try file.brokenReferences(in: table)
    }

    package func hasRowNumbers(_ table: String) throws(StoreError) -> Bool { try file.hasRowNumbers(table) }
}
