internal import StoreEngine

// Notes for who develops: in release builds nothing is looked at.
extension Ask {
    /// Notes, once for each shape of a query, that an index would spare it to read many rows.
    @inline(__always)
    func noteScan(of statement: Statement, found: Int) {
        #if DEBUG
            let scans = statement.takeScans()
            guard scans.rows > found else { return }
            let line = session.store.scanNotes.line(statement.sql, scanned: scans.rows, found: found, plan.advice)
            if let line { session.store.configuration.onNote(line) }
        #endif
    }

    /// The same of a statement that has run and is kept.
    @inline(__always)
    func noteScan(of sql: SQL, found: Int) {
        #if DEBUG
            guard plan.advice.isUseful, let statement = try? session.connection.statement(sql) else { return }
            noteScan(of: statement, found: found)
            statement.finish()
        #endif
    }
}
