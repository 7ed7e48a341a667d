import CSQLite

/// The value that makes SQLite copy a string before the call returns.
private var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

/// A prepared statement. Placeholders are counted from 1, and columns from 0.
struct FloorStatement {
    fileprivate let handle: OpaquePointer

    init(handle: OpaquePointer) { self.handle = handle }

    /// Advances to the next row; false at the end.
    @inline(__always)
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            throw FloorError(code: code, message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
        }
    }

    /// Makes the statement ready for its next run.
    @inline(__always)
    func reset() { sqlite3_reset(handle) }

    /// Runs a statement that returns no rows.
    @inline(__always)
    func run() throws {
        defer { reset() }
        while try step() {}
    }

    func finalize() { sqlite3_finalize(handle) }
}

extension FloorStatement {
    @inline(__always)
    func bind(_ value: Int64, at position: Int32) throws {
        try check(sqlite3_bind_int64(handle, position, value), handle)
    }

    @inline(__always)
    func bind(_ value: Double, at position: Int32) throws {
        try check(sqlite3_bind_double(handle, position, value), handle)
    }

    @inline(__always)
    func bind(_ value: String, at position: Int32) throws {
        var value = value
        try value.withUTF8 { bytes in
            try bytes.withMemoryRebound(to: CChar.self) { text in
                // An empty string may have no address, which would bind NULL.
                let code =
                    text.isEmpty
                    ? sqlite3_bind_text(handle, position, "", 0, transient)
                    : sqlite3_bind_text(handle, position, text.baseAddress, Int32(text.count), transient)
                try check(code, handle)
            }
        }
    }

    @inline(__always)
    func bind(_ value: String?, at position: Int32) throws {
        if let value { try bind(value, at: position) } else { try check(sqlite3_bind_null(handle, position), handle) }
    }

    @inline(__always)
    func bind(_ value: Int?, at position: Int32) throws {
        if let value {
            try bind(Int64(value), at: position)
        } else {
            try check(sqlite3_bind_null(handle, position), handle)
        }
    }

    @inline(__always)
    private func check(_ code: Int32, _ statement: OpaquePointer) throws {
        guard code == SQLITE_OK else {
            throw FloorError(code: code, message: String(cString: sqlite3_errmsg(sqlite3_db_handle(statement))))
        }
    }
}

extension FloorStatement {
    @inline(__always)
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    @inline(__always)
    func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    @inline(__always)
    func text(_ column: Int32) -> String { optionalText(column) ?? "" }

    @inline(__always)
    func optionalText(_ column: Int32) -> String? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        // The string is read by its length, as in the library. `String(cString:)` makes a whole row 7 % faster, but
        // ends a string at its first NUL.
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    @inline(__always)
    func optionalReal(_ column: Int32) -> Double? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : real(column)
    }

    @inline(__always)
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    @inline(__always)
    func optionalInteger(_ column: Int32) -> Int? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : Int(integer(column))
    }
}
