/// A prepared statement of an engine other than SQLite: what a `Statement` asks, never for one column of a row.
package protocol ForeignStatement: AnyObject {
    /// Whether running it cannot change the database.
    var isReadOnly: Bool { get }
    /// How many placeholders it has.
    var placeholderCount: Int { get }
    /// How many columns its rows have.
    var columnCount: Int32 { get }
    /// The name of column `index`, from 0.
    func columnName(_ index: Int32) -> String

    /// Begins a new round of bindings.
    func beginBinding()
    /// Binds a value; its bytes are good for the time of the call only.
    func bind(_ cell: Cell, at index: Int32) throws(ValueFault)
    /// Binds a list, all of whose values are of one kind.
    func bind(list values: [DatabaseValue], at index: Int32) throws(ValueFault)

    /// Goes to the next row; false when there is none.
    func step() throws(StoreError) -> Bool
    /// Runs it for what it changes; see `Statement.send()`.
    func send() throws(StoreError)
    /// The row that it stands on, good until it is stepped, reset or ended.
    var row: UnsafeBufferPointer<Cell> { get }
    /// Makes it ready for the next bindings.
    func reset()

    /// How it has gone about its work since it was last asked.
    func takeScans() -> StatementScans
}

extension ForeignStatement {
    /// Runs it at once.
    package func send() throws(StoreError) { _ = try step() }

    /// Nothing: most engines do not count.
    package func takeScans() -> StatementScans { StatementScans() }
}
