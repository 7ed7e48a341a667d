internal import StoreEngine

// Many new rows at once, in the form that costs the server, and us, least.
extension PostgresConnection {
    /// From how many rows on COPY, which takes two round trips more, is quicker than statements.
    private static let leastCopied = 2000

    /// Inserts rows by COPY; false where they have to go in by statements.
    func copy(_ rows: any RowInsertion) throws -> Bool {
        // For all rows together the limit of time for a statement would be another one.
        guard session.delivery.isOn, rows.rowCount >= PostgresConnection.leastCopied, timeLimit == 0,
            let target = rows.target
        else { return false }
        let names = (target.constant.map { [$0.column] } ?? []) + target.columns
        let table: SQL = "\(name: target.table)"
        let sql: SQL = "COPY \(table) (\(names: names)) FROM STDIN (FORMAT BINARY)"
        let types: [PostgresType]
        do throws(StoreError) {
            // Others may have changed what the columns are, but not since the transaction began.
            let asked: SQL = "SELECT \(names: names) FROM \(table) LIMIT 0"
            let answer = try session.run([.text(asked.text)], asked.text).last
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
        } catch  where copy.hasMisfit {
            var error = StoreError(.typeMismatch, "A value has another type than its column", sql: sql.text)
            error.repetition = .oneByOne
            session.end = error
            throw error
        }
        return true
    }
}
