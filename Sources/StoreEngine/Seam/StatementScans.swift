internal import CSQLite

/// How a statement has gone about its work.
package struct StatementScans: Sendable {
    /// How many rows were read one after the other, no index leading to them.
    package var rows = 0
    /// How often rows were sorted.
    package var sorts = 0
    /// How many rows went into an index that was made for this one run.
    package var indexedRows = 0

    /// Nothing yet.
    package init() {}
}

extension Statement {
    /// What the statement has done since it was last asked; nothing where the engine does not count.
    package func takeScans() -> StatementScans {
        var scans = StatementScans()
        guard let handle else { return foreign?.takeScans() ?? scans }
        scans.rows = Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1))
        scans.sorts = Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_SORT, 1))
        scans.indexedRows = Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_AUTOINDEX, 1))
        return scans
    }
}
