internal import StoreEngine

// Bulk inserts by COPY, which is the cheapest form for the server and the client.
extension PostgresConnection {
    /// The number of rows from which COPY is faster than statements, although it takes two more round trips.
    private static let leastCopied = 2000

    /// Inserts rows by COPY; false if they must be inserted with statements.
    func copy(_ rows: any RowInsertion) throws -> Bool {
        // The time limit for a statement would apply to all rows together.
        guard session.delivery.isOn, rows.rowCount >= PostgresConnection.leastCopied, timeLimit == 0,
            let target = rows.target
        else { return false }
        let names = (target.constant.map { [$0.column] } ?? []) + target.columns
        let table: SQL = "\(name: target.table)"
        let sql: SQL = "COPY \(table) (\(names: names)) FROM STDIN (FORMAT BINARY)"
        let types: [PostgresType]
        do throws(StoreError) {
            // Other sessions may have changed the columns, but not since the transaction began.
            let probe: SQL = "SELECT \(names: names) FROM \(table) LIMIT 0"
            let answer = try session.run([.text(probe.text)], probe.text).last
            types = answer.map { answer in (0..<answer.columnCount).map(answer.type) } ?? []
        } catch { throw rows.located(error) }
        guard !types.isEmpty, types.allSatisfy(PostgresCopy.takes) else { return false }
        let copy = PostgresCopy(types, beginningWith: target.constant?.text)
        let statement = Statement(copy, sql: sql.text)
        var row = 0
        do {
            try session.copy(sql.text) {
                guard !copy.hasEnded else { return nil }
                copy.clear()
                while row < rows.rowCount, copy.bytes.count < 1 << 16 {
                    copy.beginBinding()
                    var index: Int32 = 1
                    try rows.bind(row, to: statement, at: &index)
                    row += 1
                }
                if row == rows.rowCount { copy.end() }
                return copy.bytes
            }
        } catch let error as StoreError where error.sql == sql.text {
            throw rows.located(error)
        } catch  where copy.hasMismatch {
            var error = StoreError(.typeMismatch, "A value has another type than its column", sql: sql.text)
            error.repetition = .oneByOne
            session.end = error
            throw error
        }
        return true
    }
}
