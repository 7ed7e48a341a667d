internal import CSQLite

/// Verifies that damage is in the file before it is reported.
///
/// A transient disk error looks the same, and would make users restore a backup unnecessarily.
enum SecondLook {
    /// The number of steps between two checks of the clock.
    private static let stepsBetweenLooks: Int32 = 10_000
    /// The maximum duration of the check. If a large file takes longer, the damage is reported, because it may be real.
    private static let patience = Duration.seconds(10)

    /// Returns the error if the file may be damaged. If the file is sound, drops the connection's cached pages and
    /// returns an error that reports a transient failure.
    static func checked(_ error: StoreError, _ connection: OpaquePointer) -> StoreError {
        // The extended codes concern indexes and modules' tables, whose contents a quick check does not verify.
        guard error.code == .corrupt || error.code == .notADatabase,
            error.resultCode == SQLITE_CORRUPT || error.resultCode == SQLITE_NOTADB, isSound(connection)
        else { return error }
        sqlite3_db_release_memory(connection)
        return StoreError(
            .inputOutput,
            "The disk returned data that a second read did not confirm; the file itself is intact. Try again, and "
                + "check the disk",
            sql: error.sql, resultCode: error.resultCode)
    }

    /// Whether another connection finds no problem in the same file.
    private static func isSound(_ connection: OpaquePointer) -> Bool {
        guard let path = sqlite3_db_filename(connection, "main"), path.pointee != 0 else { return false }
        var fresh: OpaquePointer?
        defer { sqlite3_close_v2(fresh) }
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
        guard SealedFile.open(like: connection, String(cString: path), &fresh, flags) == SQLITE_OK, let fresh
        else { return false }
        // The second connection treats the schema as strictly as the first.
        for option in [SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL] {
            guard po_sqlite3_db_config_flag(fresh, option, 0) == SQLITE_OK else { return false }
        }
        guard sqlite3_exec(fresh, "PRAGMA cell_size_check = ON", nil, nil, nil) == SQLITE_OK else { return false }
        var end = ContinuousClock.now + patience
        return withUnsafeMutablePointer(to: &end) { end in
            sqlite3_progress_handler(
                fresh, stepsBetweenLooks,
                { context in
                    guard let end = context?.assumingMemoryBound(to: ContinuousClock.Instant.self) else { return 0 }
                    return ContinuousClock.now >= end.pointee ? 1 : 0
                }, end)
            defer { sqlite3_progress_handler(fresh, 0, nil, nil) }
            var statement: OpaquePointer?
            defer { sqlite3_finalize(statement) }
            guard sqlite3_prepare_v2(fresh, "PRAGMA quick_check(1)", -1, &statement, nil) == SQLITE_OK,
                sqlite3_step(statement) == SQLITE_ROW, let words = sqlite3_column_text(statement, 0)
            else { return false }
            return String(cString: words) == "ok"
        }
    }
}
