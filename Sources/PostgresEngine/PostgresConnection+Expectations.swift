internal import StoreEngine

// Rows that are written without reading them first. The same round trip verifies that they have the known versions.
extension PostgresConnection {
    /// Makes the transaction fail if rows that it will update are gone, or newer than the known versions.
    ///
    /// The rows are locked until the transaction ends.
    func expect(_ rows: any RowUpdates) throws {
        guard rows.rowCount > 0 else { return }
        guard let table = rows.table else { return try confirmNothingIsNew() }
        let divide = session.snapshots.isAssuming ? session.snapshots.divide : nil
        if divide == nil { try confirmNothingIsNew() }
        // xmin has the low 32 bits of the id of the transaction that has written a row.
        let isOlder: SQL =
            divide == nil ? "" : " AND (? - xmin::text::bigint & 4294967295) BETWEEN 1 AND 2147483648"
        let statement = try statement(
            """
            SELECT po_expect(count(*), ?) FROM (SELECT 1 FROM \(name: table) \
            WHERE "id" = ANY(?::bigint[])\(isOlder) FOR NO KEY UPDATE) AS found
            """)
        defer { statement.finish() }
        var row = 0
        while row < rows.rowCount {
            let end = min(row + 10_000, rows.rowCount)
            statement.beginBinding()
            do throws(ValueFault) {
                try statement.bind(Int64(end - row), at: 1)
                try statement.bind(list: (row..<end).map { rows.id(of: $0) }, at: 2)
                if let divide { try statement.bind(Int64(divide), at: 3) }
            } catch { throw StoreError.value(error) }
            try statement.send()
            row = end
        }
    }

    /// Throws if other sessions have committed between the last read and the start of the transaction.
    private func confirmNothingIsNew() throws(StoreError) {
        try confirmBeginning()
        guard session.snapshots.isAssuming else { return }
        var error = StoreError(.staleObject, "Another session changed the rows after they were read")
        error.repetition = .afterReading
        session.end = error
        throw error
    }
}
