// Names that other libraries have for what is called otherwise here, so that the compiler says what to write.
extension Query {
    /// Never called: conditions are given to `where`.
    @available(*, unavailable, message: "use where instead: query.where { $0.age > 30 }")
    public func filter(_ condition: (Columns<T>) throws -> Condition) -> Query { self }

    /// Never called: conditions are joined inside of one closure.
    @available(*, unavailable, message: "combine conditions in one closure: where { $0.age > 30 || $0.age == nil }")
    public func or(_ other: Query) -> Query { self }

    /// Never called: conditions are joined inside of one closure.
    @available(*, unavailable, message: "combine conditions in one closure: where { $0.age > 30 || $0.age == nil }")
    public func or(_ condition: (Columns<T>) throws -> Condition) -> Query { self }

    /// Never called: an order has a direction.
    @available(
        *, unavailable,
        message: "reverse each order's direction instead: order(by: \\.age, .descending), or use last(3)"
    )
    public func reversed() -> Query { self }

    /// Never called: objects are ordered by `order`.
    @available(*, unavailable, message: "use order instead: order(by: \\.age) or order { $0.lastName.count }")
    public func sorted<V>(by property: KeyPath<T, V>) -> Query { self }

    /// Never called: the first objects are `first(_:)`.
    @available(*, unavailable, message: "use try query.first(3) instead, or query.limit(3) for a query")
    public func prefix(_ count: Int) -> Query { self }

    /// Never called: whether there are objects is asked with `exists()`.
    @available(*, unavailable, message: "use try query.exists() instead, because it reads the file and can throw")
    public var isEmpty: Bool { false }
}
