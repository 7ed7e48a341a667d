/// Records the changes of a connection's transactions, so that they can be reverted.
package protocol ChangeRecorder: AnyObject {
    /// Starts recording; call it after the transaction has begun.
    func begin() throws(StoreError)
    /// The changes of the transaction so far; nil for none. Call it before the commit.
    ///
    /// - Throws: `StoreError` if a change cannot be recorded.
    func changes() throws(StoreError) -> (any RecordedChanges)?
    /// Ends recording, at the end of the transaction.
    func end()
}

/// The changes of one transaction, row by row: the old values and the new ones.
package protocol RecordedChanges: Sendable {
    /// The memory size.
    var byteCount: Int { get }
    /// The changes that revert these.
    func inverted() throws(StoreError) -> any RecordedChanges
    /// The changed rows, grouped by table.
    func rows() throws -> [ChangedRow]
}

/// One row of recorded changes.
package struct ChangedRow: Sendable, Equatable {
    /// The kind of change of a row.
    package enum Operation: Sendable { case insert, update, delete }

    /// The table of the row.
    package let table: String
    /// The kind of change.
    package let operation: Operation
    /// The first column of its primary key if it is a number: the row's id, or the owner's id for a collection's row.
    package let key: Int64?
    /// The columns that an update changes; empty for an insert and a deletion.
    package let columns: [String]

    /// Creates a changed row of a table.
    package init(table: String, operation: Operation, key: Int64?, columns: [String] = []) {
        self.table = table
        self.operation = operation
        self.key = key
        self.columns = columns
    }
}

/// The reason that recorded changes do not fit the existing rows.
package struct ChangeConflict: Error, Sendable, Equatable {
    /// The kind of conflict.
    package enum Kind: Sendable, Equatable {
        /// The row was deleted meanwhile.
        case rowDeleted
        /// A row with this key exists again.
        case exists
        /// The row was changed meanwhile, in a relevant column.
        case changed
        /// Another row now has a value that must be unique.
        case taken
        /// A row of another table now refers to the row.
        case referredTo(by: String)
        /// The referenced row was deleted meanwhile.
        case targetDeleted
        /// The table has other columns.
        case altered
    }

    /// The kind of conflict.
    package let kind: Kind
    /// The table of the row.
    package let table: String
    /// See `ChangedRow.key`.
    package let key: Int64?

    /// Creates a conflict.
    package init(kind: Kind, table: String, key: Int64?) {
        self.kind = kind
        self.table = table
        self.key = key
    }
}
