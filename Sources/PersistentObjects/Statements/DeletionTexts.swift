internal import StoreEngine

/// The statements that delete rows of one class's table by id.
struct DeletionTexts: Sendable {
    /// The number of rows that `many` deletes.
    static let batchSize = 64

    let one: SQL
    let many: SQL
    /// Deletes the rows between two ids, inclusive, which is a fifth faster; nil for an existing table.
    let range: SQL?

    init(_ sql: ClassSQL) {
        one = sql.delete(rows: 1)
        many = sql.delete(rows: DeletionTexts.batchSize)
        range = sql.foreign == nil ? "DELETE FROM \(name: sql.table) WHERE \"id\" BETWEEN ? AND ?" : nil
    }
}
