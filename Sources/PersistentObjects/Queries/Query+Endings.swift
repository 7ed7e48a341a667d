internal import StoreEngine

// What is asked of a query.
extension Query {
    /// All objects that the query finds, in its order; without one, in that of their ids.
    public func all(isolation: isolated (any Actor)? = #isolation) throws -> [T] {
        try QueryCall(definition).objects().cast(to: T.self)
    }

    /// The first object; nil where there is none. Without an order it is the one with the least id.
    public func first(isolation: isolated (any Actor)? = #isolation) throws -> T? {
        try limit(Swift.min(definition.limit ?? 1, 1)).all(isolation: isolation).first
    }

    /// The last object; nil where there is none. Without an order it is the one with the greatest id.
    ///
    /// ```swift
    /// let youngest = try Person.query.order(by: \.birthday).last()
    /// ```
    ///
    /// - Complexity: one row is read; of a query with a limit, an offset or a search's order all are.
    public func last(isolation: isolated (any Actor)? = #isolation) throws -> T? {
        guard definition.limit == nil, definition.offset == 0, !definition.isRanked else {
            return try all(isolation: isolation).last
        }
        return try Query(try definition.lastFirst()).first(isolation: isolation)
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

    /// The ids of the objects that the query finds, without the objects, in its order; without one, increasing.
    public func ids(isolation: isolated (any Actor)? = #isolation) throws -> [Int64] {
        try QueryCall(definition).ask { session, space, question in try session.ids(space, question) }
    }
}

/// One call of an ending.
struct QueryCall {
    let definition: QueryDefinition

    init(_ definition: QueryDefinition) { self.definition = definition }

    func objects() throws -> [PersistentObject] {
        guard definition.isUntracked else { return try objects(in: nil) }
        try check()
        let session = try CurrentSession.session(for: definition.type)
        return try session.enter { try session.untracked { try objects(in: $0) } }
    }

    private func objects(in session: Session?) throws -> [PersistentObject] {
        try ask(in: session) { session, space, question in
            guard !definition.parts.isEmpty else { return try session.objects(space, question) }
            return try session.including(definition.parts, space) { try session.objects(space, question) }
        }
    }

    /// All objects, as the database has them, whatever is in memory.
    func currentObjects(in session: Session) throws -> [PersistentObject] {
        func objects(_ session: Session) throws -> [PersistentObject] {
            try ask(in: session) { session, space, question in
                try session.including(definition.parts, space) { try session.select(space, question) }
            }
        }
        return try definition.isUntracked ? session.enter { try session.untracked(objects) } : objects(session)
    }

    func onlyObject() throws -> PersistentObject {
        let isPlain = definition.limit == nil && definition.offset == 0 && definition.parts.isEmpty
        guard !isPlain || definition.isUntracked else {
            return try ask { session, space, question in try session.onlyObject(space, question) }
        }
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

    /// The one number that a statement gives.
    func integer(_ sql: KeyPath<QueryPlan, SQL>) throws -> Int64 {
        try ask { session, space, question in
            try session.integer(space, question.plan[keyPath: sql], question.bind)
        }
    }

    func bind(_ plan: QueryPlan, to statement: Statement, _ session: Session, _ space: ClassSpace) throws {
        do {
            statement.beginBinding()
            try plan.bind(definition, to: statement, session)
        } catch {
            statement.finish()
            throw space.located(error, sql: statement.sql)
        }
    }

    func run<R>(
        in session: Session? = nil, _ body: (Session, ClassSpace, QueryPlan) throws -> R
    ) throws -> R {
        try ask(in: session) { session, space, question in try body(session, space, question.plan) }
    }

    /// Throws what is known to be wrong without a look into the store.
    private func check() throws {
        try definition.check()
    }

    /// Calls `body` with what the query asks, in the current session where none is given.
    func ask<R>(in session: Session? = nil, _ body: (Session, ClassSpace, Question) throws -> R) throws -> R {
        try check()
        let session = try session ?? CurrentSession.session(for: definition.type)
        return try session.enter {
            let space = try session.space(of: definition.type)
            return try body(session, space, try session.question(space, definition))
        }
    }
}
