internal import StoreEngine

/// The tables in which rows with assigned ids may collide with ids from a sequence.
struct PostgresIDs {
    /// The tables for which the open transaction has reserved ids.
    var reserved: Set<String> = []
    /// The tables that were reported as doubtful.
    private var doubted: Set<String> = []
    /// Whether all tables are doubtful except the settled tables.
    private var doubtsAll = false
    private var settled: Set<String> = []

    /// The known doubtful tables, sorted.
    var doubtedTables: [String] { doubted.sorted() }

    func isDoubtful(_ table: String) -> Bool { doubted.contains(table) || doubtsAll && !settled.contains(table) }

    mutating func doubt(_ table: String) {
        doubted.insert(table)
        settled.remove(table)
    }

    /// Called when a user statement may have inserted rows in unknown tables.
    mutating func doubtAll() {
        doubtsAll = true
        settled = []
    }

    /// Called when the table's sequence is past all its rows.
    mutating func settle(_ table: String) {
        doubted.remove(table)
        settled.insert(table)
    }

    /// The error for an unexpected collision with an assigned id; nil for other failures.
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
