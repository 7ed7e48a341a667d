internal import StoreEngine

/// Compares rows with recorded changes, before and after they are written.
struct RowCheck {
    private let connection: PostgresConnection
    private let tables: [String: RecordedTable]
    private let net: NetChanges

    init(_ connection: PostgresConnection, _ tables: [String: RecordedTable], _ net: NetChanges) {
        (self.connection, self.tables, self.net) = (connection, tables, net)
    }

    private var byTable: [(table: RecordedTable, rows: [NetChanges.Row])] {
        Dictionary(grouping: net.rows, by: \.table).sorted { $0.key < $1.key }.compactMap { name, rows in
            tables[name].map { ($0, rows) }
        }
    }

    private static func conflict(_ kind: ChangeConflict.Kind, _ row: NetChanges.Row) -> ChangeConflict {
        ChangeConflict(kind: kind, table: row.table, key: row.number)
    }

    // MARK: Rows

    /// Checks that the rows have the values from which they are changed.
    func checkBefore() throws {
        try forEach { row, now in
            guard let from = row.from else {
                if now != nil { throw RowCheck.conflict(.exists, row) }
                return
            }
            guard let now else { throw RowCheck.conflict(.rowDeleted, row) }
            let names = row.isWhole ? from.map(\.name) : row.updated
            guard names.allSatisfy({ from[$0] == now[$0] }) else { throw RowCheck.conflict(.changed, row) }
        }
    }

    /// Checks that the rows have the values to which they were changed.
    func checkAfterwards() throws {
        try forEach { row, now in
            let names = row.isWhole ? row.to?.map(\.name) ?? [] : row.updated
            guard (row.to == nil) == (now == nil), names.allSatisfy({ row.to?[$0] == now?[$0] }) else {
                throw StoreError(
                    .unsupported,
                    "A trigger or a foreign key that does not belong to the library changes rows of the table "
                        + "\(row.table) while they are restored, so they cannot be restored exactly. Nothing was changed. "
                        + "Let the trigger do nothing if current_setting('po.undoing', true) is '1'")
            }
        }
    }

    /// Calls `body` with each changed row and its current columns, which are nil if it does not exist.
    private func forEach(_ body: (NetChanges.Row, [RecordedRow.Column]?) throws -> Void) throws {
        for (table, rows) in byTable {
            let isWhole = rows.contains { $0.from == nil || $0.to == nil || $0.isWhole }
            let updated = Set(rows.lazy.flatMap(\.updated))
            let columns = table.columns.filter { column in
                isWhole || updated.contains(column.token[...]) || table.keys.contains { $0.name == column.name }
            }
            var found: [[UInt8]: [RecordedRow.Column]] = [:]
            let sql: SQL = """
                SELECT row_to_json("po t")::text FROM (SELECT \(names: columns.map(\.name)) \
                FROM \(name: table.name)) AS "po t" \
                JOIN json_populate_recordset(NULL::\(table.rowType), ?::text::json) AS "po k" \
                ON \(RowCheck.isSame(table.keys.map(\.name), "po t", "po k"))
                """
            for row in try read(sql, RecordedRow.list(rows.map { RecordedRow($0.key).json })) {
                let columns = row.columns
                if let key = RecordedRow.key(columns, table.keyTokens) { found[key] = columns }
            }
            for row in rows { try body(row, found[row.key.keyBytes]) }
        }
    }

    // MARK: References

    /// Checks that only rows that are written, too, refer to the rows that are deleted, even if they are inserted again.
    func checkReferrers() throws {
        for (table, rows) in byTable {
            let gone = rows.filter { $0.isWhole && $0.from != nil }
            if gone.isEmpty { continue }
            for referrer in table.referrers {
                guard let target = table.columns.first(where: { $0.name == referrer.targetColumn }) else { continue }
                let values = gone.compactMap { row in
                    row.from?[target.token[...]].map {
                        RecordedRow([RecordedRow.Column(name: target.token[...], value: $0)]).json
                    }
                }
                let columns = referrer.keys + (referrer.keys.contains(referrer.column) ? [] : [referrer.column])
                let sql: SQL = """
                    SELECT row_to_json("po c")::text FROM (SELECT \(names: columns) FROM \
                    \(raw: RawSQL(referrer.sql))) AS "po c" \
                    JOIN json_populate_recordset(NULL::\(table.rowType), ?::text::json) AS "po k" \
                    ON "po c".\(name: referrer.column) = "po k".\(name: referrer.targetColumn)
                    """
                for row in try read(sql, RecordedRow.list(values)) {
                    try check(row.columns, referrer, gone, target)
                }
            }
        }
    }

    /// Checks a row that refers to a row that is deleted.
    private func check(
        _ columns: [RecordedRow.Column], _ referrer: RecordedTable.Referrer, _ gone: [NetChanges.Row],
        _ target: RecordedTable.Column
    ) throws {
        let link = columns.first { $0.name.elementsEqual(RowCheck.token(referrer.column)) }
        let key = RecordedRow.key(columns, referrer.keys.map(RowCheck.token))
        if let row = net.row(referrer.table, key) {
            // A deleted row is not needed, and an inserted row is written in any case.
            guard let to = row.to, !row.isWhole else { return }
            if let link, let value = to[link.name], value != link.value { return }
        }
        guard let row = gone.first(where: { $0.from?[target.token[...]] == link?.value }) else { return }
        throw RowCheck.conflict(.referredTo(by: referrer.table), row)
    }

    /// Throws the conflict of a changed row whose reference dangles.
    func checkTargets() throws {
        for (table, rows) in byTable {
            for (column, target) in try connection.schema.foreignKeys(of: table.name) {
                let sql: SQL = """
                    SELECT row_to_json("po t")::text FROM \(name: table.name) AS "po t" \
                    JOIN json_populate_recordset(NULL::\(table.rowType), ?::text::json) AS "po k" \
                    ON \(RowCheck.isSame(table.keys.map(\.name), "po t", "po k")) \
                    WHERE "po t".\(name: column) IS NOT NULL AND NOT EXISTS (SELECT FROM \(name: target) AS "po r" \
                    WHERE "po r"."id" = "po t".\(name: column))
                    """
                let keys = RecordedRow.list(rows.filter { $0.to != nil }.map { RecordedRow($0.key).json })
                guard let row = try read(sql, keys).first,
                    let found = net.row(table.name, row.key(table.keyTokens))
                else { continue }
                throw RowCheck.conflict(.targetDeleted, found)
            }
        }
    }

    // MARK: Statements

    /// The condition that rows of two tables have the same values.
    static func isSame(_ columns: [String], _ one: String, _ other: String) -> SQL {
        let conditions = columns.map { "\(column: $0, of: one) = \(column: $0, of: other)" as SQL }
        return "\(list: conditions, separator: " AND ")"
    }

    /// A name in quotes, as in JSON.
    private static func token(_ name: String) -> [UInt8] { JSONWriter.bytes(of: .text(name)) }

    private func read(_ sql: SQL, _ rows: String) throws -> [RecordedRow] {
        try connection.recordedRows(connection.statement(sql), rows)
    }
}

extension RecordedRow {
    /// The JSON of some columns.
    func part(_ names: [[UInt8]]) -> [UInt8] {
        RecordedRow(columns.filter { column in names.contains { column.name.elementsEqual($0) } }).json
    }
}
