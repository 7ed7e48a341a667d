internal import StoreEngine

/// A query with its values, ready to run in one session. Every finder, query, count and deletion ends in a `BoundQuery`.
struct BoundQuery {
    typealias Binder = (Statement) throws -> Void

    let space: ClassSpace
    let plan: QueryPlan
    let bind: Binder
    /// The id, or the value of the unique property, that the query compares.
    let key: DatabaseValue?
    /// The query itself if it has a limit or an offset, or if it does more than return objects as they are in memory.
    private let special: QueryDefinition?

    init(_ space: ClassSpace, _ plan: QueryPlan, key: DatabaseValue? = nil, bind: @escaping Binder) {
        self.space = space
        self.plan = plan
        self.bind = bind
        self.key = key
        special = nil
        reportUnsavedEdits()
    }

    /// Creates the call of a query. The query's plan is created on first use.
    ///
    /// - Throws: The errors of the query, before any SQL runs.
    init(_ definition: QueryDefinition, _ space: ClassSpace) throws {
        let plan = try space.plan(of: definition)
        let session = space.session
        self.space = space
        self.plan = plan
        special = definition.isSpecial ? definition : nil
        var key: DatabaseValue?
        if let argument = definition.onlyArgument {
            if plan.subject != nil { key = try plan.uniqueValue(argument) }
            bind = { try plan.bind(argument, to: $0, session.parts) }
        } else {
            // Copying these three values is cheaper than copying the whole query.
            let (arguments, limit, offset) = (definition.arguments, definition.limit, definition.offset)
            if plan.subject != nil, let first = arguments.first { key = try plan.uniqueValue(first) }
            bind = { try plan.bind(arguments, limit: limit, offset: offset, to: $0, session.parts) }
        }
        self.key = key
        reportUnsavedEdits()
    }

    var session: Session { space.session }
}

// The terminal methods.
extension BoundQuery {
    /// The objects in the query's order. If a unique value determines the result and its object is in memory, no SQL
    /// runs.
    ///
    /// - Parameter limit: The maximum number, in addition to the query's own limit.
    func objects(limit: Int? = nil) throws -> [PersistentObject] {
        guard let special else { return try throughMemory { try rows(limit: limit) } }
        if special.refreshing != nil { return try refreshedObjects(special, limit: limit) }
        if let report = special.undecodable {
            return try readableObjects(special, limit: limit, report)
        }
        guard let limit else {
            return try specialObjects(special) { query in try query.throughMemory { try query.rows() } }
        }
        var part = special
        part.limit = Swift.min(part.limit ?? limit, limit)
        return try BoundQuery(part, space).objects()
    }

    /// All objects as they are in the database, even if they are in memory.
    func currentObjects() throws -> [PersistentObject] {
        guard let special else { return try rows() }
        return try specialObjects(special) { try $0.rows() }
    }

    func first() throws -> PersistentObject? { try objects(limit: 1).first }

    /// The only object that the query finds.
    func single() throws -> PersistentObject {
        let found = try objects(limit: 2)
        let sql = special == nil ? plan.selectFirst.text : nil
        guard let first = found.first else {
            throw space.located(StoreError(.notFound, "No row was found, but exactly one was expected", sql: sql))
        }
        guard found.count == 1 else {
            throw space.located(
                StoreError(.severalFound, "Several rows were found, but exactly one was expected", sql: sql))
        }
        return first
    }

    func count() throws -> Int {
        let count = Int(try space.integers(plan.count, bind: bind).first ?? 0)
        reportScan(of: plan.count, found: count)
        return count
    }

    func exists() throws -> Bool { try space.integers(plan.exists, bind: bind).first != 0 }

    /// The ids of all objects, in the query's order.
    func ids() throws -> [Int64] {
        var ids = try space.integers(plan.ids, bind: bind)
        if !plan.isAnswerOrdered { IDOrder.sort(&ids) }
        return ids
    }
}

extension BoundQuery {
    /// The objects of the rows that the query finds, without a lookup in memory.
    func rows(limit: Int? = nil) throws -> [PersistentObject] {
        let statement = try boundStatement(limit: limit)
        let objects = try Fetch(session).fetch(space, statement)
        reportScan(of: statement, found: objects.count)
        return plan.isAnswerOrdered || limit != nil ? objects : IDOrder.sorted(objects)
    }

    /// The statement that selects the objects, with its values bound. The caller finishes it.
    @inline(__always)
    func boundStatement(limit: Int? = nil) throws -> Statement {
        let statement = try limit == nil ? plan.selectStatement(space) : space.prepared(plan.selectFirst)
        do {
            statement.beginBinding()
            try bind(statement)
            if let limit { try statement.bind(Int64(limit), at: plan.limitIndex) }
        } catch {
            statement.finish()
            throw space.located(error, sql: statement.sql)
        }
        return statement
    }

    @inline(__always)
    private func throughMemory(_ fetch: () throws -> [PersistentObject]) throws -> [PersistentObject] {
        guard let ordinal = plan.uniqueOrdinal, let key, key != .null else { return try fetch() }
        if let known = space.knownObject(ordinal, key) { return [known] }
        let found = try fetch()
        for object in found { space.indexKeys(of: object) }
        return found
    }

    /// The results of `fetch`, untracked or with their included parts loaded.
    private func specialObjects(
        _ definition: QueryDefinition, _ fetch: (BoundQuery) throws -> [PersistentObject]
    ) throws -> [PersistentObject] {
        guard definition.isUntracked, !session.isReader else {
            return try LinkLoader(session).including(definition.parts, space) { try fetch(self) }
        }
        return try Fetch(session).untracked { reader in
            try BoundQuery(definition, reader.space(of: definition.type)).specialObjects(definition, fetch)
        }
    }
}

extension QueryDefinition {
    /// Whether the query has a limit or an offset, or does more than return objects as they are in memory.
    fileprivate var isSpecial: Bool {
        limit != nil || offset != 0 || !parts.isEmpty || isUntracked || undecodable != nil
            || refreshing != nil
    }
}
