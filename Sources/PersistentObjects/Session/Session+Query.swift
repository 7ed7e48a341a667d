internal import StoreEngine

// What finders and the plain calls ask, in terms of conditions.
extension Session {
    typealias Binder = (SQLiteStatement) throws -> Void

    /// All objects that a condition finds.
    func objects(_ space: ClassSpace, _ plan: ConditionPlan, _ bind: Binder) throws -> [PersistentObject] {
        let statement = try plan.selectStatement(connection)
        do {
            statement.beginBinding()
            try bind(statement)
        } catch {
            statement.finish()
            throw space.located(error, sql: statement.sql)
        }
        return try fetch(space, statement)
    }

    /// The first objects by id that a condition finds.
    func objects(
        _ space: ClassSpace, _ plan: ConditionPlan, limit: Int, _ bind: Binder
    ) throws -> [PersistentObject] {
        let statement = try connection.statement(plan.selectFirst)
        do {
            statement.beginBinding()
            try bind(statement)
            try statement.bind(Int64(limit), at: Int32(plan.arguments.count) + 1)
        } catch {
            statement.finish()
            throw space.located(error, sql: statement.sql)
        }
        return try fetch(space, statement)
    }

    /// The one object that a condition finds.
    func onlyObject(_ space: ClassSpace, _ plan: ConditionPlan, _ bind: Binder) throws -> PersistentObject {
        let found = try objects(space, plan, limit: 2, bind)
        guard let first = found.first else {
            throw space.located(StoreError(.notFound, "no row was found, exactly one is wanted", sql: plan.selectFirst))
        }
        guard found.count == 1 else {
            throw space.located(
                StoreError(.severalFound, "several rows were found, exactly one is wanted", sql: plan.selectFirst))
        }
        return first
    }

    func count(_ space: ClassSpace, _ plan: ConditionPlan, _ bind: Binder) throws -> Int {
        Int(try integer(space, plan.count, bind))
    }

    func exists(_ space: ClassSpace, _ plan: ConditionPlan, _ bind: Binder) throws -> Bool {
        try integer(space, plan.exists, bind) != 0
    }

    /// The one number that a statement gives.
    func integer(_ space: ClassSpace, _ sql: String, _ bind: Binder = { _ in }) throws -> Int64 {
        let statement = try connection.statement(sql)
        defer { statement.finish() }
        do {
            statement.beginBinding()
            try bind(statement)
            return try statement.step() ? statement.integer(0) : 0
        } catch { throw space.located(error, sql: sql) }
    }
}
