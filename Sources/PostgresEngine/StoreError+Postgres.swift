internal import Foundation
internal import StoreEngine

extension StoreError {
    /// The error for a failure that the server reports.
    ///
    /// - Parameters:
    ///   - failure: The server's report.
    ///   - sql: The statement.
    ///   - role: The role of the connection.
    static func postgres(_ failure: PostgresFailure, sql: String? = nil, role: String? = nil) -> StoreError {
        let (code, advice) = kindAndAdvice(failure)
        // The detail contains values.
        let text = "\(PostgresFailure.line(failure.message)) (SQLSTATE \(failure.state))"
        var error = StoreError(code, advice.isEmpty ? text : "\(text). \(advice)", sql: sql)
        if code == .notPermitted { error.message = "\(refusal(failure, sql ?? "", role)) (SQLSTATE 42501)" }
        error.constraint = ConstraintFailure(failure)
        error.isIntegerOverflow = failure.state == "22003"
        error.serverState = failure.state
        if failure.isOfMeeting { error.repetition = .again }
        return error
    }

    /// Whether it has ended only the work since a savepoint, not the whole transaction.
    var isOfPart: Bool { repetition == .afterReading || repetition == .oneByOne }

    private static func kindAndAdvice(_ failure: PostgresFailure) -> (Code, String) {
        switch failure.state {
        case "23505": (.notUnique, "")
        case "57014": (.timedOut, "")
        case "25006": (.readOnly, "The server or the session is read-only")
        case _ where failure.isOfMeeting:
            (.busy, "This transaction conflicted with another one and was rolled back. Use transaction(retries: 3)")
        case "55P03", "55006": (.busy, "Another session or process holds a lock that is needed")
        case "53100": (.diskFull, "Nothing was written. Free some disk space and save again")
        case "53200": (.outOfMemory, "")
        case "54000", "22001": (.tooBig, "")
        case "XX001", "XX002": (.corrupt, "The server reports damaged data. Check it, or use a backup")
        case "58030": (.inputOutput, "")
        case "22P02", "22007", "22008", "42804": (.typeMismatch, "")
        case "28000", "28P01", "3D000": (.cannotOpen, "")
        case "42501": (.notPermitted, "")
        case "42P05", "26000":
            (
                .unsupported,
                "A pooler between this program and the server gives connections to other clients. Use pool_mode=session"
            )
        case PostgresFailure.deniedDeletion, "P0001", "22003": (.constraint, "")
        case _ where failure.state.hasPrefix("23"): (.constraint, "")
        case _ where failure.state.hasPrefix("42"): (.invalidSQL, "")
        case _ where failure.state.hasPrefix("0A"): (.unsupported, "")
        case _ where failure.state.hasPrefix("08") || failure.state.hasPrefix("57P"): (.connectionLost, "")
        default: (.sqlite, "")
        }
    }

    /// Whether the server no longer has the prepared statement, or can no longer run it.
    var isOfStalePlan: Bool { serverState == "26000" || serverState == "0A000" }

    /// Whether a table cannot be changed because pending reference checks must run first.
    var isOfWaitingReferences: Bool { serverState == "55006" }

    /// The error for a statement with too many arguments to infer their types.
    static var tooManyArguments: StoreError {
        var error = StoreError(
            .tooBig, "The statement has too many arguments for PostgreSQL. Pass a list as one of them")
        error.serverState = "42P18"
        return error
    }

    /// Whether the server could not infer the type of an argument.
    var isOfUnclearType: Bool { ["42P18", "42725", "42804", "42883"].contains(serverState) }
}

extension ConstraintFailure {
    /// Nil if the failure is not a constraint violation.
    init?(_ failure: PostgresFailure) {
        switch failure.state {
        case "23505": self.init(kind: .unique, table: failure.table, columns: ConstraintFailure.columns(failure))
        case "23502": self.init(kind: .notNull, table: failure.table, columns: failure.column.map { [$0] } ?? [])
        case "23503": self.init(kind: .foreignKey, table: failure.table)
        case "23514": self.init(kind: .check, table: failure.table)
        case PostgresFailure.deniedDeletion: self.init(kind: .deniedDeletion, table: failure.table)
        case "P0001": self.init(kind: .trigger, table: failure.table)
        case _ where failure.state.hasPrefix("23"): self.init(kind: .other, table: failure.table)
        default: return nil
        }
    }

    /// The columns in `Key (first_name, last_name)=(…) already exists.`, in any language.
    private static func columns(_ failure: PostgresFailure) -> [String] {
        // An expression appears in the server's own form; the name of the index identifies it.
        if let name = failure.constraint {
            let columns = place(ofIndex: Substring(name)).columns
            if !columns.isEmpty { return columns }
        }
        guard let detail = failure.detail, let open = detail.firstIndex(of: "("), let end = detail.range(of: ")=(")
        else { return [] }
        let list = detail[detail.index(after: open)..<end.lowerBound]
        return list.split(separator: ", ").map { name in
            guard name.hasPrefix("\""), name.hasSuffix("\""), name.count > 1 else { return String(name) }
            return String(name.dropFirst().dropLast()).replacing("\"\"", with: "\"")
        }
    }
}

extension PostgresFailure {
    /// The code of denied deletions: a class of codes reserved for applications.
    static let deniedDeletion = "PO002"
    /// Whether two transactions conflict: a serialization failure, or a deadlock.
    var isOfMeeting: Bool { state == "40001" || state == "40P01" }
    /// The code of rows that differ from the expected versions.
    static let unexpected = "PO001"
}

extension StoreError.Repetition {
    /// How the deferred work is repeated after a failure; nil if that would not help.
    static func after(_ failure: PostgresFailure) -> StoreError.Repetition? {
        switch failure.state {
        case PostgresFailure.unexpected: .afterReading
        // The time limit or a cancellation ended the statement.
        case "57014": nil
        default: .oneByOne
        }
    }
}
