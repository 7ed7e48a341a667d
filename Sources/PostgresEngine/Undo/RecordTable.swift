/// The state of a connection's table for recorded rows. See `PostgresRecords`.
struct RecordTable {
    /// The number of the connection that has the table; nil if there is none.
    private var connection: Int?
    /// The number of the connection on which the query of the rows is prepared.
    var preparedConnection: Int?
    /// The number of prepared queries, which may have failed. A name is used once, because the query stays prepared if
    /// the transaction is rolled back.
    private var preparationCount = 0
    /// The number of the last row that was read, and its value when the table was emptied.
    private var (lastNumber, firstNumber): (Int64, Int64) = (0, 0)
    /// The size of the rows that were read since the table was emptied.
    private var byteCount = 0
    /// Whether the table may have rows that were not read, because their transaction was rolled back, for example.
    var mustBeEmptied = false

    private var isFull: Bool {
        mustBeEmptied || byteCount > PostgresRecords.mostBytes || lastNumber - firstNumber > PostgresRecords.mostRows
    }

    /// The statements that create or empty the table in a transaction, if that is necessary.
    mutating func beginning(on connection: Int) -> [String] {
        if self.connection != connection { forget() }
        return (self.connection == nil ? PostgresRecords.table : []) + (isFull ? [PostgresRecords.emptying] : [])
    }

    /// Called after a recorded transaction was committed, before `didRead`.
    mutating func didCommit(on connection: Int) {
        self.connection = connection
        if isFull { (firstNumber, byteCount, mustBeEmptied) = (lastNumber, 0, false) }
    }

    mutating func didRead(upTo number: Int64, size: Int) {
        lastNumber = number
        byteCount += min(size, PostgresRecords.mostBytes + 1)
    }

    /// Called after the table was dropped.
    mutating func forget() { (connection, lastNumber, firstNumber, byteCount) = (nil, 0, 0, 0) }

    /// The commands that read the rows of the open transaction.
    mutating func queries(upTo limit: Int, on connection: Int) -> [PostgresPipe.Command] {
        var preparation: [PostgresPipe.Command] = []
        if preparedConnection != connection {
            preparationCount += 1
            preparation = [.prepare(name: name, sql: PostgresRecords.taking, types: [.int8, .int8])]
        }
        var message = PostgresMessage(count: 2, capacity: 16)
        message.append(lastNumber + 1)
        message.append(Int64(limit))
        return preparation + [.run(name: name, message)]
    }

    private var name: String { "po_taken_\(preparationCount)" }
}
