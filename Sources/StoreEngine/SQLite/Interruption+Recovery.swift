internal import CSQLite

// Steps that have failed, of statements of the connection that this is about.
extension Interruption: StatementRecovery {
    /// A statement is prepared again by its first step where the schema has changed; what that refused may be allowed
    /// now. All other errors are thrown.
    @usableFromInline
    func step(_ statement: OpaquePointer, again code: Int32, _ sql: String) throws(StoreError) -> Bool {
        let error = noted(failure(code, sql))
        guard code == SQLITE_ERROR, Interruption.deservesAnother(error.message, handle) else { throw error }
        sqlite3_reset(statement)
        let code = sqlite3_step(statement)
        guard code != SQLITE_DONE else { return false }
        guard code == SQLITE_ROW else {
            let error = noted(failure(code, sql))
            sqlite3_reset(statement)
            throw error
        }
        return true
    }

    /// The first that ends a transaction is what to say of all that is done in it afterwards.
    private func noted(_ error: StoreError) -> StoreError {
        if sqlite3_get_autocommit(handle) != 0 { transaction.noteFailure(error) }
        return error
    }

    private func failure(_ code: Int32, _ sql: String) -> StoreError {
        // First of all, before anything else sets it; sqlite3_system_errno() does not have it for a commit.
        let systemError = StoreError.lastSystemError
        let extended = sqlite3_extended_errcode(handle)
        let message = String(cString: sqlite3_errmsg(handle))
        if Interruption.isMeant(by: code, message) { return error(sql: sql) }
        if code & 0xff == SQLITE_BUSY, let reason = takeReason(sql: sql) { return reason }
        let exact = extended & 0xff == code & 0xff ? extended : code
        return SecondLook.checked(
            .engine(exact, message: message, sql: sql, systemError: systemError), handle)
    }
}

// What SQLite tells of it.
extension Interruption {
    /// Whether a statement failed for having been interrupted. Pragmas that are read as tables pass that on as a plain
    /// error.
    static func isMeant(by code: Int32, _ message: String) -> Bool {
        code & 0xff == SQLITE_INTERRUPT || code & 0xff == SQLITE_ERROR && message == "interrupted"
    }

    /// Whether to try a statement once more that failed with this message: it is allowed now, or the message does not
    /// say why it failed. `json_each` and FTS5 are silent where they were interrupted; the second time, SQLite says it.
    static func deservesAnother(_ message: String, _ connection: OpaquePointer) -> Bool {
        message.hasPrefix("vtable constructor failed: ") || SearchTrust.isGiven(connection, after: message)
    }
}
