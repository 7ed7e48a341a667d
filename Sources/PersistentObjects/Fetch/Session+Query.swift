internal import StoreEngine

/// A query with its values, ready to be asked.
struct Question {
    let plan: QueryPlan
    let bind: Session.Binder
    /// The id or the value of the unique property that it asks for.
    let key: DatabaseValue?
}

// What queries and finders ask.
extension Session {
    typealias Binder = (Statement) throws -> Void

    /// What a query asks, its plan made at first use.
    ///
    /// - Throws: what is wrong with the query, before any SQL.
    func question(_ space: ClassSpace, _ definition: QueryDefinition) throws -> Question {
        let plan = try space.plan(of: definition)
        if let argument = definition.onlyArgument {
            var key: DatabaseValue?
            if plan.subject != nil, case .value(let value) = argument { key = value }
            return Question(plan: plan, bind: { try plan.bind(argument, to: $0, self) }, key: key)
        }
        let (arguments, limit, offset) = (definition.arguments, definition.limit, definition.offset)
        var key: DatabaseValue?
        if plan.subject != nil, case .value(let value)? = arguments.first { key = value }
        return Question(
            plan: plan, bind: { try plan.bind(arguments, limit: limit, offset: offset, to: $0, self) }, key: key)
    }

    /// All objects that a query finds, without a look into memory.
    func select(_ space: ClassSpace, _ question: Question) throws -> [PersistentObject] {
        let statement = try question.plan.selectStatement(space)
        do {
            statement.beginBinding()
            try question.bind(statement)
        } catch {
            statement.finish()
            throw space.located(error, sql: statement.sql)
        }
        let objects = try fetch(space, statement)
        return question.plan.isAnswerOrdered ? objects : IDOrder.sorted(objects)
    }

    /// The ids of all objects that a query finds, in its order.
    func ids(_ space: ClassSpace, _ question: Question) throws -> [Int64] {
        var ids = try integers(space, question.plan.ids, question.bind)
        if !question.plan.isAnswerOrdered { IDOrder.sort(&ids) }
        return ids
    }

    /// The first objects that a query without a limit finds.
    func select(_ space: ClassSpace, _ question: Question, limit: Int) throws -> [PersistentObject] {
        let statement = try space.prepared(question.plan.selectFirst)
        do {
            statement.beginBinding()
            try question.bind(statement)
            try statement.bind(Int64(limit), at: question.plan.limitPlace)
        } catch {
            statement.finish()
            throw space.located(error, sql: statement.sql)
        }
        return try fetch(space, statement)
    }

    /// The one object that a query without a limit finds.
    func selectOnly(_ space: ClassSpace, _ question: Question) throws -> PersistentObject {
        let found = try select(space, question, limit: 2)
        let sql = question.plan.selectFirst.text
        guard let first = found.first else {
            throw space.located(StoreError(.notFound, "no row was found, exactly one is wanted", sql: sql))
        }
        guard found.count == 1 else {
            throw space.located(StoreError(.severalFound, "several rows were found, exactly one is wanted", sql: sql))
        }
        return first
    }

    func count(_ space: ClassSpace, _ question: Question) throws -> Int {
        Int(try integer(space, question.plan.count, question.bind))
    }

    func exists(_ space: ClassSpace, _ question: Question) throws -> Bool {
        try integer(space, question.plan.exists, question.bind) != 0
    }

    /// The one number that a statement gives.
    func integer(_ space: ClassSpace, _ sql: SQL, _ bind: Binder = { _ in }) throws -> Int64 {
        try integers(space, sql, bind).first ?? 0
    }

    /// The numbers of a statement's first column.
    func integers(_ space: ClassSpace, _ sql: SQL, _ bind: Binder = { _ in }) throws -> [Int64] {
        let statement = try space.prepared(sql)
        defer { statement.finish() }
        var numbers: [Int64] = []
        do {
            statement.beginBinding()
            try bind(statement)
            while try statement.step() { numbers.append(statement.integer(0)) }
        } catch { throw space.located(error, sql: sql.text) }
        return numbers
    }
}
