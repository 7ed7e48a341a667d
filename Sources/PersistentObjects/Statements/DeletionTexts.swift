internal import StoreEngine

/// The statements that delete rows of one class's table by their ids.
struct DeletionTexts: Sendable {
    /// How many rows `many` deletes.
    static let batchSize = 64

    let one: SQL
    let many: SQL
    /// Deletes those from one id to another, both with, which are a fifth quicker gone; nil where others have made the
    /// table.
    let range: SQL?

    init(_ sql: ClassSQL) {
        one = sql.delete(rows: 1)
        many = sql.delete(rows: DeletionTexts.batchSize)
        range = sql.foreign == nil ? "DELETE FROM \(name: sql.table) WHERE \"id\" BETWEEN ? AND ?" : nil
    }
}
