internal import StoreEngine

// The terminal methods of a query.
extension Query {
    /// Returns all objects that the query finds, in its order; without one, in order of their ids.
    public func all(isolation: isolated (any Actor)? = #isolation) throws -> [T] {
        try QueryCall(definition).run { try $0.objects() }.cast(to: T.self)
    }

    /// Returns the first object, or nil if there is none.
    ///
    /// Without an order, it is the object with the lowest id.
    public func first(isolation: isolated (any Actor)? = #isolation) throws -> T? {
        try firstObjects(1, definition, "first()").first
    }

    /// Returns the first objects, in the order of the query; all objects if there are fewer.
    ///
    /// ```swift
    /// let youngest = try Person.query.order(by: \.age).first(3)
    /// ```
    ///
    /// Without an order, they are the objects with the lowest ids. A negative count is treated as 0.
    public func first(_ count: Int, isolation: isolated (any Actor)? = #isolation) throws -> [T] {
        try firstObjects(Swift.max(count, 0), definition, "first(_:)")
    }

    private func firstObjects(
        _ count: Int, _ definition: QueryDefinition, _ terminalMethod: StaticString
    ) throws -> [T] {
        // If undecodable rows are skipped, the first object may belong to a later row than the first.
        guard definition.undecodable == nil else {
            return try QueryCall(definition, terminalMethod).run { try $0.objects(limit: count) }.cast(to: T.self)
        }
        let part = Query(definition).limit(Swift.min(definition.limit ?? count, count))
        return try QueryCall(part.definition, terminalMethod).run { try $0.objects() }.cast(to: T.self)
    }

    /// Returns the last object, or nil if there is none.
    ///
    /// ```swift
    /// let youngest = try Person.query.order(by: \.birthday).last()
    /// ```
    ///
    /// Without an order, it is the object with the highest id.
    ///
    /// - Complexity: One row is read; all rows if the query has a limit, an offset, or the order of a search.
    public func last(isolation: isolated (any Actor)? = #isolation) throws -> T? {
        guard isWhole else { return try all(isolation: isolation).last }
        return try firstObjects(1, try definition.lastFirst(), "last()").first
    }

    /// Returns the last objects, in the order of the query; all objects if there are fewer.
    ///
    /// ```swift
    /// let newest = try Order.query.order(by: \.date).last(3)
    /// ```
    ///
    /// Without an order, they are the objects with the highest ids. A negative count is treated as 0.
    ///
    /// - Complexity: As many rows as objects are read; all rows if the query has a limit, an offset, or the order of a
    ///   search.
    public func last(_ count: Int, isolation: isolated (any Actor)? = #isolation) throws -> [T] {
        let count = Swift.max(count, 0)
        guard isWhole else { return try all(isolation: isolation).suffix(count) }
        return try firstObjects(count, try definition.lastFirst(), "last(_:)").reversed()
    }

    /// Whether the query's order can be reversed.
    private var isWhole: Bool { definition.limit == nil && definition.offset == 0 && !definition.isRanked }

    /// Returns the only object that the query finds.
    ///
    /// - Throws: `StoreError` with the code `notFound` if there is none, or `severalFound` if there are several.
    public func single(isolation: isolated (any Actor)? = #isolation) throws -> T {
        ObjectMemory.cast(try QueryCall(definition).run { try $0.single() }, to: T.self)
    }

    /// Returns the number of matching objects that meet a condition: `try adults.count { $0.age > 65 }`.
    public func count(
        isolation: isolated (any Actor)? = #isolation, _ condition: (Columns<T>) throws -> Condition
    ) throws -> Int { try self.where(condition).count(isolation: isolation) }

    /// Returns the number of objects that the query finds.
    public func count(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try QueryCall(definition).run { try $0.count() }
    }

    /// Returns whether the query finds at least one object.
    public func exists(isolation: isolated (any Actor)? = #isolation) throws -> Bool {
        try QueryCall(definition).run { try $0.exists() }
    }

    /// Returns the ids of the objects that the query finds, in its order; without one, increasing.
    ///
    /// The objects are not loaded.
    public func ids(isolation: isolated (any Actor)? = #isolation) throws -> [Int64] {
        try QueryCall(definition).run { try $0.ids() }
    }
}
