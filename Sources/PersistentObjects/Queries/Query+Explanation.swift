internal import StoreEngine

// Explanations of queries.
extension Query {
    /// The SELECT that `all()` runs, with placeholders for its values.
    ///
    /// If the query cannot be run, it is an SQL comment with the reason.
    public var sql: String {
        do { return try QueryCall(definition).run { $0.plan.select.text } } catch { return "-- \(error)" }
    }

    /// Returns the SELECT that `all()` runs and SQLite's plan for it, in readable form.
    ///
    /// ```swift
    /// print(try Person.where { $0.lastName == "Smith" }.explain())
    /// // SELECT "person"."id", … FROM "person" WHERE "person"."last_name" = ?1
    /// //   SCAN person
    /// // Hint: The query reads every row of person. Declare @Indexed on lastName to avoid that.
    /// ```
    ///
    /// The indented lines are the output of SQLite's `EXPLAIN QUERY PLAN`. If the plan reads the whole table of the
    /// class although the query compares a property that could be indexed, a hint names the property. The query itself
    /// is not run.
    ///
    /// - Throws: `StoreError` with the code `unsupported` on PostgreSQL; an error of the query if it cannot be prepared.
    public func explain(isolation: isolated (any Actor)? = #isolation) throws -> String {
        try QueryCall(definition).run { try $0.explanation(definition) }
    }
}

extension BoundQuery {
    fileprivate func explanation(_ definition: QueryDefinition) throws -> String {
        try session.connection.require(.explanation, className: space.map.name)
        var lines = [plan.select.text]
        var steps: [PlanStep] = []
        try space.run(plan.dialect.explanation(plan.select), bind: bind) { steps = try $0.planSteps() }
        lines += steps.map { String(repeating: "  ", count: $0.depth) + $0.text }
        if steps.contains(where: { $0.readsAll(of: space.map.table) }),
            let hint = IndexAdvice(definition, space.map).hint
        {
            lines.append(hint)
        }
        return lines.joined(separator: "\n")
    }
}
