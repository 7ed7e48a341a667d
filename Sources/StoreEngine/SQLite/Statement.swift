internal import CSQLite
internal import Synchronization

/// One prepared statement: the only place where values are bound and columns are read.
///
/// Take one from `SQLiteConnection.statement(_:)`, bind, step, and `finish()`
/// it: a finished statement goes on being kept, a busy one is never handed out
/// twice.
package final class Statement {
    @usableFromInline let handle: OpaquePointer
    @usableFromInline let connection: OpaquePointer
    @usableFromInline let interruption: Interruption
    /// By address, since the run time would watch each access to a variable of the class (10 ns a binding).
    @usableFromInline let arena: UnsafeMutablePointer<TextArena>
    /// The text it was prepared from.
    package let sql: String
    /// Atomic so that the run time need not watch it as a variable.
    private let busy = Atomic<Bool>(false)
    /// Whether somebody is using it.
    package var isBusy: Bool { busy.load(ordering: .relaxed) }
    /// When it was last taken, for the cache.
    var lastUse: UInt64 = 0

    init(_ handle: OpaquePointer, connection: OpaquePointer, _ interruption: Interruption, sql: String) {
        self.handle = handle
        self.connection = connection
        self.interruption = interruption
        self.sql = sql
        arena = .allocate(capacity: 1)
        arena.initialize(to: TextArena())
    }

    deinit {
        sqlite3_finalize(handle)
        arena.deinitialize(count: 1)
        arena.deallocate()
    }

    /// Marks it as in use.
    package func take() { busy.store(true, ordering: .relaxed) }

    /// Resets it and gives it back.
    package func finish() {
        sqlite3_reset(handle)
        busy.store(false, ordering: .relaxed)
    }

    /// Whether running it cannot change the file.
    package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 || sqlite3_stmt_isexplain(handle) != 0 }

    /// How many placeholders it has.
    package var placeholderCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    /// How many columns its rows have.
    package var columnCount: Int32 { sqlite3_column_count(handle) }

    /// The name of column `index`, from 0.
    package func columnName(_ index: Int32) -> String {
        sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
    }

    /// Goes to the next row; false when there is none.
    @inlinable @inline(__always)
    package func step() throws(StoreError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        return try stepAgain(after: code)
    }

    /// Runs a statement that gives no rows, and makes it ready for the next bindings.
    @inlinable
    package func run() throws(StoreError) {
        let code = sqlite3_step(handle)
        sqlite3_reset(handle)
        guard code == SQLITE_DONE || code == SQLITE_ROW else {
            _ = try stepAgain(after: code)
            sqlite3_reset(handle)
            return
        }
    }

    /// A statement is prepared again by its first step where the schema has changed; what that refused may be allowed
    /// now. All other errors are thrown.
    @usableFromInline
    func stepAgain(after code: Int32) throws(StoreError) -> Bool {
        let error = failure(code)
        guard code == SQLITE_ERROR, SearchTrust.isGiven(connection, after: error.message) else { throw error }
        sqlite3_reset(handle)
        let code = sqlite3_step(handle)
        guard code != SQLITE_DONE else { return false }
        guard code == SQLITE_ROW else {
            let error = failure(code)
            sqlite3_reset(handle)
            throw error
        }
        return true
    }

    /// Makes it ready for the next bindings, in use as before.
    @inlinable
    package func reset() { sqlite3_reset(handle) }

    @usableFromInline
    func failure(_ code: Int32) -> StoreError {
        // First of all, before anything else sets it; sqlite3_system_errno() does not have it for a commit.
        let systemError = StoreError.lastSystemError
        let extended = sqlite3_extended_errcode(connection)
        let message = String(cString: sqlite3_errmsg(connection))
        guard code & 0xff != SQLITE_INTERRUPT else { return interruption.error(sql: sql) }
        let exact = extended & 0xff == code & 0xff ? extended : code
        return .engine(exact, message: message, sql: sql, systemError: systemError)
    }
}

// Columns.
extension Statement {
    /// Column `index` of the row it stands on, from 0.
    @inlinable @inline(__always)
    package func column(_ index: Int32) -> ColumnValue {
        // Never nil: an index out of range gives SQLite's own static NULL value.
        ColumnValue(sqlite3_column_value(handle, index).unsafelyUnwrapped)
    }

    /// Column `index` as an integer, for results that this package computes itself (ids, counts).
    @inlinable @inline(__always)
    package func integer(_ index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }
}

// Bindings.
extension Statement {
    /// Begins a new round of bindings.
    @inlinable @inline(__always)
    package func beginBinding() {
        interruption.counts.pointee.runs &+= 1
        arena.pointee.reset()
    }

    @inlinable @inline(__always)
    package func bindNull(at index: Int32) throws(ValueFault) { try check(sqlite3_bind_null(handle, index)) }

    @inlinable @inline(__always)
    package func bind(_ value: Int64, at index: Int32) throws(ValueFault) {
        try check(sqlite3_bind_int64(handle, index, value))
    }

    /// Binds a number; NaN, which SQLite would turn into NULL, is refused.
    @inlinable
    package func bind(_ value: Double, at index: Int32) throws(ValueFault) {
        guard !value.isNaN else { throw .notStorable(reason: "NaN cannot be stored; use an optional and nil") }
        try check(sqlite3_bind_double(handle, index, value))
    }

    @inlinable
    package func bind(_ text: String, at index: Int32) throws(ValueFault) {
        if let code = text.utf8.withContiguousStorageIfAvailable({ bindText(UnsafeRawBufferPointer($0), index) }) {
            try check(code)
        } else {
            try check(Array(text.utf8).withUnsafeBytes { bindText($0, index) })
        }
    }

    @inlinable
    package func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32) throws(ValueFault) {
        guard let source = bytes.baseAddress, bytes.count > 0 else {
            return try check(sqlite3_bind_zeroblob(handle, index, 0))
        }
        let count = UInt64(bytes.count)
        guard let room = arena.pointee.room(for: bytes.count) else {
            return try check(po_sqlite3_bind_blob_copied(handle, index, source, count))
        }
        room.copyMemory(from: source, byteCount: bytes.count)
        try check(po_sqlite3_bind_blob_static(handle, index, room, count))
    }

    package func bind(_ value: DatabaseValue, at index: Int32) throws(ValueFault) {
        switch value {
        case .null: try bindNull(at: index)
        case .integer(let number): try bind(number, at: index)
        case .real(let number): try bind(number, at: index)
        case .text(let text): try bind(text, at: index)
        case .blob(let bytes):
            var fault: ValueFault?
            bytes.withUnsafeBytes { buffer in
                do throws(ValueFault) { try bind(blob: buffer, at: index) } catch { fault = error }
            }
            if let fault { throw fault }
        }
    }

    @inlinable
    func bindText(_ bytes: UnsafeRawBufferPointer, _ index: Int32) -> Int32 {
        // An empty text needs a pointer that is not NULL, else it is bound as NULL.
        guard let source = bytes.baseAddress, bytes.count > 0 else {
            let start = arena.pointee.start.assumingMemoryBound(to: CChar.self)
            return po_sqlite3_bind_text_static(handle, index, start, 0)
        }
        let count = UInt64(bytes.count)
        guard let room = arena.pointee.room(for: bytes.count) else {
            return po_sqlite3_bind_text_copied(handle, index, source.assumingMemoryBound(to: CChar.self), count)
        }
        room.copyMemory(from: source, byteCount: bytes.count)
        return po_sqlite3_bind_text_static(handle, index, room.assumingMemoryBound(to: CChar.self), count)
    }

    @inlinable @inline(__always)
    func check(_ code: Int32) throws(ValueFault) {
        guard code == SQLITE_OK else { throw .engine(code: code) }
    }
}
