internal import StoreEngine

/// The statements that delete rows of one class's table by id.
struct DeletionTexts: Sendable {
    let one: SQL
    /// Deletes the rows of a list of ids.
    let list: SQL
    /// Deletes the rows between two ids, inclusive, which is a fifth faster; nil for an existing table.
    let range: SQL?
    /// Selects the ids of the rows in a list that exist.
    let selectIDs: SQL
    let table: String
    let isOfExistingTable: Bool

    init(_ sql: ClassSQL) {
        table = sql.table
        selectIDs = sql.selectIDs
        isOfExistingTable = sql.foreign != nil
        one = sql.deleteOne
        list = sql.deleteList
        range = isOfExistingTable ? nil : "DELETE FROM \(name: sql.table) WHERE \"id\" BETWEEN ? AND ?"
    }
}
