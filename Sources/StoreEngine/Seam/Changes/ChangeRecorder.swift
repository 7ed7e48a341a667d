/// Records what the transactions of a connection change, so that it can be taken back.
package protocol ChangeRecorder: AnyObject {
    /// Begins to record; call it when the transaction has begun.
    func begin() throws(StoreError)
    /// What the transaction has changed up to now; nil for nothing. Call it before the commit.
    ///
    /// - Throws: `StoreError` where something has changed that cannot be recorded.
    func changes() throws(StoreError) -> (any RecordedChanges)?
    /// Ends to record, at the end of the transaction.
    func end()
}

/// What one transaction has changed, row by row: the old values and the new ones.
package protocol RecordedChanges: Sendable {
    /// How much memory it takes.
    var byteCount: Int { get }
    /// The changes that take these back.
    func inverted() throws(StoreError) -> any RecordedChanges
    /// Which rows are changed, those of one table beside one another.
    func rows() throws -> [ChangedRow]
}

/// One row of recorded changes.
package struct ChangedRow: Sendable, Equatable {
    /// What happens to a row.
    package enum Operation: Sendable { case insert, update, delete }

    /// The table it is in.
    package let table: String
    /// What happens to it.
    package let operation: Operation
    /// The first column of its primary key, where that is a number: the id, or for the rows of a collection their
    /// owner's.
    package let key: Int64?
    /// The columns that an update changes; empty for an insertion and a deletion.
    package let columns: [String]

    /// A row of a table.
    package init(table: String, operation: Operation, key: Int64?, columns: [String] = []) {
        self.table = table
        self.operation = operation
        self.key = key
        self.columns = columns
    }
}

/// Why recorded changes do not fit the rows that are there.
package struct ChangeConflict: Error, Sendable, Equatable {
    /// What does not fit.
    package enum Kind: Sendable, Equatable {
        /// The row was deleted since.
        case gone
        /// There is a row with this key again.
        case exists
        /// The row was changed since, in a column that matters.
        case changed
        /// Another row has a value by now that must be unique.
        case taken
        /// A row of another table refers to the row by now.
        case referredTo(by: String)
        /// What the row refers to was deleted since.
        case targetGone
        /// The table has other columns.
        case altered
    }

    /// What does not fit.
    package let kind: Kind
    /// The table of the row.
    package let table: String
    /// See `ChangedRow.key`.
    package let key: Int64?

    /// A change that does not fit.
    package init(kind: Kind, table: String, key: Int64?) {
        self.kind = kind
        self.table = table
        self.key = key
    }
}
