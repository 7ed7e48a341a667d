internal import StoreEngine

// What is asked of a query.
extension Query {
    /// All objects that the query finds.
    public func all(isolation: isolated (any Actor)? = #isolation) throws -> [T] {
        try QueryCall(definition).objects().cast(to: T.self)
    }

    /// The first object; nil where there is none. Without an order it is the one with the least id.
    public func first(isolation: isolated (any Actor)? = #isolation) throws -> T? {
        try limit(Swift.min(definition.limit ?? 1, 1)).all(isolation: isolation).first
    }

    /// The one object that the query finds.
    ///
    /// - Throws: `StoreError` with the code `notFound` or `severalFound`.
    public func only(isolation: isolated (any Actor)? = #isolation) throws -> T {
        ObjectMemory.cast(try QueryCall(definition).onlyObject(), to: T.self)
    }

    /// How many objects the query finds.
    public func count(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        Int(try QueryCall(definition).integer(\.count))
    }

    /// Whether the query finds an object.
    public func exists(isolation: isolated (any Actor)? = #isolation) throws -> Bool {
        try QueryCall(definition).integer(\.exists) != 0
    }

    /// The ids of the objects that the query finds, without the objects.
    public func ids(isolation: isolated (any Actor)? = #isolation) throws -> [Int64] {
        try QueryCall(definition).integers(\.ids)
    }
}

/// One call of an ending.
struct QueryCall {
    private let definition: QueryDefinition

    init(_ definition: QueryDefinition) { self.definition = definition }

    func objects() throws -> [PersistentObject] {
        try run { session, space, plan in
            let statement = try plan.selectStatement(session.connection)
            try bind(plan, to: statement, session, space)
            return try session.fetch(space, statement)
        }
    }

    func onlyObject() throws -> PersistentObject {
        var definition = definition
        definition.limit = Swift.min(definition.limit ?? 2, 2)
        let found = try QueryCall(definition).objects()
        guard let first = found.first else { throw error(.notFound, "no row was found, exactly one is wanted") }
        guard found.count == 1 else {
            throw error(.severalFound, "several rows were found, exactly one is wanted")
        }
        return first
    }

    private func error(_ code: StoreError.Code, _ message: String) -> StoreError {
        StoreError(code, message, className: String(describing: definition.type))
    }

    func integer(_ sql: KeyPath<QueryPlan, String>) throws -> Int64 { try integers(sql).first ?? 0 }

    /// The numbers of a statement's first column.
    func integers(_ sql: KeyPath<QueryPlan, String>) throws -> [Int64] {
        try run { session, space, plan in
            let statement = try session.connection.statement(plan[keyPath: sql])
            defer { statement.finish() }
            try bind(plan, to: statement, session, space)
            var numbers: [Int64] = []
            do { while try statement.step() { numbers.append(statement.integer(0)) } } catch {
                throw space.located(error, sql: statement.sql)
            }
            return numbers
        }
    }

    private func bind(_ plan: QueryPlan, to statement: SQLiteStatement, _ session: Session, _ space: ClassSpace) throws
    {
        do { try plan.bind(definition, to: statement, session) } catch {
            statement.finish()
            throw space.located(error, sql: statement.sql)
        }
    }

    private func run<R>(_ body: (Session, ClassSpace, QueryPlan) throws -> R) throws -> R {
        if let problem = definition.problem { throw problem }
        let session = try CurrentSession.session(for: definition.type)
        return try session.enter {
            let space = try session.space(of: definition.type)
            return try body(session, space, try space.plan(definition.shape) { try QueryPlan(definition, space) })
        }
    }
}
