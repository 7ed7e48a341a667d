/// A prepared statement of an engine other than SQLite. `Statement` calls it, but not for each column of a row.
package protocol ForeignStatement: AnyObject {
    /// Whether running it cannot change the database.
    var isReadOnly: Bool { get }
    /// The number of placeholders.
    var placeholderCount: Int { get }
    /// The number of columns of its rows.
    var columnCount: Int32 { get }
    /// The name of column `index`, from 0.
    func columnName(_ index: Int32) -> String

    /// Starts a new round of bindings.
    func beginBinding()
    /// Binds a value, whose bytes are valid only during the call.
    func bind(_ cell: Cell, at index: Int32) throws(ValueFault)
    /// Binds a list, all of whose values are of one kind.
    func bind(list values: [DatabaseValue], at index: Int32) throws(ValueFault)

    /// Advances to the next row; false if there is none.
    func step() throws(StoreError) -> Bool
    /// Runs it for its changes; see `Statement.send()`.
    func send() throws(StoreError)
    /// The current row, valid until it is stepped, reset or finalized.
    var row: UnsafeBufferPointer<Cell> { get }
    /// Makes it ready for the next bindings.
    func reset()

    /// The scan statistics since the last call.
    func takeScans() -> StatementScans
}

extension ForeignStatement {
    /// Runs it immediately.
    package func send() throws(StoreError) { _ = try step() }

    /// Empty, because most engines do not count.
    package func takeScans() -> StatementScans { StatementScans() }
}
