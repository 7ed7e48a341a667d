public import Foundation

// Aggregates of groups whose keys are made of properties: `sum(\.price, by: { $0.day.month })`. What is added or compared can
// be made of properties as well. Groups that have no values, but nils at most, are left out.
extension Query {
    private func aggregate<V, K: Hashable>(_ value: AskedValue, by key: AskedValue) throws -> Aggregate<V, K> {
        Aggregate<V, K>(query: QueryCall(definition), value: value, grouping: try Grouping(by: key))
    }

    /// The sums by a key that is made of properties.
    @_disfavoredOverload
    public func sum<V: Numeric, W, K: Hashable>(
        _ property: KeyPath<T, V>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] { try (aggregate(AskedValue(property), by: AskedValue(key)) as Aggregate<V, K>).sums() }

    /// The same of a property that may be nil, whose nils are left out.
    @_disfavoredOverload
    public func sum<V: Numeric, W, K: Hashable>(
        _ property: KeyPath<T, V?>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] { try (aggregate(AskedValue(property), by: AskedValue(key)) as Aggregate<V, K>).sums() }

    /// The same of what is made of properties.
    @_disfavoredOverload
    public func sum<V: Numeric, A, W, K: Hashable>(
        _ value: (Columns<T>) throws -> Term<V, A>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] { try (aggregate(AskedValue(value), by: AskedValue(key)) as Aggregate<V, K>).sums() }

    /// The same by a property.
    @_disfavoredOverload
    public func sum<V: Numeric, A, K: Hashable>(
        _ value: (Columns<T>) throws -> Term<V, A>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] { try (aggregate(AskedValue(value), by: AskedValue(key)) as Aggregate<V, K>).sums() }

    /// The averages by a key that is made of properties.
    @_disfavoredOverload
    public func average<V: Numeric, W, K: Hashable>(
        _ property: KeyPath<T, V>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Double] { try (aggregate(AskedValue(property), by: AskedValue(key)) as Aggregate<V, K>).averages() }

    /// The same of a property that may be nil, whose nils are left out.
    @_disfavoredOverload
    public func average<V: Numeric, W, K: Hashable>(
        _ property: KeyPath<T, V?>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Double] { try (aggregate(AskedValue(property), by: AskedValue(key)) as Aggregate<V, K>).averages() }

    /// The same of what is made of properties.
    @_disfavoredOverload
    public func average<V: Numeric, A, W, K: Hashable>(
        _ value: (Columns<T>) throws -> Term<V, A>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Double] { try (aggregate(AskedValue(value), by: AskedValue(key)) as Aggregate<V, K>).averages() }

    /// The same by a property.
    @_disfavoredOverload
    public func average<V: Numeric, A, K: Hashable>(
        _ value: (Columns<T>) throws -> Term<V, A>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Double] { try (aggregate(AskedValue(value), by: AskedValue(key)) as Aggregate<V, K>).averages() }

    /// The least values by a key that is made of properties.
    @_disfavoredOverload
    public func min<V: Comparable, W, K: Hashable>(
        _ property: KeyPath<T, V>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try (aggregate(AskedValue(property), by: AskedValue(key)) as Aggregate<V, K>).extremes(.minimum)
    }

    /// The same of a property that may be nil, whose nils are left out.
    @_disfavoredOverload
    public func min<V: Comparable, W, K: Hashable>(
        _ property: KeyPath<T, V?>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try (aggregate(AskedValue(property), by: AskedValue(key)) as Aggregate<V, K>).extremes(.minimum)
    }

    /// The same of what is made of properties.
    @_disfavoredOverload
    public func min<V: Comparable, A, W, K: Hashable>(
        _ value: (Columns<T>) throws -> Term<V, A>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] { try (aggregate(AskedValue(value), by: AskedValue(key)) as Aggregate<V, K>).extremes(.minimum) }

    /// The same by a property.
    @_disfavoredOverload
    public func min<V: Comparable, A, K: Hashable>(
        _ value: (Columns<T>) throws -> Term<V, A>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] { try (aggregate(AskedValue(value), by: AskedValue(key)) as Aggregate<V, K>).extremes(.minimum) }

    /// The greatest values by a key that is made of properties.
    @_disfavoredOverload
    public func max<V: Comparable, W, K: Hashable>(
        _ property: KeyPath<T, V>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try (aggregate(AskedValue(property), by: AskedValue(key)) as Aggregate<V, K>).extremes(.maximum)
    }

    /// The same of a property that may be nil, whose nils are left out.
    @_disfavoredOverload
    public func max<V: Comparable, W, K: Hashable>(
        _ property: KeyPath<T, V?>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try (aggregate(AskedValue(property), by: AskedValue(key)) as Aggregate<V, K>).extremes(.maximum)
    }

    /// The same of what is made of properties.
    @_disfavoredOverload
    public func max<V: Comparable, A, W, K: Hashable>(
        _ value: (Columns<T>) throws -> Term<V, A>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] { try (aggregate(AskedValue(value), by: AskedValue(key)) as Aggregate<V, K>).extremes(.maximum) }

    /// The same by a property.
    @_disfavoredOverload
    public func max<V: Comparable, A, K: Hashable>(
        _ value: (Columns<T>) throws -> Term<V, A>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] { try (aggregate(AskedValue(value), by: AskedValue(key)) as Aggregate<V, K>).extremes(.maximum) }

    /// The averages of a decimal number, exactly where they have an end, by a key that is made of properties.
    public func average<W, K: Hashable>(
        _ property: KeyPath<T, Decimal>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Decimal] {
        try (aggregate(AskedValue(property), by: AskedValue(key)) as Aggregate<Decimal, K>).exactAverages()
    }
}
