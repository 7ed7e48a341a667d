internal import CSQLite

// Failed steps of the connection's statements.
extension Interruption: StatementRecovery {
    /// Retries a failed step if SQLite prepared the statement again and rejected it; throws all other errors.
    ///
    /// If the schema has changed, the first step prepares the statement again. A retry can succeed if the rejected
    /// action is permitted by now.
    @usableFromInline
    func step(_ statement: OpaquePointer, again code: Int32, _ sql: String) throws(StoreError) -> Bool {
        var code = settled(code, statement)
        if code & 0xff == SQLITE_ERROR {
            let error = failure(code, sql)
            guard Interruption.deservesAnother(error.message, handle) else { throw recorded(error) }
            sqlite3_reset(statement)
            code = settled(sqlite3_step(statement), statement)
        }
        if code == SQLITE_DONE || code == SQLITE_ROW { return code == SQLITE_ROW }
        let error = recorded(failure(code, sql))
        sqlite3_reset(statement)
        throw error
    }

    /// The result of a step, or of a repeated step if the first was rejected because of trigger recursion.
    private func settled(_ code: Int32, _ statement: OpaquePointer) -> Int32 {
        code & 0xff == SQLITE_AUTH ? recursion.stepAgain(statement) ?? code : code
    }

    /// Records the first error that ends a transaction, because all later work in the transaction throws it.
    private func recorded(_ error: StoreError) -> StoreError {
        if sqlite3_get_autocommit(handle) != 0 { transaction.recordFailure(error) }
        return error
    }

    private func failure(_ code: Int32, _ sql: String) -> StoreError {
        // Read first, before another call sets it, because sqlite3_system_errno() does not have it for a commit.
        let systemError = StoreError.lastSystemError
        let extended = sqlite3_extended_errcode(handle)
        let message = String(cString: sqlite3_errmsg(handle))
        if Interruption.isMeant(by: code, message) { return error(sql: sql) }
        if code & 0xff == SQLITE_BUSY, let reason = takeReason(sql: sql) { return reason }
        let exact = extended & 0xff == code & 0xff ? extended : code
        if message == Interruption.endlessRecursion {
            return StoreError(.sqlite, endlessMessage(sql), sql: sql, resultCode: exact)
        }
        return SecondLook.checked(
            .engine(exact, message: message, sql: sql, systemError: systemError), handle)
    }
}

/// Handles failed steps of a statement that writes several rows with `OR FAIL`.
///
/// SQLite applies the clause also to the statements in the triggers that fire, in place of their `OR` clauses. The
/// library's triggers have no such clauses. Triggers of other programs may have them, for example `INSERT OR REPLACE`,
/// so the statement must not fire these triggers, and the rows are written individually.
final class BatchRecovery: StatementRecovery {
    private let interruption: Interruption
    /// Whether the statement would fire triggers of other programs.
    private(set) var mustNotRun: Bool

    init(_ interruption: Interruption, mustNotRun: Bool) {
        self.interruption = interruption
        self.mustNotRun = mustNotRun
    }

    /// If the schema has changed, SQLite compiles the statement again in its first step, and a new trigger of another
    /// program is rejected.
    @usableFromInline
    func step(_ statement: OpaquePointer, again code: Int32, _ sql: String) throws(StoreError) -> Bool {
        guard code & 0xff == SQLITE_AUTH, interruption.recursion.takeRefusal() else {
            return try interruption.step(statement, again: code, sql)
        }
        sqlite3_reset(statement)
        mustNotRun = true
        var error = StoreError(
            .sqlite, "Another program added a trigger to the table. Nothing was written. Write the rows individually",
            sql: sql, resultCode: code)
        error.repetition = .oneByOne
        throw error
    }
}

// SQLite's description of the error.
extension Interruption {
    private static let endlessRecursion = "too many levels of trigger recursion"

    private func endlessMessage(_ sql: String) -> String {
        let triggers = recursion.endlessTriggers(of: sql)
        let names = triggers.map { "\"\($0)\"" }.joined(separator: ", ")
        let advice =
            triggers.contains { !OwnTriggers.contains($0) }
            ? "The statement also runs a cascading delete rule, so a trigger may run itself here. Give the trigger a "
                + "condition that ends this, such as WHEN NEW.changed IS OLD.changed"
            : "A delete rule cascades through a chain of too many rows. Delete them with the class, which "
                + "has no such limit"
        return "\(Interruption.endlessRecursion): \(names). Nothing was written. \(advice)"
    }

    /// Whether a statement failed because it was interrupted. Pragmas that are read as tables report that as a plain
    /// error.
    static func isMeant(by code: Int32, _ message: String) -> Bool {
        code & 0xff == SQLITE_INTERRUPT || code & 0xff == SQLITE_ERROR && message == "interrupted"
    }

    /// Whether to retry a statement that failed with this message, because it is permitted now, or to learn the reason.
    ///
    /// The messages of `json_each` and FTS5 do not report an interruption. On the second attempt SQLite reports it.
    static func deservesAnother(_ message: String, _ connection: OpaquePointer) -> Bool {
        message.hasPrefix("vtable constructor failed: ") || SearchTrust.isGiven(connection, after: message)
    }
}
