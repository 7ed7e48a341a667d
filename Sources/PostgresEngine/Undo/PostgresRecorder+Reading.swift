internal import StoreEngine

// The recorded rows as JSON, which only an undo or a redo needs. The server reads its own text and writes the JSON.
extension PostgresRecorder {
    /// The size of the rows that are sent to the server together.
    private static let partSize = 1 << 24

    /// - Throws: `ChangeConflict` if a table has other columns.
    func read(_ changes: TakenStatements) throws -> RecordedStatements {
        let names = Set(changes.statements.map(\.table.name))
        guard !names.isEmpty else { return RecordedStatements([]) }
        let tables = try RecordedTable.read(names, connection)
        return RecordedStatements(
            try changes.statements.compactMap { statement in
                let taken = statement.table
                guard let table = tables[taken.name], let columns = columns(of: table, taken) else {
                    throw ChangeConflict(kind: .altered, table: taken.name, key: nil)
                }
                let read = RecordedStatement(taken.name, statement.operation, table.keyTokens).with(
                    old: try rows(statement.old, table, columns), new: try rows(statement.new, table, columns))
                guard let paired = read.paired() else {
                    throw StoreError(.unsupported, "The server has recorded an update of \(taken.name) incompletely")
                }
                return paired.isEmpty ? nil : paired
            })
    }

    /// The columns of recorded rows; nil if one of them does not exist any more or was renamed, or if the
    /// table has another key.
    ///
    /// A new column has a higher number than all columns before it.
    private func columns(of table: RecordedTable, _ taken: TakenStatement.Table) -> [RecordedTable.Column]? {
        let columns = table.columns.filter { $0.number <= taken.columnCount }
        guard table.oid == taken.oid, columns.map(\.token) == taken.fields, table.keyPlaces == taken.keys else {
            return nil
        }
        return columns
    }

    private func rows(
        _ bytes: [UInt8], _ table: RecordedTable, _ columns: [RecordedTable.Column]
    ) throws -> [RecordedRow] {
        var rows: [RecordedRow] = []
        var (part, size): ([[UInt8]], Int) = ([], 0)
        func readPart() throws {
            if part.isEmpty { return }
            rows += try json(of: part, table, table.columns.count - columns.count)
            (part, size) = ([], 0)
        }
        for text in RowText.strings(bytes) {
            part.append(JSONWriter.bytes(of: .text(text)))
            size += text.utf8.count
            if size > PostgresRecorder.partSize { try readPart() }
        }
        try readPart()
        guard columns.count < table.columns.count else { return rows }
        let names = Set(columns.lazy.map { $0.token[...] })
        return rows.map { row in RecordedRow(row.columns.filter { names.contains($0.name) }) }
    }

    /// - Parameter missing: The number of the table's columns that the texts lack, because they were added later.
    private func json(of texts: [[UInt8]], _ table: RecordedTable, _ missing: Int) throws -> [RecordedRow] {
        let commas = String(repeating: ",", count: missing)
        let sql: SQL = """
            SELECT row_to_json((left("po r"."po t", -1) || \(raw: RawSQL("'\(commas))'")))::\(table.rowType))::text \
            FROM json_array_elements_text(?::text::json) WITH ORDINALITY AS "po r"("po t", "po n") \
            ORDER BY "po r"."po n"
            """
        // A replica may not have the last changes of the table.
        let rows = try connection.recordedRows(connection.prepare(sql), RecordedRow.list(texts))
        guard rows.count == texts.count else {
            throw StoreError(.unsupported, "The server has read \(rows.count) of \(texts.count) recorded rows")
        }
        return rows
    }
}
