/// What a save writes, handed over whole: an engine with round trips can send it in one.
package struct WriteBatch {
    /// In the order in which they are to be written.
    package private(set) var steps: [Step] = []

    /// One class's share.
    package enum Step {
        /// Rows that go in.
        case insert(any RowInsertion)
        /// Rows that change.
        case update(any RowUpdates)
        /// Rows that go.
        case delete(any RowDeletion)
    }

    /// Has nothing to write.
    package init() {}

    /// Adds a step behind the others.
    package mutating func append(_ step: Step) { steps.append(step) }
}

/// Rows of one table that go in, with the same columns.
///
/// An engine asks for a statement, binds rows to it and runs it; values go from
/// the objects' memory to the statement, and stand nowhere in between.
package protocol RowInsertion: AnyObject {
    /// How many rows there are.
    var rowCount: Int { get }
    /// How many values a row has.
    var valueCount: Int { get }
    /// Where they go; nil where only the statement says that.
    var target: InsertionTarget? { get }
    /// The statement that inserts some rows at once, ready for bindings; finish it.
    func statement(rows: Int) throws -> Statement
    /// Binds the values of a row to the placeholders from `index` on, which goes behind them.
    func bind(_ row: Int, to statement: Statement, at index: inout Int32) throws
    /// A failure of the engine's with its class.
    func located(_ error: StoreError) -> any Error
}

/// A table of ours and its columns, in the order of the bindings.
package struct InsertionTarget: Sendable {
    package let table: String
    package let columns: [String]
    /// A column before these that has the same text in all rows.
    package let constant: (column: String, text: String)?

    package init(table: String, columns: [String], constant: (column: String, text: String)?) {
        (self.table, self.columns, self.constant) = (table, columns, constant)
    }
}

/// Rows of one table that change, each known by its id alone, since nobody else writes: the promise of
/// `Connection.begin()`.
package protocol RowUpdates: AnyObject {
    /// How many rows there are.
    var rowCount: Int { get }
    /// Their table, whose ids are in a column `id`; nil where it is one of others.
    var table: String? { get }
    /// The id of a row.
    func id(of row: Int) -> Int64
    /// The first row behind those that have the same columns as a row.
    func end(ofRowsLike row: Int) -> Int
    /// The statement that updates a row like this one, ready for bindings; finish it. Nil where such rows have nothing
    /// to be written.
    func statement(forRowsLike row: Int) throws -> Statement?
    /// Binds the new values of a row, and its id behind them.
    func bind(_ row: Int, to statement: Statement) throws
    /// How many rows the statement for neighbours updates.
    var neighbourCount: Int { get }
    /// The statement that updates so many rows like this one, whose ids follow one another, ready for bindings; finish
    /// it. Nil where each is to be written for itself.
    func statement(forNeighboursLike row: Int) throws -> Statement?
    /// Binds the ids and the new values of `neighbourCount` rows.
    func bindNeighbours(_ rows: Range<Int>, to statement: Statement) throws
    /// Says that a row is written next, whoever wants to know: just before it is.
    func willWrite(_ row: Int)
    /// Says that all rows are written.
    func didWriteAll()
    /// A failure of the engine's with its class and row.
    func located(_ error: StoreError, row: Int) -> any Error
    /// The error for a row that is not there.
    func gone(_ row: Int) -> any Error
}

/// Rows of one table that go, known by their ids.
package protocol RowDeletion: AnyObject {
    /// How many rows there are.
    var rowCount: Int { get }
    /// How many rows the statement for many deletes.
    var batchSize: Int { get }
    /// The statement that deletes one row, or `batchSize` of them, ready for bindings; finish it.
    func statement(rows: Int) throws(StoreError) -> Statement
    /// Binds the id of a row.
    func bind(_ row: Int, to statement: Statement, at index: Int32) throws(ValueFault)
    /// The id of a row.
    func id(of row: Int) -> Int64
    /// The statement that deletes the rows from one id to another, its two arguments; finish it. Nil where rows are not
    /// known by such.
    func rangeStatement() throws(StoreError) -> Statement?
    /// A failure with its class, and with the row where it was the only one.
    func located(_ error: any Error, row: Int?) -> any Error
}
