internal import CSQLite

/// A statement of a database in memory that contains nothing, to let SQLite evaluate an expression.
struct ScratchStatement: ~Copyable {
    let handle: OpaquePointer
    private let connection: OpaquePointer?

    /// Nil if the statement cannot be prepared.
    init?(_ sql: String) {
        var connection: OpaquePointer?
        var statement: OpaquePointer?
        guard sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
            sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement
        else {
            sqlite3_close_v2(connection)
            return nil
        }
        self.connection = connection
        handle = statement
    }

    deinit {
        sqlite3_finalize(handle)
        sqlite3_close_v2(connection)
    }

    /// Advances to the next row; false if there is none.
    func step() -> Bool { sqlite3_step(handle) == SQLITE_ROW }
}
