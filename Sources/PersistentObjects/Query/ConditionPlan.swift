internal import StoreEngine

/// A condition made ready for one session: its statements' texts, and the one that is used most.
final class ConditionPlan {
    let condition: FinderCondition
    let comparisons: [ResolvedComparison]
    /// Those comparisons that have one, in the order of the arguments.
    let arguments: [ResolvedComparison]
    /// The property, where the condition asks for nothing but a value that is unique.
    let uniquePlace: Int?
    private let sql: ClassSQL
    /// Which arguments the texts take for nil.
    private let nils: Set<Int>
    private let tellsNil: Bool
    private var variants: [Set<Int>: ConditionPlan] = [:]
    private var kept: SQLiteStatement?
    private(set) lazy var select = completed(sql.select)
    private(set) lazy var selectFirst = completed(sql.select, " ORDER BY \"id\" LIMIT ?")
    private(set) lazy var count = completed(sql.count)
    private(set) lazy var exists = "SELECT EXISTS (\(completed(sql.selectID)))"
    private(set) lazy var ids = completed(sql.selectID)

    /// The plan of a condition; `finder` names it in errors.
    init(_ condition: FinderCondition, _ space: ClassSpace, finder: String) throws {
        self.condition = condition
        let comparisons = try condition.comparisons.map {
            try ResolvedComparison($0, space.map, finder: finder, space.session)
        }
        self.comparisons = comparisons
        arguments = comparisons.filter { $0.comparison.operation.hasArgument }
        tellsNil = arguments.contains(where: \.tellsNil)
        nils = []
        sql = space.sql
        uniquePlace = space.map.uniquePlace(of: condition)
    }

    private init(_ plan: ConditionPlan, nils: Set<Int>) {
        condition = plan.condition
        comparisons = plan.comparisons
        arguments = plan.arguments
        tellsNil = false
        self.nils = nils
        sql = plan.sql
        uniquePlace = plan.uniquePlace
    }

    /// The plan for some arguments: nil at the end of a path wants SQL of its own.
    @inline(__always)
    func plan(for values: [DatabaseValue]) -> ConditionPlan {
        tellsNil ? variant(values) : self
    }

    private func variant(_ values: [DatabaseValue]) -> ConditionPlan {
        let nils = Set(values.indices.filter { values[$0] == .null && arguments[$0].tellsNil })
        guard !nils.isEmpty else { return self }
        if let known = variants[nils] { return known }
        // A name with many arguments has many combinations of them.
        if variants.count >= 64 { variants = [:] }
        let made = ConditionPlan(self, nils: nils)
        variants[nils] = made
        return made
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
    var isByID: Bool {
        comparisons.count == 1 && comparisons[0].comparison.subject == .id && comparisons[0].comparison.path.isEmpty
    }

    private func completed(_ start: SQL, _ end: StaticString = "") -> String {
        var text = start
        text.append(" WHERE ")
        var next = 0
        var argument = 0
        text.append(condition.alternatives, separator: " OR ") { sql, all in
            sql.append(all, separator: " AND ") { sql, _ in
                let comparison = comparisons[next]
                next += 1
                let isNil = nils.contains(argument)
                if comparison.comparison.operation.hasArgument { argument += 1 }
                comparison.append(to: &sql, isNil: isNil && comparison.comparison.operation.hasArgument)
            }
        }
        text.append(end)
        return text.text
    }
}
