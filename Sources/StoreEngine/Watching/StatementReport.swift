// Watching: a connection that reports the statements that run on it, for every engine. It knows the seam. It must not
// know how an engine works, nor who receives the reports.

/// The report on a statement that has run.
package struct StatementReport: Sendable {
    /// The kind of operation.
    package enum Kind: Sendable {
        /// A statement, which can be explained.
        case statement
        /// The start or the end of a transaction, or of a part of one.
        case transaction
        /// Rows that an undo writes back, in as many statements as the engine needs.
        case undo
    }

    /// The kind of operation.
    package let kind: Kind
    /// Its text, with a placeholder for each value.
    package let sql: String
    /// The values of the placeholders, if requested; lists in their original form.
    package var arguments: [DatabaseValue] = []
    /// The time that the engine took, without the program's work between two rows.
    package var duration = Duration.zero
    /// The number of returned rows.
    package var rows = 0
    /// The number of changed rows, including those changed by triggers and foreign keys.
    package var changedRows = 0
    /// The scan statistics.
    package var scans = StatementScans()
    /// The error; nil if it succeeded.
    package var error: StoreError?
}

/// A receiver of reports on the statements of a connection.
package protocol StatementWatcher: AnyObject {
    /// Whether the values of statements are requested.
    var wantsArguments: Bool { get }
    /// Called when a statement starts to run.
    func willRun()
    /// Called after a statement has run, or has failed. It is called synchronously: it must be fast, and must not use
    /// the connection.
    func didRun(_ report: StatementReport)
}

/// Measures the consecutive steps of a statement.
struct StatementClock {
    private(set) var elapsed = Duration.zero

    mutating func measure<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        let start = ContinuousClock.now
        defer { elapsed += ContinuousClock.now - start }
        return try body()
    }
}
