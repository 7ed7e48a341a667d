internal import StoreEngine

/// In which tables rows with ids of their own may be in the way of those that a sequence gives.
struct PostgresIDs {
    /// The tables for whose rows the open transaction has got ids.
    var reserved: Set<String> = []
    /// Those that were told.
    private var doubted: Set<String> = []
    /// Whether all are doubtful but those that were looked at since.
    private var doubtsAll = false
    private var settled: Set<String> = []

    /// Those that are known to be, in an order.
    var doubtedTables: [String] { doubted.sorted() }

    func isDoubtful(_ table: String) -> Bool { doubted.contains(table) || doubtsAll && !settled.contains(table) }

    mutating func doubt(_ table: String) {
        doubted.insert(table)
        settled.remove(table)
    }

    /// A statement of the user's may have inserted rows, and nobody knows where.
    mutating func doubtAll() {
        doubtsAll = true
        settled = []
    }

    /// The table's sequence is behind all its rows.
    mutating func settle(_ table: String) {
        doubted.remove(table)
        settled.insert(table)
    }

    /// The error for rows with ids of their own that were met where nobody had thought of them; nil where it is none.
    mutating func meeting(_ failure: PostgresFailure, _ error: StoreError) -> StoreError? {
        guard failure.state == "23505", error.constraint?.columns == ["id"], let table = failure.table,
            reserved.contains(table), !isDoubtful(table)
        else { return nil }
        doubt(table)
        var meeting = StoreError(
            .busy,
            "Another session inserted rows with assigned ids into \(table). The transaction was rolled "
                + "back. Run it again",
            sql: error.sql)
        meeting.serverState = failure.state
        meeting.repetition = .again
        return meeting
    }
}
