// Schema: reads the tables, columns, indexes and triggers of a file, one by one or all at once. It must not change any.

/// Reads `sqlite_schema` and the pragmas.
package struct SQLiteSchemaReader: SchemaReader {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }

    package func table(_ name: String) throws(StoreError) -> TableDescription? {
        let sql: SQL = """
            SELECT name, type, sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')
            """
        guard let row = try rows(sql, name).first, let found = row[0].text else { return nil }
        return TableDescription(
            name: found, columns: try columns(of: found), isView: row[1].text != "table",
            reusesIDs: SQLiteSchemaReader.reusesIDs(row[2].text ?? ""))
    }

    /// Whether a table with this definition reuses ids.
    static func reusesIDs(_ definition: String) -> Bool { !definition.uppercased().hasBytes(of: "AUTOINCREMENT") }

    /// The selected terms that describe a column.
    static let columnTerms: SQL = "x.name, x.type, x.\"notnull\", x.pk, x.dflt_value, x.hidden"

    /// A column, from the values of these terms.
    static func column(_ row: [DatabaseValue]) -> ColumnDescription? {
        guard let name = row[0].text, let type = row[1].text, case .integer(let place) = row[3] else { return nil }
        return ColumnDescription(
            name: name, type: type.uppercased(), isNotNull: row[2] != .integer(0), keyOrdinal: Int(place),
            defaultValue: row[4].text, isGenerated: row[5] == .integer(2) || row[5] == .integer(3),
            affinity: affinity(type.uppercased()))
    }

    private func columns(of table: String) throws(StoreError) -> [ColumnDescription] {
        let sql: SQL = "SELECT \(SQLiteSchemaReader.columnTerms) FROM pragma_table_xinfo(?) AS x"
        return try rows(sql, table).compactMap { SQLiteSchemaReader.column($0) }
    }

    /// The affinity of a declared type, by the rules of https://sqlite.org/datatype3.html, section 3.1.
    private static func affinity(_ type: String) -> ColumnAffinity {
        if type.hasBytes(of: "INT") { return .number }
        if ["CHAR", "CLOB", "TEXT"].contains(where: type.hasBytes) { return .text }
        return type.isEmpty || type.hasBytes(of: "BLOB") ? .none : .number
    }

    package func hasRowNumbers(_ table: String) throws(StoreError) -> Bool {
        let sql: SQL = """
            SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE AND type <> 'view'
            """
        return try rows(sql, table).first?[0] == .integer(0)
    }

    package func columnNames(of table: String) throws(StoreError) -> [String] {
        try rows("SELECT name FROM pragma_table_info(?)", table).compactMap(\.[0].text)
    }

    package func foreignKeys(of table: String) throws(StoreError) -> [(column: String, target: String)] {
        try rows("SELECT \"from\", \"table\" FROM pragma_foreign_key_list(?)", table).compactMap { row in
            guard let column = row[0].text, let target = row[1].text else { return nil }
            return (column, target)
        }
    }

    package func referencedColumns(of table: String) throws(StoreError) -> [ReferencedColumn] {
        // A reference without columns refers to the primary key.
        let sql: SQL = """
            SELECT k."from", k."table", coalesce(k."to", \
            (SELECT name FROM pragma_table_info(k."table") WHERE pk = k.seq + 1)) FROM pragma_foreign_key_list(?) AS k
            """
        return try rows(sql, table).compactMap { row in
            guard let column = row[0].text, let target = row[1].text, let targetColumn = row[2].text else { return nil }
            return ReferencedColumn(column: column, target: target, targetColumn: targetColumn)
        }
    }

    package func hasKeyIndex(_ table: String) throws(StoreError) -> Bool {
        try !rows("SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'", table).isEmpty
    }

    package func indexNames(of table: String) throws(StoreError) -> Set<String> {
        let sql: SQL = "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE"
        return Set(try rows(sql, table).compactMap(\.[0].text))
    }

    package func indexes(of table: String) throws(StoreError) -> [IndexDescription] {
        let sql: SQL = """
            SELECT l.name, l."unique", l.partial, s.sql FROM pragma_index_list(?1) AS l \
            LEFT JOIN sqlite_schema AS s ON s.type = 'index' AND s.name = l.name ORDER BY l.name
            """
        var indexes: [IndexDescription] = []
        for row in try rows(sql, table) {
            guard let name = row[0].text else { continue }
            let columns = try rows("SELECT name FROM pragma_index_info(?) ORDER BY seqno", name).map(\.[0].text)
            indexes.append(
                IndexDescription(
                    name: name, columns: columns, isUnique: row[1] == .integer(1), isPartial: row[2] != .integer(0),
                    sql: row[3].text))
        }
        return indexes
    }

    package func definitions(
        of tables: [String], triggersBeginning prefix: String
    ) throws(StoreError) -> String {
        var texts: [String] = []
        let onTable: SQL = "SELECT name, sql FROM sqlite_schema WHERE tbl_name = ?1 COLLATE NOCASE ORDER BY type, name"
        for table in tables {
            for row in try rows(onTable, table) { texts.append(row[1].text ?? row[0].text ?? "") }
        }
        return (texts + (try triggers(beginning: prefix).map(\.text))).joined(separator: "\n")
    }

    package func readAhead() -> any SchemaReader {
        // Columns that cannot be read all at once, perhaps because of a foreign table's name, are read table by table.
        do throws(StoreError) { return SQLiteSchemaSnapshot(connection, try SchemaEntries(connection)) } catch {
            return self
        }
    }

    package func readAhead(for count: Int) -> any SchemaReader { connection.keptSchema.reader(for: count, connection) }

    package func version() throws(StoreError) -> Int64 {
        guard case .integer(let version)? = try connection.rows("PRAGMA schema_version").first?[0] else { return 0 }
        return version
    }

    package func brokenReferences(in table: String) throws(StoreError) -> [(rowID: Int64?, column: String)] {
        let sql: SQL = """
            SELECT c.rowid, k."from" FROM pragma_foreign_key_check(?1) AS c \
            JOIN pragma_foreign_key_list(?1) AS k ON k.id = c.fkid ORDER BY c.rowid LIMIT 10
            """
        return try rows(sql, table).compactMap { row in
            guard let column = row[1].text else { return nil }
            if case .integer(let id) = row[0] { return (id, column) }
            return (nil, column)
        }
    }

    package func tables(referringTo table: String, by column: String) throws(StoreError) -> [String] {
        let sql: SQL = """
            SELECT s.name, k."from" FROM sqlite_schema AS s JOIN pragma_foreign_key_list(s.name) AS k \
            WHERE s.type = 'table' AND k."table" = ?1 COLLATE NOCASE ORDER BY s.name
            """
        return try rows(sql, table).compactMap { row in
            row[1].text?.lowercased() == column.lowercased() ? row[0].text : nil
        }
    }

    package func references(to table: String) throws(StoreError) -> [ReferenceDescription] {
        let sql: SQL = """
            SELECT s.name, k."from", k.on_delete, coalesce(k."to", 'id'), (SELECT count(*) \
            FROM pragma_foreign_key_list(s.name) AS o WHERE o.id = k.id) \
            FROM sqlite_schema AS s JOIN pragma_foreign_key_list(s.name) AS k \
            WHERE s.type = 'table' AND k."table" = ?1 COLLATE NOCASE ORDER BY s.name, k.id DESC
            """
        return try rows(sql, table).compactMap { row in
            guard let table = row[0].text, let column = row[1].text else { return nil }
            return ReferenceDescription(
                table: table, column: column, deletion: row[2].text ?? "",
                isToID: row[3].text?.lowercased() == "id" && row[4] == .integer(1))
        }
    }

    package func definition(of name: String) throws(StoreError) -> String? {
        let sql: SQL =
            "SELECT sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE"
        return try rows(sql, name).first?[0].text
    }

    package func triggers(on table: String) throws(StoreError) -> [TriggerDescription] {
        try triggers("tbl_name = ?1 COLLATE NOCASE", table)
    }

    package func triggers(beginning prefix: String) throws(StoreError) -> [TriggerDescription] {
        try triggers("substr(name, 1, length(?1)) = ?1 COLLATE NOCASE ORDER BY name", prefix)
    }

    private func triggers(_ condition: SQL, _ argument: String) throws(StoreError) -> [TriggerDescription] {
        let sql: SQL = "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger' AND \(condition)"
        return try rows(sql, argument).compactMap { row in
            guard let name = row[0].text, let table = row[1].text, let text = row[2].text else { return nil }
            return TriggerDescription(name: name, table: table, text: text)
        }
    }

    private func rows(_ sql: SQL, _ argument: String) throws(StoreError) -> [[DatabaseValue]] {
        try connection.rows(sql, argument)
    }
}

extension SQLiteConnection {
    /// The schema of the file.
    package var schema: any SchemaReader { SQLiteSchemaReader(self) }

    /// All rows of a short result.
    func rows(_ sql: SQL, _ argument: String? = nil) throws(StoreError) -> [[DatabaseValue]] {
        let statement = try statement(sql)
        defer { statement.finish() }
        if let argument {
            statement.beginBinding()
            do throws(ValueFault) { try statement.bind(argument, at: 1) } catch {
                throw .value(error).at(sql: sql.text)
            }
        }
        return try rows(of: statement)
    }

    /// All rows of a short result of a statement whose values are bound.
    func rows(of statement: Statement) throws(StoreError) -> [[DatabaseValue]] {
        var rows: [[DatabaseValue]] = []
        while try statement.step() {
            var row: [DatabaseValue] = []
            for place in 0..<statement.columnCount {
                do throws(ValueFault) { row.append(try statement.column(place).value()) } catch {
                    throw .value(error).at(sql: statement.sql)
                }
            }
            rows.append(row)
        }
        return rows
    }
}

extension DatabaseValue {
    /// The text of the value.
    var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension String {
    /// Whether it contains a word of ASCII letters, at a hundredth of the cost of `contains`.
    fileprivate func hasBytes(of word: String) -> Bool {
        let (bytes, word) = (Array(utf8), Array(word.utf8))
        guard bytes.count >= word.count else { return false }
        return (0...bytes.count - word.count).contains { start in
            bytes[start] == word[0] && bytes[start..<start + word.count].elementsEqual(word)
        }
    }
}
