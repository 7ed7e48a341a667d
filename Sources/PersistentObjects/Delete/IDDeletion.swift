internal import StoreEngine

/// Deletes rows of one class's table, many rows per statement.
final class IDDeletion: RowDeletion {
    let ids: [Int64]
    private let texts: DeletionTexts
    private let connection: any Connection
    private let locate: (_ error: any Error, _ id: Int64?) -> any Error

    /// - Parameter locate: Adds the class to an error, and the row if the statement concerned only one row.
    init(
        _ ids: [Int64], _ texts: DeletionTexts, _ connection: any Connection,
        locate: @escaping (_ error: any Error, _ id: Int64?) -> any Error
    ) {
        self.ids = ids
        self.texts = texts
        self.connection = connection
        self.locate = locate
    }

    var isOfExistingTable: Bool { texts.isOfExistingTable }

    func statementForOne() throws(StoreError) -> Statement { try connection.statement(texts.one) }

    func statementForList() throws(StoreError) -> Statement { try connection.statement(texts.list) }

    func statementForRange() throws(StoreError) -> Statement? {
        guard let range = texts.range else { return nil }
        return try connection.statement(range)
    }

    func checkDeleted(_ ids: ArraySlice<Int64>) throws {
        guard let kept = try connection.integers(texts.selectIDs, ids).first else { return }
        throw locate(IDDeletion.kept(texts.table), kept)
    }

    /// The error for a row that a trigger did not let the statement delete.
    static func kept(_ table: String) -> StoreError {
        StoreError(
            .constraint,
            "A trigger of the table \(table) kept the row (RAISE(IGNORE), or RETURN NULL on a server). Nothing was deleted. "
                + "Drop or fix the trigger, or delete the row with raw SQL")
    }

    func located(_ error: any Error, id: Int64?) -> any Error { locate(error, id) }
}
