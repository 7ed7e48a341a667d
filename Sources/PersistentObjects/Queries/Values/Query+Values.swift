internal import StoreEngine

// Values of properties, read without creating objects.
extension Query {
    /// Returns the values of a property, one for each object that the query finds.
    ///
    /// ```swift
    /// let names = try Person.query.order(by: \.lastName).values(of: \.lastName)     // [String]
    /// ```
    ///
    /// They are in the order of the query; without one, in order of the objects' ids.
    ///
    /// - Throws: The errors of the method for several properties.
    public func values<V>(
        of property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [V] {
        // The form for several properties returns one-element tuples, on which the compiler finds no `contains`.
        try QueryCall(definition).rows([property], .all, ValueColumns(of: V.self))
    }

    /// Returns the values of several properties, a tuple for each object that the query finds.
    ///
    /// ```swift
    /// for (name, age) in try Person.where { $0.age > 30 }.values(of: \.lastName, \.age) { print(name, age ?? 0) }
    /// ```
    ///
    /// They are in the order of the query; without one, in order of the objects' ids. No objects are created.
    ///
    /// - Throws: `QueryError` for properties that are not the value of a single column: references and collections.
    ///   `FinderError` for a computed property. `StoreError` with the code `typeMismatch` if a column does not contain
    ///   a value that the property accepts.
    /// - Complexity: One SELECT of these columns.
    public func values<each V>(
        of properties: repeat KeyPath<T, each V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [(repeat each V)] {
        var paths: [AnyKeyPath] = []
        var columns = ValueColumns()
        func add<Value>(_ path: KeyPath<T, Value>) throws {
            paths.append(path)
            try columns.append(Value.self)
        }
        repeat try add(each properties)
        guard !paths.isEmpty else {
            throw QueryError.notExpressible("The query names no property whose values to fetch. Name at least one")
        }
        return try QueryCall(definition).rows(paths, .all, columns)
    }

    /// Returns a value computed from the properties of each object that the query finds.
    ///
    /// ```swift
    /// let names = try Person.where { $0.age > 30 }.values { $0.lastName.uppercased() }     // [String]
    /// ```
    ///
    /// The values are in the order of the query; without one, in order of the objects' ids. No objects are created.
    ///
    /// - Throws: The errors of the method for several properties.
    /// - Complexity: One SELECT.
    public func values<V, A>(
        isolation: isolated (any Actor)? = #isolation, _ value: (Columns<T>) throws -> Term<V, A>
    ) throws -> [A] {
        let value = try value(Columns(scope: 0, scopes: ScopeCounter())).expression
        return try QueryCall(definition).rows([value], .all, ValueColumns(of: A.self))
    }

    /// Returns the distinct values of a property among the objects that the query finds.
    ///
    /// ```swift
    /// let names = try Person.query.distinct(\.lastName)       // [String], in the order of the column
    /// ```
    ///
    /// If the query has an order, values are in the order of their first appearance. Nil can be one of them. No objects
    /// are created.
    ///
    /// - Throws: The errors of `values(of:)`.
    /// - Complexity: One SELECT.
    public func distinct<V: Hashable>(
        _ property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [V] {
        let values = try QueryCall(definition).rows(
            [property], .distinct(isOrdered: true), ValueColumns(of: V.self), as: V.self)
        // Strings that are equal in Swift can have different bytes.
        var seen: Set<V> = []
        return values.filter { seen.insert($0).inserted }
    }

    /// The same query: a query finds each object once.
    ///
    /// Conditions on collections and on other objects check whether a match exists, and multiply no rows. The property
    /// exists because users of other libraries expect it.
    public var distinct: Query { self }
}
