internal import CSQLite

/// The scan statistics of a statement.
package struct StatementScans: Sendable {
    /// The number of rows read sequentially, without an index.
    package var rows = 0
    /// The number of sort operations.
    package var sorts = 0
    /// The number of rows in automatic indexes, created for this one run.
    package var indexedRows = 0

    /// Creates empty statistics.
    package init() {}
}

extension Statement {
    /// The statistics of the statement since the last call; empty if the engine does not count.
    package func takeScans() -> StatementScans {
        var scans = StatementScans()
        guard let handle else { return foreign?.takeScans() ?? scans }
        scans.rows = Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1))
        scans.sorts = Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_SORT, 1))
        scans.indexedRows = Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_AUTOINDEX, 1))
        return scans
    }
}
