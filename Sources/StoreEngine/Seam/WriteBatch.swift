/// The writes of a save, passed as a whole, so that an engine with round trips can send them in one.
package struct WriteBatch {
    /// The steps in write order.
    package private(set) var steps: [Step] = []

    /// The writes of one class.
    package enum Step {
        /// Rows to insert.
        case insert(any RowInsertion)
        /// Rows to update.
        case update(any RowUpdates)
        /// Rows to delete.
        case delete(any RowDeletion)
    }

    /// Whether triggers of other programs may leave out rows, so that an engine that sends statements without awaiting
    /// their results must count the rows.
    package var countsRows: Bool {
        steps.contains { step in
            switch step {
            case .insert(let rows): rows.isOfExistingTable
            case .update(let rows): rows.table == nil
            case .delete(let rows): rows.isOfExistingTable
            }
        }
    }

    /// Creates an empty batch.
    package init() {}

    /// Appends a step.
    package mutating func append(_ step: Step) { steps.append(step) }
}

/// Rows of one table to insert, with the same columns.
///
/// An engine requests a statement, binds rows to it and runs it; values go directly from the objects' memory to the
/// statement.
package protocol RowInsertion: AnyObject {
    /// The number of rows.
    var rowCount: Int { get }
    /// The number of values of a row.
    var valueCount: Int { get }
    /// The target of the rows; nil if only the statement defines it.
    var target: InsertionTarget? { get }
    /// Whether another program created their table.
    var isOfExistingTable: Bool { get }
    /// Returns the statement that inserts a number of rows at once, ready for bindings; finish it. Nil if several rows
    /// must be inserted individually.
    func statement(rows: Int) throws -> Statement?
    /// Binds the values of a row to the placeholders from `index` on, and advances it.
    func bind(_ row: Int, to statement: Statement, at index: inout Int32) throws
    /// Adds the class to an engine error.
    func located(_ error: StoreError) -> any Error
    /// Throws if a trigger left out one of these rows, which a statement inserted.
    func checkInserted(_ rows: Range<Int>) throws
}

/// A table of the library and its columns, in binding order.
package struct InsertionTarget: Sendable {
    package let table: String
    package let columns: [String]
    /// A column before these that has the same string in all rows.
    package let constant: (column: String, text: String)?

    package init(table: String, columns: [String], constant: (column: String, text: String)?) {
        (self.table, self.columns, self.constant) = (table, columns, constant)
    }
}

/// Rows of one table to update, each identified by its id alone, because no other session writes: the promise of
/// `Connection.begin()`.
package protocol RowUpdates: AnyObject {
    /// The number of rows.
    var rowCount: Int { get }
    /// Their table, with ids in a column `id`; nil for an existing table.
    var table: String? { get }
    /// The id of a row.
    func id(of row: Int) -> Int64
    /// The end of the run of rows with the same columns as a row.
    func end(ofRowsLike row: Int) -> Int
    /// Returns the statement that updates a row like this one, ready for bindings; finish it. Nil if such rows have
    /// nothing to write.
    func statement(forRowsLike row: Int) throws -> Statement?
    /// Binds the new values of a row, followed by its id.
    func bind(_ row: Int, to statement: Statement) throws
    /// The number of rows that the statement for adjacent rows updates.
    var neighbourCount: Int { get }
    /// Returns the statement that updates this many rows with consecutive ids, ready for bindings; finish it. Nil if
    /// each row must be written individually.
    func statement(forNeighboursLike row: Int) throws -> Statement?
    /// Binds the ids and the new values of `neighbourCount` rows.
    func bindNeighbours(_ rows: Range<Int>, to statement: Statement) throws
    /// Called just before a row is written.
    func willWrite(_ row: Int)
    /// Called after all rows are written.
    func didWriteAll()
    /// Adds the class and row to an engine error.
    func located(_ error: StoreError, row: Int) -> any Error
    /// The error for a row that does not exist.
    func missing(_ row: Int) -> any Error
}

/// Rows of one table to delete, identified by their ids.
package protocol RowDeletion: AnyObject {
    var ids: [Int64] { get }
    /// Whether another program created their table.
    var isOfExistingTable: Bool { get }
    /// Returns the statement that deletes the row with one id, its argument; finish it.
    func statementForOne() throws(StoreError) -> Statement
    /// Returns the statement that deletes the rows with the ids of a list, its argument; finish it.
    func statementForList() throws(StoreError) -> Statement
    /// Returns the statement that deletes the rows from one id to another, its two arguments; finish it. Nil if rows
    /// are not identified by ids.
    func statementForRange() throws(StoreError) -> Statement?
    /// Adds the class to a failure, and the row if only one was to be deleted.
    func located(_ error: any Error, id: Int64?) -> any Error
    /// Throws if one of these rows still exists after its deletion.
    func checkDeleted(_ ids: ArraySlice<Int64>) throws
}
