internal import StoreEngine

// Values of properties, read without making objects.
extension Query {
    /// The values of a property, one for each object that the query finds.
    ///
    /// ```swift
    /// let names = try Person.query.order(by: \.lastName).values(of: \.lastName)     // [String]
    /// ```
    ///
    /// They are in the order of the query; without one, in that of the ids.
    ///
    /// - Throws: As for several properties.
    public func values<V>(
        of property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [V] {
        // What the form for several properties gives is a tuple of one, on which the compiler finds no `contains`.
        try QueryCall(definition).rows([property], .all, ValueColumns(of: V.self))
    }

    /// The values of some properties, a tuple for each object that the query finds.
    ///
    /// ```swift
    /// for (name, age) in try Person.where { $0.age > 30 }.values(of: \.lastName, \.age) { print(name, age ?? 0) }
    /// ```
    ///
    /// One SELECT of these columns; no objects are made. They are in the order
    /// of the query; without one, in that of the ids.
    ///
    /// - Throws: `QueryError` for what is no value of one column: references and
    ///   collections. `FinderError` for a computed property. `StoreError` with
    ///   the code `typeMismatch` if a column does not hold what the property
    ///   takes.
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

    /// What is made of the properties of each object that the query finds.
    ///
    /// ```swift
    /// let names = try Person.where { $0.age > 30 }.values { $0.lastName.uppercased() }     // [String]
    /// ```
    ///
    /// One SELECT; no objects are made. They are in the order of the query;
    /// without one, in that of the ids.
    ///
    /// - Throws: As for several properties.
    public func values<V, A>(
        isolation: isolated (any Actor)? = #isolation, _ value: (Columns<T>) throws -> Term<V, A>
    ) throws -> [A] {
        let value = try value(Columns(scope: 0, scopes: ScopeCounter())).expression
        return try QueryCall(definition).rows([value], .all, ValueColumns(of: A.self))
    }

    /// The different values that a property has among the objects that the query finds.
    ///
    /// ```swift
    /// let names = try Person.query.distinct(\.lastName)       // [String], in the order of the column
    /// ```
    ///
    /// If the query has an order, they are in the order in which they come
    /// first. Nil is one of them. One SELECT; no objects are made.
    ///
    /// - Throws: As `values(of:)`.
    public func distinct<V: Hashable>(
        _ property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [V] {
        let values = try QueryCall(definition).rows(
            [property], .distinct(isOrdered: true), ValueColumns(of: V.self), as: V.self)
        // Texts that Swift takes for equal can have different bytes.
        var seen: Set<V> = []
        return values.filter { seen.insert($0).inserted }
    }

    /// The same objects, each once.
    ///
    /// No query finds an object twice: conditions on collections and on other
    /// objects ask whether there is one, and multiply nothing. So this is the
    /// query itself, for those who are used to saying it.
    public var distinct: Query { self }
}
