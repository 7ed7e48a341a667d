// Watching: a connection that tells what runs on it, of whichever engine. It knows the seam, and must not know how an
// engine works, nor who asks for the statements.

/// What is told of a statement that has run.
package struct StatementReport: Sendable {
    /// What ran.
    package enum Kind: Sendable {
        /// A statement, which can be explained.
        case statement
        /// The beginning or the end of a transaction, or of a part of one.
        case transaction
        /// Rows that are written back by an undo, in as many statements as the engine needs.
        case undo
    }

    /// What ran.
    package let kind: Kind
    /// Its text, with a placeholder for each value.
    package let sql: String
    /// The values of the placeholders, where they are wanted; lists as they were given.
    package var arguments: [DatabaseValue] = []
    /// The time that the engine took; what the program did between two rows is not in it.
    package var duration = Duration.zero
    /// How many rows it gave.
    package var rows = 0
    /// How many rows it changed, those of triggers and foreign keys among them.
    package var changedRows = 0
    /// How it went about it.
    package var scans = StatementScans()
    /// Why it failed; nil where it did not.
    package var error: StoreError?
}

/// Whoever is told of the statements of a connection.
package protocol StatementWatcher: AnyObject {
    /// Whether the values of statements are wanted.
    var wantsArguments: Bool { get }
    /// A statement begins to run.
    func willRun()
    /// A statement has run, or has failed. It is called on the way: neither may it take long, nor use the connection.
    func didRun(_ report: StatementReport)
}

/// Measures one step after another of a statement.
struct StatementClock {
    private(set) var elapsed = Duration.zero

    mutating func measure<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        let start = ContinuousClock.now
        defer { elapsed += ContinuousClock.now - start }
        return try body()
    }
}
