// Schema: reads the tables of a database from PostgreSQL's catalog. It must not know the use of the results.

internal import Foundation
internal import StoreEngine

/// Reads `pg_catalog` for the schema of the connection's tables.
struct PostgresSchemaReader: SchemaReader {
    private let connection: PostgresConnection

    init(_ connection: PostgresConnection) { self.connection = connection }

    func table(_ name: String) throws(StoreError) -> TableDescription? {
        let sql: SQL = """
            SELECT c.relname, c.relkind::text, EXISTS (WITH RECURSIVE part(oid) AS (SELECT c.oid UNION \
            SELECT i.inhrelid FROM pg_inherits AS i JOIN part ON i.inhparent = part.oid) \
            SELECT FROM part JOIN pg_class AS k ON k.oid = part.oid WHERE k.relkind = 'f'), \
            (SELECT string_agg(a.attname, chr(9) ORDER BY a.attnum) FROM pg_partitioned_table AS p JOIN pg_attribute AS a \
            ON a.attrelid = p.partrelid AND a.attnum = ANY (p.partattrs::int2[]) WHERE p.partrelid = c.oid) \
            FROM pg_class AS c WHERE c.relnamespace = quote_ident(current_schema())::regnamespace \
            AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND lower(c.relname) = lower(?1) \
            ORDER BY c.relname = ?1 DESC LIMIT 1
            """
        guard let row = try rows(sql, name).first, let found = row[0].text else { return nil }
        return TableDescription(
            name: found, columns: try columns(of: found), isView: ["v", "m"].contains(row[1].text), reusesIDs: false,
            isRemote: row[2] == .integer(1),
            partitionColumns: row[3].text?.split(separator: "\t").map(String.init) ?? [])
    }

    private func columns(of table: String) throws(StoreError) -> [ColumnDescription] {
        let sql: SQL = """
            SELECT a.attname, upper(format_type(a.atttypid, a.atttypmod)) || CASE WHEN l.collname = 'C' THEN \
            ' COLLATE "C"' ELSE '' END, a.attnotnull, \
            coalesce(array_position(i.indkey::int2[], a.attnum), -1), \
            pg_get_expr(d.adbin, d.adrelid), a.attgenerated <> '', a.attidentity::text \
            FROM pg_attribute AS a LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum \
            LEFT JOIN pg_collation AS l ON l.oid = a.attcollation \
            LEFT JOIN pg_index AS i ON i.indrelid = a.attrelid AND i.indisprimary \
            WHERE a.attrelid = (SELECT c.oid FROM pg_class AS c WHERE c.relname = ? AND \
            c.relnamespace = quote_ident(current_schema())::regnamespace) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
            """
        return try rows(sql, table).compactMap { row in
            guard let name = row[0].text, let type = row[1].text, case .integer(let place) = row[3] else { return nil }
            return ColumnDescription(
                name: name, type: type, isNotNull: row[2] == .integer(1), keyOrdinal: Int(place) + 1,
                defaultValue: row[4].text.map(PostgresSchemaReader.withoutCast), isGenerated: row[5] == .integer(1))
        }
    }

    /// A default in its original form: `'x'` for `'x'::text`.
    private static func withoutCast(_ text: String) -> String {
        guard let cast = text.range(of: "::"), !text[..<cast.lowerBound].contains("(") else { return text }
        return String(text[..<cast.lowerBound])
    }

    func hasRowNumbers(_ table: String) throws(StoreError) -> Bool { false }

    func columnNames(of table: String) throws(StoreError) -> [String] {
        try columns(of: try self.table(table)?.name ?? table).map(\.name)
    }

    func foreignKeys(of table: String) throws(StoreError) -> [(column: String, target: String)] {
        let sql: SQL = "\(PostgresSchemaReader.references) AND lower(c.relname) = lower(?) ORDER BY k.conname"
        return try rows(sql, table).compactMap { row in
            guard let column = row[1].text, let target = row[2].text else { return nil }
            return (column, target)
        }
    }

    func referencedColumns(of table: String) throws(StoreError) -> [ReferencedColumn] {
        let sql: SQL = """
            SELECT a.attname, r.relname, f.attname FROM pg_constraint AS k \
            JOIN pg_class AS c ON c.oid = k.conrelid JOIN pg_class AS r ON r.oid = k.confrelid \
            CROSS JOIN LATERAL unnest(k.conkey, k.confkey) AS p(own, other) \
            JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = p.own \
            JOIN pg_attribute AS f ON f.attrelid = r.oid AND f.attnum = p.other \
            WHERE k.contype = 'f' AND c.relnamespace = quote_ident(current_schema())::regnamespace \
            AND lower(c.relname) = lower(?)
            """
        return try rows(sql, table).compactMap { row in
            guard let column = row[0].text, let target = row[1].text, let targetColumn = row[2].text else { return nil }
            return ReferencedColumn(column: column, target: target, targetColumn: targetColumn)
        }
    }

    /// False, because rows have no numbers.
    func hasKeyIndex(_ table: String) throws(StoreError) -> Bool { false }

    func indexNames(of table: String) throws(StoreError) -> Set<String> {
        let sql: SQL = """
            SELECT i.relname FROM \(PostgresSchemaReader.indexTables) WHERE lower(c.relname) = lower(?) AND \
            c.relnamespace = quote_ident(current_schema())::regnamespace
            """
        return Set(try rows(sql, table).compactMap(\.[0].text))
    }

    func indexes(of table: String) throws(StoreError) -> [IndexDescription] {
        let sql: SQL = """
            SELECT i.relname, x.indisunique, x.indpred IS NOT NULL, \
            CASE WHEN k.oid IS NULL THEN pg_get_indexdef(x.indexrelid) END, a.attname, \
            coalesce(x.indoption[p.number - 1] IN (1, 2), FALSE), x.indisvalid \
            FROM \(PostgresSchemaReader.indexTables) \
            LEFT JOIN pg_constraint AS k ON k.conindid = x.indexrelid AND k.contype IN ('p', 'u', 'x') \
            CROSS JOIN unnest(x.indkey::int2[]) WITH ORDINALITY AS p(place, number) \
            LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = p.place AND p.place > 0 \
            WHERE lower(c.relname) = lower(?) AND c.relnamespace = quote_ident(current_schema())::regnamespace AND NOT x.indisprimary \
            ORDER BY i.relname, p.number
            """
        var indexes: [IndexDescription] = []
        for row in try rows(sql, table) {
            guard let name = row[0].text else { continue }
            let earlier = indexes.last?.name == name ? indexes.removeLast() : nil
            // The options are 1 for descending and 2 for NULLS FIRST.
            indexes.append(
                IndexDescription(
                    name: name, columns: (earlier?.columns ?? []) + [row[4].text], isUnique: row[1] == .integer(1),
                    isPartial: row[2] == .integer(1), sql: row[3].text,
                    sortsNullLow: (earlier?.sortsNullLow ?? []) + [row[5] == .integer(1)],
                    isValid: row[6] == .integer(1)))
        }
        return indexes
    }

    func definitions(of tables: [String], triggersBeginning prefix: String) throws(StoreError) -> String {
        var texts: [String] = []
        for table in tables {
            for column in try columns(of: try self.table(table)?.name ?? table) {
                texts.append("\(table).\(column.name) \(column.type) \(column.isNotNull) \(column.defaultValue ?? "")")
            }
            texts += try indexes(of: table).map { $0.sql ?? $0.name }
            texts += try foreignKeys(of: table).map { "\($0.column) \($0.target)" }
            texts += try triggers(on: table).map(\.text)
        }
        return (texts + (try triggers(beginning: prefix).map(\.text))).joined(separator: "\n")
    }

    func schemas(like pattern: String) throws(StoreError) -> [String] {
        // Every store has the gate, and no other program does.
        let sql: SQL = """
            SELECT n.nspname FROM pg_namespace AS n JOIN pg_class AS c ON c.relnamespace = n.oid \
            WHERE c.relname = 'po_gate' AND c.relkind = 'r' AND has_schema_privilege(n.oid, 'USAGE') \
            AND n.nspname::text LIKE ?::text ORDER BY n.nspname
            """
        return try rows(sql, pattern).compactMap(\.[0].text)
    }

    func version() throws(StoreError) -> Int64 {
        let sql: SQL = """
            SELECT hashtextextended(coalesce(string_agg(t, ' ' ORDER BY t), ''), 0) FROM (\
            SELECT c.oid || ':' || c.xmin::text || ':' || coalesce(string_agg(a.xmin::text, ',' ORDER BY a.attnum), '') AS t \
            FROM pg_class AS c LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 \
            WHERE c.relnamespace = quote_ident(current_schema())::regnamespace GROUP BY c.oid, c.xmin \
            UNION ALL SELECT t.oid || ':' || t.xmin::text FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid \
            WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND NOT t.tgisinternal \
            AND NOT starts_with(t.tgname, 'po_change_')) AS all_of_it
            """
        guard case .integer(let version)? = try connection.value(sql) else { return 0 }
        return version
    }

    func tables(referringTo table: String, by column: String) throws(StoreError) -> [String] {
        let sql: SQL = "\(PostgresSchemaReader.references) AND lower(r.relname) = lower(?) ORDER BY c.relname"
        return try rows(sql, table).compactMap { row in
            row[1].text?.lowercased() == column.lowercased() ? row[0].text : nil
        }
    }

    func references(to table: String) throws(StoreError) -> [ReferenceDescription] {
        let sql: SQL =
            "\(PostgresSchemaReader.references) AND lower(r.relname) = lower(?) ORDER BY c.relname, k.oid DESC"
        return try rows(sql, table).compactMap { row in
            guard let table = row[0].text, let column = row[1].text else { return nil }
            return ReferenceDescription(
                table: table, column: column, deletion: PostgresSchemaReader.deletion(row[3].text),
                isToID: row[4].text?.lowercased() == "id" && row[5] == .integer(1))
        }
    }

    private static func deletion(_ letter: String?) -> String {
        switch letter {
        case "c": "CASCADE"
        case "n": "SET NULL"
        case "d": "SET DEFAULT"
        case "r": "RESTRICT"
        default: "NO ACTION"
        }
    }

    func brokenReferences(in table: String) throws(StoreError) -> [(rowID: Int64?, column: String)] {
        // The server never commits a dangling reference, so only the open transaction can have one.
        var broken: [(rowID: Int64?, column: String)] = []
        for (column, target) in try foreignKeys(of: table) {
            let sql: SQL = """
                SELECT t."id" FROM \(name: table) AS t WHERE t.\(name: column) IS NOT NULL AND NOT EXISTS \
                (SELECT 1 FROM \(name: target) AS r WHERE r."id" = t.\(name: column)) ORDER BY 1 LIMIT 10
                """
            for row in try rows(sql) {
                if case .integer(let id) = row[0] { broken.append((id, column)) }
            }
        }
        return Array(broken.prefix(10))
    }

    func definition(of name: String) throws(StoreError) -> String? {
        guard let table = try table(name) else { return nil }
        let columns = table.columns.map { "\($0.name) \($0.type)" }
        guard columns == PostgresSearch.tableColumns, let searched = try comment(on: table.name) else {
            return columns.joined(separator: ", ")
        }
        return PostgresSearch.definition(table.name, columns: searched).text
    }

    private func comment(on table: String) throws(StoreError) -> String? {
        let sql: SQL = """
            SELECT obj_description(c.oid, 'pg_class') FROM pg_class AS c WHERE c.relname = ? \
            AND c.relnamespace = quote_ident(current_schema())::regnamespace
            """
        return try rows(sql, table).first?[0].text
    }

    func triggers(on table: String) throws(StoreError) -> [TriggerDescription] {
        try triggers("lower(c.relname) = lower(?)", table)
    }

    func triggers(beginning prefix: String) throws(StoreError) -> [TriggerDescription] {
        try triggers("starts_with(lower(t.tgname), lower(?))", prefix)
    }

    private func triggers(_ condition: SQL, _ argument: String) throws(StoreError) -> [TriggerDescription] {
        let sql: SQL = """
            SELECT t.tgname, c.relname, \(PostgresHistory.functionText), t.tgtype & 2 <> 0, p.proname, pg_get_triggerdef(t.oid), \
            pg_get_functiondef(p.oid) FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid \
            JOIN pg_proc AS p ON p.oid = t.tgfoid \
            WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND NOT t.tgisinternal \
            AND NOT starts_with(t.tgname, 'po_change_') AND \(condition) ORDER BY c.relname, t.tgname
            """
        return try rows(sql, argument).compactMap { row in
            guard let name = row[0].text, let table = row[1].text, let body = row[2].text else { return nil }
            let isOfOneName = row[4].text == name
            let text =
                !isOfOneName
                ? "\(row[6].text ?? ""); \(row[5].text ?? "")"
                : (PostgresHistory.existing(name, on: table, body: body)
                    ?? PostgresSearch.existing(name, on: table, body: body))?.text
                    ?? PostgresTriggers.definition(name, on: table, isBefore: row[3] == .integer(1), body: body).text
            return TriggerDescription(name: name, table: table, text: text)
        }
    }

    private static let indexTables: SQL = """
        pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS c ON c.oid = x.indrelid
        """

    /// Selects the references of all tables, with their columns and targets.
    private static let references: SQL = """
        SELECT c.relname, a.attname, r.relname, k.confdeltype::text, f.attname, array_length(k.conkey, 1) \
        FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid JOIN pg_class AS r ON r.oid = k.confrelid \
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.conkey[1] \
        JOIN pg_attribute AS f ON f.attrelid = r.oid AND f.attnum = k.confkey[1] \
        WHERE k.contype = 'f' AND c.relnamespace = quote_ident(current_schema())::regnamespace
        """

    private func rows(_ sql: SQL, _ argument: String? = nil) throws(StoreError) -> [[DatabaseValue]] {
        let statement = try connection.statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        var rows: [[DatabaseValue]] = []
        do {
            if let argument { try statement.bind(argument, at: 1) }
            while try statement.step() {
                rows.append(try (0..<statement.columnCount).map { try statement.column($0).value() })
            }
        } catch let fault as ValueFault { throw StoreError.value(fault).at(sql: sql.text) } catch let error
            as StoreError
        {
            throw error
        } catch { throw StoreError(.sqlite, "\(error)") }
        return rows
    }
}

extension DatabaseValue {
    fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}
