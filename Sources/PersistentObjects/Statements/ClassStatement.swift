internal import StoreEngine

/// A statement of a class that is asked for again and again, by what its text depends on.
enum ClassStatement: Hashable, Sendable {
    /// All rows, by id.
    case selectAll
    /// Their ids, in their order.
    case selectAllIDs
    /// The first row, by id.
    case selectFirst
    /// One row by its id.
    case selectByID
    /// By a list of ids: any number of them with one statement.
    case selectByIDs
    /// From one id to another, both with, by id.
    case selectByRange
    /// By the ids that a column has.
    case selectReferring(column: String, Referring)
    case count
    case insert(rows: Int, withIDs: Bool)
    case update(ColumnSet)
    /// Rows whose ids follow one another.
    case updateNeighbours(ColumnSet)
    case deleteAll

    /// Which ids a column is to have.
    enum Referring { case one, range, list }
}

/// The statements of a class that all sessions of a store share: their texts are made once.
final class SharedClassSQL: Sendable {
    let sql: ClassSQL
    private let texts = Locked<[ClassStatement: SQL]>([:])
    /// Updates have a text for each choice of columns: where there are many, the store does not keep them for ever.
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
