internal import StoreEngine

/// A condition made ready for one session: its statements' texts, and the one that is used most.
final class ConditionPlan {
    let condition: Condition
    let comparisons: [Condition.Comparison]
    private let sql: ClassSQL
    private let map: ClassMap
    private var kept: SQLiteStatement?
    private(set) lazy var select = completed(sql.select)
    private(set) lazy var selectFirst = completed(sql.select, " ORDER BY \"id\" LIMIT ?")
    private(set) lazy var count = completed(sql.count)
    private(set) lazy var exists = "SELECT EXISTS (\(completed(sql.selectID)))"
    private(set) lazy var ids = completed(sql.selectID)

    init(_ condition: Condition, _ map: ClassMap) {
        self.condition = condition
        self.map = map
        comparisons = condition.comparisons
        sql = ClassSQL(map)
    }

    /// The statement that selects all that the condition finds; finish it.
    @inline(__always)
    func selectStatement(_ connection: SQLiteConnection) throws(StoreError) -> SQLiteStatement {
        if let kept, !kept.isBusy {
            kept.take()
            return kept
        }
        let statement = try connection.statement(select)
        kept = statement
        return statement
    }

    /// The id, where the condition asks for nothing but it.
    var isByID: Bool { comparisons.count == 1 && comparisons[0].subject == .id }

    private func completed(_ start: SQL, _ end: StaticString = "") -> String {
        var text = start
        condition.append(to: &text, map)
        text.append(end)
        return text.text
    }
}
