/// Reads the rows that committed transactions of all sessions have changed, in any process, each transaction once.
///
/// It is for engines whose database keeps the changes as long as there are readers.
package protocol CommitFeed: AnyObject {
    /// The transactions that were committed since the last call, or since the feed was opened.
    func read() throws(StoreError) -> CommittedChanges
    /// Ends the feed, so that the database keeps no changes for it.
    func end()
}

/// The changes of committed transactions.
package struct CommittedChanges: Sendable {
    /// The changes by transaction, in the order in which they were made.
    package var transactions: [[TableChange]] = []
    /// Whether there may be further changes, which are unknown.
    package var isIncomplete = false

    /// Creates the changes of no transaction.
    package init() {}
}

/// The rows of a table that a statement changed.
package struct TableChange: Sendable {
    /// The name of the table; for rows of a collection, the table of their owners.
    package let table: String
    /// The kind of change; `reported` for owners of a collection's rows.
    package let kind: RowLog.Kind
    /// The name of the rows' class, if the table stores the classes of its rows.
    package let className: String?
    /// The ids of the rows; nil if there are too many.
    package let ids: [Int64]?

    /// Creates a change.
    package init(table: String, kind: RowLog.Kind, className: String?, ids: [Int64]?) {
        self.table = table
        self.kind = kind
        self.className = className
        self.ids = ids
    }
}
