@_spi(Locks) internal import StoreEngine

/// A statement of a class that is used repeatedly, identified by everything that its SQL depends on.
enum ClassStatement: Hashable, Sendable {
    /// All rows, ordered by id.
    case selectAll
    /// All ids, in ascending order.
    case selectAllIDs
    /// The first row by id.
    case selectFirst
    /// One row by its id.
    case selectByID
    /// The rows for a list of ids, which can have any length.
    case selectByIDs
    /// The rows with ids in a closed range, ordered by id.
    case selectByRange
    /// The rows that the elements of one owner's collection are, in the order of the collection.
    case selectElements(table: String, value: String, order: String)
    /// The rows that refer to some ids through a column.
    case selectReferring(column: String, Referring)
    /// How many rows refer to ids in a closed range through a column, and the greatest id of all rows.
    case countReferring(column: String)
    case count
    case insert(rows: Int, withIDs: Bool)
    case update(ColumnSet)
    /// Updates rows with consecutive ids.
    case updateNeighbours(ColumnSet)
    case deleteAll

    /// The form of the ids that a column is compared with.
    enum Referring {
        case one, range, list
        /// A range, read in the order of the table instead of the column's index.
        case rangeOfTable
    }
}

/// The statements of a class that all sessions of a store share. Their SQL is written once.
final class SharedClassSQL: Sendable {
    let sql: ClassSQL
    private let texts = Locked<[ClassStatement: SQL]>([:])
    /// The number of cached statements. It is limited, because updates have a statement for each set of columns.
    private static let limit = 1000

    init(_ sql: ClassSQL) { self.sql = sql }

    func text(_ statement: ClassStatement) -> SQL {
        if let known = texts.withLock({ $0[statement] }) { return known }
        let made = sql.text(statement)
        texts.withLock { texts in
            if texts.count >= SharedClassSQL.limit { texts.removeAll() }
            texts[statement] = made
        }
        return made
    }
}
