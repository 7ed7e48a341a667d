internal import CSQLite

extension SQLiteConnection {
    /// How often the statements that the connection keeps have been run, as SQLite counts it: our own need no counter
    /// on their way. Those that were finalised meanwhile count no more.
    package var statementRunCount: Int {
        var count = 0
        var next = sqlite3_next_stmt(handle, nil)
        while let statement = next {
            count += Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_RUN, 0))
            next = sqlite3_next_stmt(handle, statement)
        }
        return count
    }
}
