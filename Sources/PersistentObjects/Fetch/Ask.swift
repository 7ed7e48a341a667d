internal import StoreEngine

/// A query with its values, ready to be asked in one session: what every finder, query, count and deletion ends in.
struct Ask {
    typealias Binder = (Statement) throws -> Void

    let space: ClassSpace
    let plan: QueryPlan
    let bind: Binder
    /// The id or the value of the unique property that it asks for.
    let key: DatabaseValue?
    /// The query itself, where it is about a part of what meets its condition, or wants more than objects as they are.
    private let special: QueryDefinition?

    init(_ space: ClassSpace, _ plan: QueryPlan, key: DatabaseValue? = nil, bind: @escaping Binder) {
        self.space = space
        self.plan = plan
        self.bind = bind
        self.key = key
        special = nil
        noteUnsavedEdits()
    }

    /// What a query asks, its plan made at first use.
    ///
    /// - Throws: what is wrong with the query, before any SQL.
    init(_ definition: QueryDefinition, _ space: ClassSpace) throws {
        let plan = try space.plan(of: definition)
        let session = space.session
        self.space = space
        self.plan = plan
        special = definition.isSpecial ? definition : nil
        var key: DatabaseValue?
        if let argument = definition.onlyArgument {
            if plan.subject != nil { key = try plan.uniqueValue(argument, space) }
            bind = { try plan.bind(argument, to: $0, session) }
        } else {
            // They are copied with less than the whole query.
            let (arguments, limit, offset) = (definition.arguments, definition.limit, definition.offset)
            if plan.subject != nil, let first = arguments.first { key = try plan.uniqueValue(first, space) }
            bind = { try plan.bind(arguments, limit: limit, offset: offset, to: $0, session) }
        }
        self.key = key
        noteUnsavedEdits()
    }

    var session: Session { space.session }
}

// The terminal methods.
extension Ask {
    /// The objects in their order: from memory, where one is there and its unique value says all.
    ///
    /// - Parameter limit: How many at most, besides what the query says itself.
    func objects(limit: Int? = nil) throws -> [PersistentObject] {
        guard let special else { return try throughMemory { try rows(limit: limit) } }
        if special.refreshing != nil { return try refreshedObjects(special, limit: limit) }
        if let tell = special.undecodable {
            return try readableObjects(special, limit: limit, tell)
        }
        guard let limit else { return try specialObjects(special) { ask in try ask.throughMemory { try ask.rows() } } }
        var part = special
        part.limit = Swift.min(part.limit ?? limit, limit)
        return try Ask(part, space).objects()
    }

    /// All objects, as the database has them, whatever is in memory.
    func currentObjects() throws -> [PersistentObject] {
        guard let special else { return try rows() }
        return try specialObjects(special) { try $0.rows() }
    }

    func first() throws -> PersistentObject? { try objects(limit: 1).first }

    /// The one object that is found.
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
        noteScan(of: plan.count, found: count)
        return count
    }

    func exists() throws -> Bool { try space.integers(plan.exists, bind: bind).first != 0 }

    /// The ids of all objects, in their order.
    func ids() throws -> [Int64] {
        var ids = try space.integers(plan.ids, bind: bind)
        if !plan.isAnswerOrdered { IDOrder.sort(&ids) }
        return ids
    }
}

extension Ask {
    /// The objects of the rows that it finds, without a look into memory.
    func rows(limit: Int? = nil) throws -> [PersistentObject] {
        let statement = try boundStatement(limit: limit)
        let objects = try Fetch(session).fetch(space, statement)
        noteScan(of: statement, found: objects.count)
        return plan.isAnswerOrdered || limit != nil ? objects : IDOrder.sorted(objects)
    }

    /// The statement that selects the objects, its values bound; finish it.
    @inline(__always)
    func boundStatement(limit: Int? = nil) throws -> Statement {
        let statement = try limit == nil ? plan.selectStatement(space) : space.prepared(plan.selectFirst)
        do {
            statement.beginBinding()
            try bind(statement)
            if let limit { try statement.bind(Int64(limit), at: plan.limitPlace) }
        } catch {
            statement.finish()
            throw space.located(error, sql: statement.sql)
        }
        return statement
    }

    @inline(__always)
    private func throughMemory(_ fetch: () throws -> [PersistentObject]) throws -> [PersistentObject] {
        guard let place = plan.uniquePlace, let key, key != .null else { return try fetch() }
        if let known = space.knownObject(place, key) { return [known] }
        let found = try fetch()
        for object in found { space.indexKeys(of: object) }
        return found
    }

    /// The results of `fetch` with loaded parts, or untracked.
    private func specialObjects(
        _ definition: QueryDefinition, _ fetch: (Ask) throws -> [PersistentObject]
    ) throws -> [PersistentObject] {
        guard definition.isUntracked, !session.isReader else {
            return try LinkLoader(session).including(definition.parts, space) { try fetch(self) }
        }
        return try Fetch(session).untracked { reader in
            try Ask(definition, reader.space(of: definition.type)).specialObjects(definition, fetch)
        }
    }
}

extension QueryDefinition {
    /// Whether it is about a part of what meets its condition, or wants more than objects as they are.
    fileprivate var isSpecial: Bool {
        limit != nil || offset != 0 || !parts.isEmpty || isUntracked || undecodable != nil
            || refreshing != nil
    }
}
