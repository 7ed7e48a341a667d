internal import CSQLite

/// SQLite's interpretation of a number's digits: it rounds one in thousands of fractions incorrectly.
enum DigitReader {
    static func read(_ digits: String) -> Double? {
        var connection: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close_v2(connection)
        }
        guard sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
            sqlite3_prepare_v2(connection, "SELECT " + digits, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return sqlite3_column_double(statement, 0)
    }
}
