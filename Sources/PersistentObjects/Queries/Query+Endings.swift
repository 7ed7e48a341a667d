internal import StoreEngine

// What is asked of a query.
extension Query {
    /// All objects that the query finds, in its order; without one, in that of their ids.
    public func all(isolation: isolated (any Actor)? = #isolation) throws -> [T] {
        try QueryCall(definition).ask { try $0.objects() }.cast(to: T.self)
    }

    /// The first object; nil if there is none. Without an order it is the one with the least id.
    public func first(isolation: isolated (any Actor)? = #isolation) throws -> T? {
        try firstObject(definition, "first()")
    }

    private func firstObject(_ definition: QueryDefinition, _ ending: StaticString) throws -> T? {
        // With rows left out the first object need not be that of the first row.
        guard definition.undecodable == nil else {
            return ObjectMemory.cast(try QueryCall(definition, ending).ask { try $0.first() }, to: T.self)
        }
        let one = Query(definition).limit(Swift.min(definition.limit ?? 1, 1))
        return try QueryCall(one.definition, ending).ask { try $0.objects() }.cast(to: T.self).first
    }

    /// The last object; nil if there is none. Without an order it is the one with the greatest id.
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
        return try firstObject(try definition.lastFirst(), "last()")
    }

    /// The one object that the query finds.
    ///
    /// - Throws: `StoreError` with the code `notFound` or `severalFound`.
    public func only(isolation: isolated (any Actor)? = #isolation) throws -> T {
        ObjectMemory.cast(try QueryCall(definition).ask { try $0.only() }, to: T.self)
    }

    /// How many objects the query finds.
    public func count(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try QueryCall(definition).ask { try $0.count() }
    }

    /// Whether the query finds an object.
    public func exists(isolation: isolated (any Actor)? = #isolation) throws -> Bool {
        try QueryCall(definition).ask { try $0.exists() }
    }

    /// The ids of the objects that the query finds, without the objects, in its order; without one, increasing.
    public func ids(isolation: isolated (any Actor)? = #isolation) throws -> [Int64] {
        try QueryCall(definition).ask { try $0.ids() }
    }
}
