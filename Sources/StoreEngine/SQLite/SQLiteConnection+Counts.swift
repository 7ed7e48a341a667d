internal import CSQLite

// SQLite's counters.
extension SQLiteConnection {
    /// The id of the last inserted row.
    @inlinable
    package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The number of rows that the last statement changed.
    @inlinable
    package var changedRowCount: Int { Int(sqlite3_changes(handle)) }

    /// The number of rows that all statements, including their triggers, have changed.
    package var totalChangedRowCount: Int64 { sqlite3_total_changes64(handle) }

    /// A number that changes once any connection, including this one, has committed a change; read it inside a
    /// transaction or while a statement is on a row.
    @inlinable
    package var dataVersion: UInt32 {
        var version: UInt32 = 0
        // Nil is "main", which SQLite would look up by name.
        sqlite3_file_control(handle, nil, SQLITE_FCNTL_DATA_VERSION, &version)
        return version
    }

    /// Whether the open transaction has dangling references, so that its commit would fail.
    package var hasBrokenForeignKeys: Bool {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return current != 0
    }

    /// The number of statements that are not finished by their users; 0 between calls.
    package var busyStatementCount: Int {
        var count = 0
        var next = sqlite3_next_stmt(handle, nil)
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0 { count += 1 }
            next = sqlite3_next_stmt(handle, statement)
        }
        return count
    }

    /// The number of runs of the connection's cached statements, counted by SQLite, so that the hot path needs no
    /// counter. Finalized statements no longer count.
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
