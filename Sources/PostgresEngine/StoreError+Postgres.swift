internal import Foundation
internal import StoreEngine

extension StoreError {
    /// The error for a failure that the server tells.
    static func postgres(_ failure: PostgresFailure, sql: String? = nil) -> StoreError {
        let (code, advice) = kindAndAdvice(failure)
        // The detail has values in it.
        let text = "\(PostgresFailure.line(failure.message)) (SQLSTATE \(failure.state))"
        var error = StoreError(code, advice.isEmpty ? text : "\(text). \(advice)", sql: sql)
        error.constraint = ConstraintFailure(failure)
        error.isIntegerOverflow = failure.state == "22003"
        error.serverState = failure.state
        if failure.isOfMeeting { error.repetition = .again }
        return error
    }

    /// Whether it has ended what was put off since a mark, and not the whole transaction.
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
        case "28000", "28P01", "3D000", "42501": (.cannotOpen, "")
        case PostgresFailure.deniedDeletion, "P0001", "22003": (.constraint, "")
        case _ where failure.state.hasPrefix("23"): (.constraint, "")
        case _ where failure.state.hasPrefix("42"): (.invalidSQL, "")
        case _ where failure.state.hasPrefix("0A"): (.unsupported, "")
        case _ where failure.state.hasPrefix("08") || failure.state.hasPrefix("57P"): (.connectionLost, "")
        default: (.sqlite, "")
        }
    }

    /// Whether the server has not, or cannot run any more, what was prepared.
    var isOfStalePlan: Bool { serverState == "26000" || serverState == "0A000" }

    /// Whether a table cannot be changed since references of its rows have to be checked before.
    var isOfWaitingReferences: Bool { serverState == "55006" }

    /// There are too many arguments to ask what each is.
    static var tooManyArguments: StoreError {
        var error = StoreError(
            .tooBig, "The statement has too many arguments for PostgreSQL. Pass a list as one of them")
        error.serverState = "42P18"
        return error
    }

    /// Whether the server could not tell of which type an argument is.
    var isOfUnclearType: Bool { ["42P18", "42725", "42804", "42883"].contains(serverState) }
}

extension ConstraintFailure {
    /// Nil where the failure is no constraint's.
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

    /// The columns in `Key (first_name, last_name)=(…) already exists.`, in whichever language it is.
    private static func columns(_ failure: PostgresFailure) -> [String] {
        // An expression is shown in the server's own words; the index has a name that tells.
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
    /// The code with which delete rules refuse: a class that is kept for programs' own.
    static let deniedDeletion = "PO002"
    /// Whether two transactions have met that cannot both be: as if one were before the other, or without waiting for
    /// each other.
    var isOfMeeting: Bool { state == "40001" || state == "40P01" }
    /// The code of rows that are not as they are known.
    static let unexpected = "PO001"
}

extension StoreError.Repetition {
    /// How what was put off is done again after a failure; nil where that would not help.
    static func after(_ failure: PostgresFailure) -> StoreError.Repetition? {
        switch failure.state {
        case PostgresFailure.unexpected: .afterReading
        // The limit of time, or a cancellation.
        case "57014": nil
        default: .oneByOne
        }
    }
}
