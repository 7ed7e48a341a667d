/// Records the changes of a connection's transactions, so that they can be reverted.
package protocol ChangeRecorder: AnyObject {
    /// Called before a transaction begins, for engines that must know then whether it will be recorded.
    func willBegin(isRecorded: Bool)
    /// Starts recording; call it after the transaction has begun.
    func begin() throws(StoreError)
    /// Called before the commit.
    ///
    /// - Parameter byteCount: The size above which the changes will not be kept. The result of larger changes need only
    ///   have their size.
    /// - Returns: Whether the changes are read together with the commit, so that they are known after it.
    func willCommit(upTo byteCount: Int) -> Bool
    /// The changes of the transaction so far; nil for none. Call it before the commit, or after it if `willCommit` has
    /// returned true.
    ///
    /// - Throws: `StoreError` if a change cannot be recorded.
    func changes() throws(StoreError) -> (any RecordedChanges)?
    /// Ends recording, at the end of the transaction.
    func end()
    /// The rows of changes that it has recorded; call it between transactions.
    ///
    /// - Throws: `ChangeConflict` if they cannot be read, because the table has other columns.
    func read(_ changes: any RecordedChanges) throws -> any RowChanges
}

extension ChangeRecorder {
    /// Does nothing, for engines that begin to record after the transaction has begun.
    package func willBegin(isRecorded: Bool) {}
    /// Returns false, for engines that know the changes before the commit.
    package func willCommit(upTo byteCount: Int) -> Bool { false }
    /// The same changes, for engines whose recorded changes have rows.
    package func read(_ changes: any RecordedChanges) throws -> any RowChanges {
        guard let changes = changes as? any RowChanges else {
            throw StoreError(.misuse, "The changes were recorded by another engine")
        }
        return changes
    }
}

/// The changes of one transaction, in any form that the engine can read later.
package protocol RecordedChanges: Sendable {
    /// The memory size.
    var byteCount: Int { get }
}

/// The changes of one transaction, row by row: the old values and the new ones.
package protocol RowChanges: RecordedChanges {
    /// The changes that revert these.
    func inverted() throws(StoreError) -> any RowChanges
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
