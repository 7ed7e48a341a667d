internal import CSQLite

// What SQLite knows.
extension SQLiteConnection {
    /// The id of the row inserted last.
    @inlinable
    package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// How many rows the last statement changed.
    @inlinable
    package var changedRowCount: Int { Int(sqlite3_changes(handle)) }

    /// How many rows all statements have changed, their triggers too.
    package var totalChangedRowCount: Int64 { sqlite3_total_changes64(handle) }

    /// A number that differs once anybody, this connection too, has committed a
    /// change; read it inside a transaction or while a statement is on a row.
    @inlinable
    package var dataVersion: UInt32 {
        var version: UInt32 = 0
        // Nil is "main", which SQLite would look for among the names.
        sqlite3_file_control(handle, nil, SQLITE_FCNTL_DATA_VERSION, &version)
        return version
    }

    /// Whether the open transaction has references to rows that are not there, so that its commit would fail.
    package var hasBrokenForeignKeys: Bool {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return current != 0
    }

    /// How many statements are prepared and not finished by their users; 0 between calls.
    package var busyStatementCount: Int {
        var count = 0
        var next = sqlite3_next_stmt(handle, nil)
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0 { count += 1 }
            next = sqlite3_next_stmt(handle, statement)
        }
        return count
    }

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
