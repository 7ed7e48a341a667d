/// How a database reads and accepts the rows of a whole store, in any order and in several transactions, and what it
/// cannot store.
package protocol RowLoading {
    /// The maximum number of bytes of a name; nil for no maximum.
    var longestName: Int? { get }
    /// Whether strings can contain the character NUL.
    var storesNUL: Bool { get }
    /// Whether references can point to rows that do not exist, although the database checks them.
    var mayHaveBrokenReferences: Bool { get }
    /// Removes the references of a table to other tables, and its triggers that write the history of new rows. Call it in
    /// a writing transaction.
    ///
    /// - Returns: The statement that restores them, and checks the references of all rows; nil if nothing was removed.
    func suspendRules(of table: String) throws(StoreError) -> String?
    /// Calls `body`, whose transactions may commit references to rows that do not exist yet. Call it between
    /// transactions.
    func withoutReferences<R>(_ body: () throws -> R) rethrows -> R
    /// Calls `body` with a small cache of pages, for work that reads or writes most pages once.
    func withSmallCache<R>(_ body: () throws -> R) throws -> R
}
