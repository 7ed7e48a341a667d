// SQLite: hardened connections, their functions, and the maintenance of files. It knows SQL and files, and must not
// know user classes. Otherwise only the seam's statements, columns and function calls use SQLite's C interface.

internal import CSQLite

/// One connection to one database, opened hardened, without SQLite's own mutex.
///
/// This layer handles SQL and files, and no user classes. A connection belongs to one session at a time, which keeps
/// threads apart; it must not be used from two threads at once.
package final class SQLiteConnection: Connection {
    @usableFromInline let handle: OpaquePointer
    /// The location of the database.
    package let location: StoreLocation
    /// The identity of the file; nil in memory.
    package let fileIdentity: FileIdentity?
    /// Whether it was opened as read-only; `writeRefusal` is then the reason.
    package let isReadOnly: Bool
    /// The options with which it was opened.
    let options: ConnectionOptions
    @usableFromInline let interruption: Interruption
    let recursion: TriggerRecursion
    /// The SQL dialect of its statements.
    package let dialect = Dialect.sqlite
    var cache = StatementCache()
    /// A separate cache, because a user statement with the same text may fire any trigger.
    var batches = StatementCache()
    var beginImmediate: Statement?
    var beginDeferred: Statement?
    var commitStatement: Statement?
    var rollbackStatement: Statement?
    var savepoint = SavepointStatements()
    var keptSchema = KeptSchema()
    /// The signature of the entries that triggers write.
    let signature = EntrySignature()
    /// The reason that an abandoned transaction is still open.
    var leftOpen: StoreError?
    var tracer: StatementTracer?
    let statementGuard = StatementGuard()
    /// The reason that the file is read-only; nil if it can be written.
    package internal(set) var writeRefusal: StoreError?
    /// Whether commits go to a write-ahead log, as this connection has requested.
    var usesLog = false
    /// The log of the current transaction's writes; nil if there is no log.
    package internal(set) var rowLog: RowLog?

    /// Opens the database; a missing or empty file becomes a store.
    ///
    /// If `expected` is the identity of the file that an earlier connection opened, a file that has replaced it is
    /// rejected, and none is created.
    package init(
        _ location: StoreLocation, options: ConnectionOptions, expecting expected: FileIdentity? = nil
    ) throws(StoreError) {
        self.location = location
        try ProcessCopy.check()
        try SQLiteConnection.check(options.file, of: location)
        try SQLiteConnection.checkForm(options.file, of: location)
        self.options = options
        isReadOnly = options.file.isReadOnly
        ProcessCopy.recordOpening()
        do throws(StoreError) { handle = try SQLiteConnection.open(location, options, expecting: expected) } catch {
            ProcessCopy.recordClosing()
            throw error
        }
        fileIdentity = location.fileIdentity
        if let fileIdentity { OpenFiles.recordOpening(fileIdentity) }
        writeRefusal = isReadOnly ? SQLiteConnection.readOnlyByChoice : nil
        recursion = TriggerRecursion(handle)
        interruption = Interruption(handle, recursion, timeout: options.queryTimeout)
        statementGuard.recursion = recursion
        do throws(StoreError) {
            try harden(options)
            // Functions are registered before the first cached statement is prepared, because a new function makes
            // SQLite prepare it again.
            try register(options.additions)
            statementGuard.watch(handle)
            try becomeStore(options)
            interruption.watch()
        } catch {
            // `deinit` does not run for an object whose initializer throws before all properties are set; here all are
            // set, and it runs.
            throw location.describing(isReadOnly ? SQLiteConnection.advisedForReading(error) : error)
        }
    }

    deinit {
        guard !ProcessCopy.isThis else { return }
        // A statement may outlive the connection, but these closures do not.
        sqlite3_trace_v2(handle, 0, nil, nil)
        sqlite3_set_authorizer(handle, nil, nil)
        sqlite3_update_hook(handle, nil, nil)
        sqlite3_progress_handler(handle, 0, nil, nil)
        sqlite3_busy_handler(handle, nil, nil)
        cache.removeAll()
        batches.removeAll()
        beginImmediate = nil
        beginDeferred = nil
        commitStatement = nil
        rollbackStatement = nil
        savepoint = SavepointStatements()
        sqlite3_close_v2(handle)
        ProcessCopy.recordClosing()
        if let fileIdentity { OpenFiles.recordClosing(fileIdentity) }
        if usesLog, let fileIdentity { ExitCheckpoint.recordClosing(fileIdentity) }
    }

    private static func open(
        _ location: StoreLocation, _ options: ConnectionOptions, expecting expected: FileIdentity?,
        attempts: Int = 5
    ) throws(StoreError) -> OpaquePointer {
        let isReadOnly = options.file.isReadOnly
        let size = try location.checkBeforeOpening(expecting: expected, allowsLinks: isReadOnly)
        if options.leavesNoTrace, isReadOnly, case .file(let path) = location {
            return try UnchangedFile(path, size: size).open()
        }
        if expected == nil, !isReadOnly { try location.makeFile(options.filePermissions) }
        var handle: OpaquePointer?
        let creation = expected == nil && !isReadOnly ? SQLITE_OPEN_CREATE : 0
        let flags = (isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | creation | SQLITE_OPEN_NOMUTEX
        let form = options.file.form
        let code = SealedFile.open(location.sqliteName, &handle, flags, vfs: location.vfs, form)
        guard code == SQLITE_OK, let handle else {
            let message = handle.map { SQLiteConnection.openingMessage($0) } ?? "out of memory"
            sqlite3_close_v2(handle)
            let error = StoreError.engine(code, message: message)
            throw location.describing(isReadOnly ? SQLiteConnection.advisedForReading(error) : error)
        }
        sqlite3_extended_result_codes(handle, 1)
        do throws(StoreError) {
            guard case .file(let path) = location, size > 0 else { return handle }
            guard try checkForm(handle, path: path, size: size, options) else { return handle }
            restore(handle, path: path, options)
        } catch {
            sqlite3_close_v2(handle)
            throw location.describing(error)
        }
        sqlite3_close_v2(handle)
        guard attempts > 1 else { throw location.describing(SealedFile.damaged) }
        return try open(location, options, expecting: expected, attempts: attempts - 1)
    }

    /// SQLite's message, and the system's message if it is more specific.
    private static func openingMessage(_ handle: OpaquePointer) -> String {
        let message = String(cString: sqlite3_errmsg(handle))
        let reason = sqlite3_system_errno(handle)
        return reason == 0 ? message : "\(message): \(StoreLocation.systemMessage(reason))"
    }
}

// Statements.
extension SQLiteConnection {
    /// Returns a prepared statement, ready for bindings: a cached free one, or a new one.
    ///
    /// Release it with `finish()`.
    package func statement(_ sql: SQL) throws(StoreError) -> Statement {
        try ProcessCopy.check()
        try checkTransaction()
        interruption.calls.countRun()
        if let kept = cache.takeFree(sql.text) { return kept }
        let statement = try prepare(sql, keeping: true)
        statement.take()
        cache.insert(statement)
        return statement
    }

    package func batchStatement(_ sql: SQL) throws(StoreError) -> Statement? {
        try ProcessCopy.check()
        try checkTransaction()
        let statement: Statement
        if let kept = batches.takeFree(sql.text) {
            statement = kept
        } else {
            statement = try prepare(sql, keeping: true, isBatch: true)
            statement.take()
            batches.insert(statement)
        }
        if let recovery = statement.recovery as? BatchRecovery, recovery.mustNotRun {
            statement.finish()
            return nil
        }
        interruption.calls.countRun()
        return statement
    }

    package func prepare(_ sql: SQL) throws(StoreError) -> Statement {
        try checkTransaction()
        return try prepare(sql, keeping: false)
    }

    func prepare(_ sql: SQL, keeping: Bool, isBatch: Bool = false) throws(StoreError) -> Statement {
        try ProcessCopy.check()
        return try prepare(sql.text, keeping: keeping, isBatch: isBatch, isFirst: true)
    }

    private func prepare(
        _ sql: String, keeping: Bool, isBatch: Bool, isFirst: Bool
    ) throws(StoreError) -> Statement {
        var code = SQLITE_OK
        var hasTail = false
        func compile() -> OpaquePointer? {
            let (statement, result, tail) = compiled(sql, keeping: keeping)
            code = result
            hasTail = tail
            return statement
        }
        let prepared = recursion.settled(compile, discard: { sqlite3_finalize($0) }).statement
        guard code == SQLITE_OK || prepared != nil else {
            let message = String(cString: sqlite3_errmsg(handle))
            if isFirst, Interruption.deservesAnother(message, handle) {
                return try prepare(sql, keeping: keeping, isBatch: isBatch, isFirst: false)
            }
            if Interruption.isMeant(by: code, message) { throw interruption.error(sql: sql) }
            if code & 0xff == SQLITE_BUSY, let reason = interruption.takeReason(sql: sql) { throw reason }
            // The general code means here that the SQL is invalid; an unknown collation has a code derived from it.
            guard code & 0xff != SQLITE_ERROR else {
                throw StoreError(.invalidSQL, SQLiteConnection.advised(message), sql: sql, resultCode: code)
            }
            throw SecondLook.checked(.engine(code, message: message, sql: sql), handle)
        }
        guard let prepared else { throw StoreError(.invalidSQL, "The text contains no SQL statement", sql: sql) }
        let recovery: any StatementRecovery =
            isBatch ? BatchRecovery(interruption, mustNotRun: recursion.firesOthers) : interruption
        let statement = Statement(prepared, interruption.calls, recovery, sql: sql)
        guard !hasTail else { throw StoreError(.invalidSQL, "Only one statement is allowed", sql: sql) }
        return statement
    }

    /// - Returns: The statement; SQLite's result code; whether anything follows the statement in the text.
    private func compiled(_ sql: String, keeping: Bool) -> (OpaquePointer?, Int32, Bool) {
        var sql = sql
        let flags = keeping ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        return sql.withUTF8 { bytes in
            guard bytes.count < Int32.max else { return (nil, SQLITE_TOOBIG, false) }
            return bytes.withMemoryRebound(to: CChar.self) { text in
                var statement: OpaquePointer?
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(handle, text.baseAddress, Int32(text.count), flags, &statement, &tail)
                guard let tail, let start = text.baseAddress else { return (statement, code, false) }
                return (statement, code, SQLiteConnection.isMeaningful(text[(tail - start)...]))
            }
        }
    }

    /// SQLite's message, and advice if the message does not contain it.
    private static func advised(_ message: String) -> String {
        guard message == "parser stack overflow" || message.hasPrefix("Expression tree is too large") else {
            return message
        }
        return "\(message). Conditions or sums are nested too deeply. Split them, or use isIn "
            + "for many values"
    }

    /// Whether anything except white space, comments and semicolons is left. SQLite reads up to a NUL; text after a NUL
    /// counts.
    private static func isMeaningful(_ tail: Slice<UnsafeBufferPointer<CChar>>) -> Bool {
        var rest = SQLTokens(tail.map { UInt8(bitPattern: $0) })
        while let token = rest.next() {
            switch token.kind {
            case .space, .comment, .semicolon: break
            case .other where rest.bytes[token.range.lowerBound] == 0: break
            default: return true
            }
        }
        return false
    }

    /// Frees cached statements and pages of the file that are not in use.
    package func releaseMemory() {
        releaseStatements()
        sqlite3_db_release_memory(handle)
    }

    /// Frees the cached statements that are not in use.
    package func releaseStatements() {
        cache.removeFree()
        batches.removeFree()
    }
}
