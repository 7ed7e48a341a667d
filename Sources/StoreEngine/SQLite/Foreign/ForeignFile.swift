// Foreign: reads database files of other programs, and never writes them. It knows tables, columns and values, and
// must not know their meaning in any program.

internal import CSQLite

/// A database file of another program, opened as read-only.
///
/// It is hardened like a store, because its origin is unknown.
package final class ForeignFile {
    private let handle: OpaquePointer
    /// The path of the file.
    package let path: String

    /// Opens a file.
    ///
    /// - Throws: `StoreError` if it does not exist, or is not a database.
    package init(_ path: String) throws {
        try ProcessCopy.check()
        self.path = path
        let location = StoreLocation.file(path: path)
        let size = try location.checkBeforeOpening(expecting: nil, allowsLinks: true)
        guard size > 0 else {
            throw StoreError(.cannotOpen, "Cannot open \(path): the file does not exist or is empty")
        }
        do throws(StoreError) { handle = try ForeignFile.open(path, size) } catch { throw location.describing(error) }
        try harden()
    }

    deinit { sqlite3_close_v2(handle) }

    private static func open(_ path: String, _ size: Int) throws(StoreError) -> OpaquePointer {
        let handle = try connect(path, 0)
        do throws(StoreError) {
            let header = FileHeader(handle, path: path)
            try header?.check(size: size)
            // Without a log the file is complete. If it were opened as a file that may have a log, SQLite would create
            // an empty log next to it, which fails if the folder is not writable.
            guard try header?.usesLog() == true, header?.hasLog == false else { return handle }
        } catch {
            sqlite3_close_v2(handle)
            throw error
        }
        sqlite3_close_v2(handle)
        return try connect(UnchangedFile.immutableName(path), SQLITE_OPEN_URI)
    }

    private static func connect(_ name: String, _ further: Int32) throws(StoreError) -> OpaquePointer {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(name, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | further, nil)
        guard code == SQLITE_OK, let handle else {
            let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(handle)
            throw .engine(code, message: message)
        }
        sqlite3_extended_result_codes(handle, 1)
        return handle
    }

    private func harden() throws {
        for (option, isOn) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1 as Int32), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
        ] {
            let code = po_sqlite3_db_config_flag(handle, option, isOn)
            guard code == SQLITE_OK else {
                throw StoreError.engine(code, message: "SQLite does not accept option \(option)")
            }
        }
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        _ = try rows("PRAGMA cell_size_check = ON")
    }

    private var failure: StoreError {
        .engine(sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
    }
}

// The contents of the file.
extension ForeignFile {
    /// The columns of each table in order, by the table's name.
    package func tables() throws -> [String: [String]] {
        var tables: [String: [String]] = [:]
        for row in try rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
            guard case .text(let name) = row[0] else { continue }
            tables[name] = try rows("SELECT name FROM pragma_table_info(?)", [.text(name)]).compactMap { row in
                if case .text(let column) = row[0] { column } else { nil }
            }
        }
        return tables
    }

    /// Calls `body` with the values of each row of a statement. Text that is not UTF-8 is passed as bytes.
    package func forEach(
        _ sql: SQL, _ arguments: [DatabaseValue] = [], _ body: ([DatabaseValue]) throws -> Void
    ) throws {
        try read(sql, arguments, body)
    }

    /// All rows of a statement, for small results.
    package func rows(_ sql: SQL, _ arguments: [DatabaseValue] = []) throws -> [[DatabaseValue]] {
        var rows: [[DatabaseValue]] = []
        try read(sql, arguments) { rows.append($0) }
        return rows
    }

    private func read(
        _ sql: SQL, _ arguments: [DatabaseValue], _ body: ([DatabaseValue]) throws -> Void
    ) throws {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql.text, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw failure.at(sql: sql.text)
        }
        defer { sqlite3_finalize(statement) }
        for (index, argument) in arguments.enumerated() {
            guard ForeignFile.bind(argument, to: statement, at: Int32(index + 1)) == SQLITE_OK else {
                throw failure.at(sql: sql.text)
            }
        }
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw failure.at(sql: sql.text) }
            try body((0..<sqlite3_column_count(statement)).map { ForeignFile.value(statement, $0) })
        }
    }

    private static func bind(_ value: DatabaseValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .real(let number): sqlite3_bind_double(statement, index, number)
        case .text(let text): po_sqlite3_bind_text_copied(statement, index, text, UInt64(text.utf8.count))
        case .blob(let bytes):
            bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { po_sqlite3_bind_blob_copied(statement, index, $0, UInt64(bytes.count)) }
                    ?? sqlite3_bind_zeroblob(statement, index, 0)
            }
        }
    }

    private static func value(_ statement: OpaquePointer, _ index: Int32) -> DatabaseValue {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(statement, index) else { return .null }
            let count = Int(sqlite3_column_bytes(statement, index))
            let bytes = UnsafeBufferPointer(start: start, count: count)
            return String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .blob(Array(bytes))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(statement, index)
            let count = Int(sqlite3_column_bytes(statement, index))
            return .blob(Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
        default: return .null
        }
    }
}
