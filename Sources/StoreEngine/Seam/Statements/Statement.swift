// Statements: prepared statements, the values bound to them and the columns of their rows. It must not know connections
// and transactions.

internal import CSQLite
internal import Synchronization

/// One prepared statement: the only place where values are bound and columns are read.
///
/// Get a statement from `Connection.statement(_:)`, bind, step, and `finish()` it. A finished statement stays cached,
/// and a busy statement is never returned twice.
///
/// It contains SQLite's handle, or a statement of another engine, and distinguishes them once for each call, never for
/// each column of a row.
package final class Statement {
    /// SQLite's statement; nil for another engine.
    @usableFromInline let handle: OpaquePointer?
    /// Another engine's statement; nil for SQLite.
    @usableFromInline let foreign: (any ForeignStatement)?
    @usableFromInline let recovery: (any StatementRecovery)?
    @usableFromInline let counts: UnsafeMutablePointer<CallCounter.Counts>?
    /// Accessed by address, because the runtime would check each access to a property of the class (10 ns a binding).
    @usableFromInline let arena: UnsafeMutablePointer<TextArena>
    /// The distance of an SQLite row's values; 0 if it is not known.
    @usableFromInline let spacing: Int
    /// The text it was prepared from.
    package let sql: String
    /// Atomic, because the runtime would check each access to a plain property.
    private let busy = Atomic<Bool>(false)
    /// Whether it is in use.
    package var isBusy: Bool { busy.load(ordering: .relaxed) }
    /// The time of its last use, for the cache.
    var lastUse: UInt64 = 0

    init(_ handle: OpaquePointer, _ calls: CallCounter, _ recovery: any StatementRecovery, sql: String) {
        self.handle = handle
        foreign = nil
        self.recovery = recovery
        counts = calls.counts
        spacing = ColumnValues.spacing
        self.sql = sql
        arena = .allocate(capacity: 1)
        arena.initialize(to: TextArena())
    }

    /// Creates a statement of another engine.
    package init(_ foreign: any ForeignStatement, sql: String) {
        handle = nil
        self.foreign = foreign
        recovery = nil
        counts = nil
        spacing = 0
        self.sql = sql
        arena = .allocate(capacity: 1)
        arena.initialize(to: TextArena())
    }

    deinit {
        if !ProcessCopy.isThis { sqlite3_finalize(handle) }
        arena.deinitialize(count: 1)
        arena.deallocate()
    }

    /// Marks it as in use.
    package func take() { busy.store(true, ordering: .relaxed) }

    /// Resets and releases it.
    package func finish() {
        reset()
        busy.store(false, ordering: .relaxed)
    }

    /// Whether running it cannot change the database.
    package var isReadOnly: Bool {
        guard let handle else { return foreign?.isReadOnly ?? false }
        return sqlite3_stmt_readonly(handle) != 0 || sqlite3_stmt_isexplain(handle) != 0
    }

    /// The number of placeholders.
    package var placeholderCount: Int {
        guard let handle else { return foreign?.placeholderCount ?? 0 }
        return Int(sqlite3_bind_parameter_count(handle))
    }

    /// Advances to the next row; false if there is none.
    @inlinable @inline(__always)
    package func step() throws(StoreError) -> Bool {
        guard let handle else { return try foreign?.step() ?? false }
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        return try stepAgain(handle, code)
    }

    /// Runs a statement that returns no rows, and makes it ready for the next bindings.
    @inlinable
    package func run() throws(StoreError) {
        guard let handle else { return try runForeign() }
        let code = sqlite3_step(handle)
        sqlite3_reset(handle)
        guard code == SQLITE_DONE || code == SQLITE_ROW else {
            _ = try stepAgain(handle, code)
            sqlite3_reset(handle)
            return
        }
    }

    /// Like `run()`, for a statement whose number of changed rows is not needed.
    ///
    /// A transaction with batched statements may defer it.
    @inlinable
    package func send() throws(StoreError) {
        guard handle == nil else { return try run() }
        try sendForeign()
    }

    @usableFromInline
    func stepAgain(_ handle: OpaquePointer, _ code: Int32) throws(StoreError) -> Bool {
        try recovery?.step(handle, again: code, sql) ?? false
    }

    @usableFromInline
    func runForeign() throws(StoreError) {
        defer { foreign?.reset() }
        _ = try foreign?.step()
    }

    @usableFromInline
    func sendForeign() throws(StoreError) {
        defer { foreign?.reset() }
        try foreign?.send()
    }

    /// Makes it ready for the next bindings, in use as before.
    @inlinable
    package func reset() {
        if let handle { sqlite3_reset(handle) } else { foreign?.reset() }
    }
}

/// Handles failed steps of an SQLite statement.
@usableFromInline
protocol StatementRecovery: AnyObject {
    /// Retries a step if that may help; false if there is no row.
    ///
    /// - Throws: The error, if it does not help.
    func step(_ statement: OpaquePointer, again code: Int32, _ sql: String) throws(StoreError) -> Bool
}
