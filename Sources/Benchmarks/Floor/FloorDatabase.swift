import CSQLite

/// A hand-written connection with the settings of the library's stores.
final class FloorDatabase {
    private var handle: OpaquePointer?
    private var statements: [FloorStatement] = []

    /// Opens or creates the file.
    ///
    /// - Parameter noMutex: Whether to open it without SQLite's own mutex.
    init(_ path: String, noMutex: Bool) throws {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | (noMutex ? SQLITE_OPEN_NOMUTEX : 0)
        try check(sqlite3_open_v2(path, &handle, flags, nil), handle)
        // Other connections may already be writing if several are opened at once.
        try execute("PRAGMA busy_timeout=60000")
        try execute("PRAGMA journal_mode=WAL")
        try execute("PRAGMA synchronous=FULL")
        try execute("PRAGMA cache_size=-64000")
        try execute("PRAGMA foreign_keys=ON")
        try execute("PRAGMA mmap_size=0")
    }

    /// Finalizes all statements and closes the connection.
    func close() {
        for statement in statements { statement.finalize() }
        statements = []
        sqlite3_close_v2(handle)
        handle = nil
    }

    deinit { close() }

    /// Runs statements that return no rows.
    func execute(_ sql: String) throws {
        try check(sqlite3_exec(handle, sql, nil, nil, nil), handle)
    }

    /// Prepares a statement, which is kept until the database closes.
    func prepare(_ sql: String) throws -> FloorStatement {
        var prepared: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil), handle)
        guard let prepared else { throw FloorError(code: SQLITE_MISUSE, message: "no statement in \(sql)") }
        let statement = FloorStatement(handle: prepared)
        statements.append(statement)
        return statement
    }

    /// The first column of the first row.
    func text(_ sql: String) throws -> String? {
        let statement = try prepare(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.optionalText(0) : nil
    }

    /// Runs `body` in a transaction.
    func inTransaction(_ body: () throws -> Void) throws {
        try execute("BEGIN IMMEDIATE")
        do {
            try body()
            try execute("COMMIT")
        } catch {
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// The id of the last inserted row.
    var lastInsertedID: Int64 { sqlite3_last_insert_rowid(handle) }
}

/// An error of SQLite.
struct FloorError: Error, CustomStringConvertible {
    let code: Int32
    let message: String

    var description: String { "SQLite error \(code): \(message)" }
}

/// Throws unless SQLite's result code is OK.
@inline(__always)
func check(_ code: Int32, _ database: OpaquePointer?) throws {
    guard code == SQLITE_OK else {
        throw FloorError(code: code, message: String(cString: sqlite3_errmsg(database)))
    }
}
