// Names from other libraries for methods with other names here, so that the compiler suggests the right method.
extension Query {
    /// Never called: use `where` for conditions.
    @available(*, unavailable, message: "use where instead: query.where { $0.age > 30 }")
    public func filter(_ condition: (Columns<T>) throws -> Condition) -> Query { self }

    /// Never called: join conditions in one closure.
    @available(*, unavailable, message: "combine conditions in one closure: where { $0.age > 30 || $0.age == nil }")
    public func or(_ other: Query) -> Query { self }

    /// Never called: join conditions in one closure.
    @available(*, unavailable, message: "combine conditions in one closure: where { $0.age > 30 || $0.age == nil }")
    public func or(_ condition: (Columns<T>) throws -> Condition) -> Query { self }

    /// Never called: reverse the direction of each order instead.
    @available(
        *, unavailable,
        message: "reverse each order's direction instead: order(by: \\.age, .descending), or use last(3)"
    )
    public func reversed() -> Query { self }

    /// Never called: use `order` to sort objects.
    @available(*, unavailable, message: "use order instead: order(by: \\.age) or order { $0.lastName.count }")
    public func sorted<V>(by property: KeyPath<T, V>) -> Query { self }

    /// Never called: use `first(_:)` for the first objects.
    @available(*, unavailable, message: "use try query.first(3) instead, or query.limit(3) for a query")
    public func prefix(_ count: Int) -> Query { self }

    /// Never called: use `exists()` to check for objects.
    @available(*, unavailable, message: "use try query.exists() instead, because it reads the file and can throw")
    public var isEmpty: Bool { false }
}

// The same for classes. Without these declarations the names would compile as finders and fail at run time.
extension Persistent {
    /// Never called: objects save themselves.
    @available(*, unavailable, message: "use try object.save() or try session.save(objects) instead")
    public static func insert(_ objects: Any...) throws {}

    /// Never called: use the initializers to create objects.
    @available(*, unavailable, message: "create the object and save it: let object = Person(); try object.save()")
    public static func create(_ values: Any...) throws {}

    /// Never called: use `find` to get an object by its id.
    @available(*, unavailable, message: "use find to find an object by its id: try Person.find(7)")
    public static func get(_ id: some Any) throws -> Self? { nil }

    /// Never called: use `find` or a query to check whether an object exists.
    @available(
        *, unavailable, message: "use try Person.find(7) != nil or try Person.where { $0.age > 30 }.exists() instead"
    )
    public static func exists(_ id: some Any) throws -> Bool { false }

    /// Never called: use `all()` for all objects.
    @available(*, unavailable, renamed: "all()")
    public static func list() throws -> [Self] { [] }

    /// Never called: use `all()` for all objects.
    @available(*, unavailable, renamed: "all()")
    public static func getAll() throws -> [Self] { [] }

    /// Never called: use a query or a finder to compare values.
    @available(*, unavailable, message: "compare in a query: try Person.where { $0.lastName == \"x\" }.first()")
    public static func findFirst(_ values: [String: Any?]) throws -> Self? { nil }

    /// Never called: use a query or a finder to compare values.
    @available(*, unavailable, message: "compare in a query: try Person.where { $0.lastName == \"x\" }.all()")
    public static func findAllWhere(_ values: [String: Any?]) throws -> [Self] { [] }

    /// Never called: use `where` for conditions.
    @available(*, unavailable, message: "use where instead: Person.where { $0.age > 30 }")
    public static func filter(_ condition: (Columns<Self>) throws -> Condition) throws {}
}
