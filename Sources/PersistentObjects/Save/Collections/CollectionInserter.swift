internal import StoreEngine

/// Inserts rows of one collection for several owners, many rows per statement.
///
/// The caller specifies the number of rows in advance, so that each statement can be filled.
final class CollectionInserter {
    private let space: ClassSpace
    private let ordinal: Int
    private let sql: CollectionSQL
    private let isMerging: Bool
    /// Whether the owners are new, so that errors do not report the ids in their headers.
    private let areOwnersNew: Bool
    private var largest: Int
    private var remaining: Int
    private var statement: Statement?
    /// The number of rows that the statement takes, and the number of rows bound to it.
    private var size = 0
    private var filled = 0
    private var index: Int32 = 1
    /// The owner of the last row. All rows have the same owner, unless owners are new.
    private var owner: Int64?

    init(_ space: ClassSpace, _ ordinal: Int, rows: Int, isMerging: Bool = false, areOwnersNew: Bool = false) throws {
        self.space = space
        self.ordinal = ordinal
        sql = try space.collectionSQL(ordinal)
        self.isMerging = isMerging
        self.areOwnersNew = areOwnersNew
        remaining = rows
        // If there are few rows, preparing a statement of many rows costs more than it saves.
        largest = rows >= 640 ? 64 : rows >= 24 ? 8 : 1
    }

    /// Adds a row. `bind` binds the position or key, and the value, from the given index on, and advances the index.
    @inline(__always)
    func add(_ owner: Int64, _ bind: (Statement, inout Int32) throws -> Void) throws {
        let statement = try filled > 0 ? self.statement ?? begin() : begin()
        do {
            try statement.bind(owner, at: index)
            index += 1
            try bind(statement, &index)
        } catch { throw space.located(error, property: ordinal, rowID: areOwnersNew ? nil : owner) }
        self.owner = owner
        filled += 1
        remaining -= 1
        if filled == size { try run(statement) }
    }

    private func begin() throws -> Statement {
        var wanted = largest
        while wanted > 1, wanted > remaining { wanted /= 8 }
        if wanted != size || statement == nil {
            statement?.finish()
            statement = nil
            do throws(StoreError) { statement = try prepared(rows: wanted) } catch {
                throw space.located(error, property: ordinal)
            }
            guard statement != nil else {
                largest = 1
                return try begin()
            }
            size = wanted
        }
        guard let statement else { preconditionFailure("the statement was prepared just before") }
        statement.beginBinding()
        index = 1
        return statement
    }

    /// Nil if several rows must be inserted individually.
    private func prepared(rows: Int) throws(StoreError) -> Statement? {
        let connection = space.session.connection
        let text = sql.insert(rows: rows, isMerging: isMerging)
        return rows == 1 ? try connection.statement(text) : try connection.batchStatement(text)
    }

    private func run(_ statement: Statement) throws {
        do throws(StoreError) { try statement.send() } catch {
            throw space.located(error, property: ordinal, rowID: areOwnersNew ? nil : owner)
        }
        filled = 0
    }

    /// Checks that all rows are inserted; call it after the last row.
    func complete() throws {
        // A user's encode(to:) can remove elements from a collection that was counted before.
        guard filled == 0 else {
            throw space.located(
                StoreError(.misuse, "The collection was changed while it was being saved. Nothing was saved"),
                property: ordinal)
        }
    }

    deinit { statement?.finish() }
}
