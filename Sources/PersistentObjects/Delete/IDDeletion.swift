internal import StoreEngine

/// Deletes rows of one class's table in order, many rows per statement.
final class IDDeletion: RowDeletion {
    private let ids: [Int64]
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

    var rowCount: Int { ids.count }
    var batchSize: Int { DeletionTexts.batchSize }
    func id(of row: Int) -> Int64 { ids[row] }

    func statement(rows: Int) throws(StoreError) -> Statement {
        try connection.statement(rows == 1 ? texts.one : texts.many)
    }

    func rangeStatement() throws(StoreError) -> Statement? {
        guard let range = texts.range else { return nil }
        return try connection.statement(range)
    }

    func bind(_ row: Int, to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(ids[row], at: index)
    }

    func located(_ error: any Error, row: Int?) -> any Error { locate(error, row.map { ids[$0] }) }
}
