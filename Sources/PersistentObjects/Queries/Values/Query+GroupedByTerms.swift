public import Foundation

// Aggregates of groups whose keys are computed from properties: `sum(\.price, by: { $0.day.month })`. The aggregated
// value can be computed from properties as well. Groups without values, or with nil only, are left out.
extension Query {
    private func aggregate<V, K: Hashable>(_ value: SelectedValue, by key: SelectedValue) throws -> Aggregate<V, K> {
        Aggregate<V, K>(query: QueryCall(definition), value: value, grouping: try Grouping(by: key))
    }

    /// Returns the sums of a property's values, by a key computed from properties.
    @_disfavoredOverload
    public func sum<V: Numeric, W, K: Hashable>(
        _ property: KeyPath<T, V>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] { try (aggregate(SelectedValue(property), by: SelectedValue(key)) as Aggregate<V, K>).sums() }

    /// Returns the sums of an optional property's values, ignoring nil, by a key computed from properties.
    @_disfavoredOverload
    public func sum<V: Numeric, W, K: Hashable>(
        _ property: KeyPath<T, V?>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] { try (aggregate(SelectedValue(property), by: SelectedValue(key)) as Aggregate<V, K>).sums() }

    /// Returns the sums of a computed value, by a key computed from properties.
    @_disfavoredOverload
    public func sum<V: Numeric, A, W, K: Hashable>(
        _ value: (Columns<T>) throws -> Term<V, A>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] { try (aggregate(SelectedValue(value), by: SelectedValue(key)) as Aggregate<V, K>).sums() }

    /// Returns the sums of a computed value, by a property.
    @_disfavoredOverload
    public func sum<V: Numeric, A, K: Hashable>(
        _ value: (Columns<T>) throws -> Term<V, A>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] { try (aggregate(SelectedValue(value), by: SelectedValue(key)) as Aggregate<V, K>).sums() }

    /// Returns the averages of a property's values, by a key computed from properties.
    @_disfavoredOverload
    public func average<V: Numeric, W, K: Hashable>(
        _ property: KeyPath<T, V>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Double] {
        try (aggregate(SelectedValue(property), by: SelectedValue(key)) as Aggregate<V, K>).averages()
    }

    /// Returns the averages of an optional property, ignoring nil, by a key computed from properties.
    @_disfavoredOverload
    public func average<V: Numeric, W, K: Hashable>(
        _ property: KeyPath<T, V?>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Double] {
        try (aggregate(SelectedValue(property), by: SelectedValue(key)) as Aggregate<V, K>).averages()
    }

    /// Returns the averages of a computed value, by a key computed from properties.
    @_disfavoredOverload
    public func average<V: Numeric, A, W, K: Hashable>(
        _ value: (Columns<T>) throws -> Term<V, A>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Double] {
        try (aggregate(SelectedValue(value), by: SelectedValue(key)) as Aggregate<V, K>).averages()
    }

    /// Returns the averages of a computed value, by a property.
    @_disfavoredOverload
    public func average<V: Numeric, A, K: Hashable>(
        _ value: (Columns<T>) throws -> Term<V, A>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Double] {
        try (aggregate(SelectedValue(value), by: SelectedValue(key)) as Aggregate<V, K>).averages()
    }

    /// Returns the minima of a property's values, by a key computed from properties.
    @_disfavoredOverload
    public func min<V: Comparable, W, K: Hashable>(
        _ property: KeyPath<T, V>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try (aggregate(SelectedValue(property), by: SelectedValue(key)) as Aggregate<V, K>).extremes(.minimum)
    }

    /// Returns the minima of an optional property, ignoring nil, by a key computed from properties.
    @_disfavoredOverload
    public func min<V: Comparable, W, K: Hashable>(
        _ property: KeyPath<T, V?>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try (aggregate(SelectedValue(property), by: SelectedValue(key)) as Aggregate<V, K>).extremes(.minimum)
    }

    /// Returns the minima of a computed value, by a key computed from properties.
    @_disfavoredOverload
    public func min<V: Comparable, A, W, K: Hashable>(
        _ value: (Columns<T>) throws -> Term<V, A>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try (aggregate(SelectedValue(value), by: SelectedValue(key)) as Aggregate<V, K>).extremes(.minimum)
    }

    /// Returns the minima of a computed value, by a property.
    @_disfavoredOverload
    public func min<V: Comparable, A, K: Hashable>(
        _ value: (Columns<T>) throws -> Term<V, A>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try (aggregate(SelectedValue(value), by: SelectedValue(key)) as Aggregate<V, K>).extremes(.minimum)
    }

    /// Returns the maxima of a property's values, by a key computed from properties.
    @_disfavoredOverload
    public func max<V: Comparable, W, K: Hashable>(
        _ property: KeyPath<T, V>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try (aggregate(SelectedValue(property), by: SelectedValue(key)) as Aggregate<V, K>).extremes(.maximum)
    }

    /// Returns the maxima of an optional property, ignoring nil, by a key computed from properties.
    @_disfavoredOverload
    public func max<V: Comparable, W, K: Hashable>(
        _ property: KeyPath<T, V?>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try (aggregate(SelectedValue(property), by: SelectedValue(key)) as Aggregate<V, K>).extremes(.maximum)
    }

    /// Returns the maxima of a computed value, by a key computed from properties.
    @_disfavoredOverload
    public func max<V: Comparable, A, W, K: Hashable>(
        _ value: (Columns<T>) throws -> Term<V, A>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try (aggregate(SelectedValue(value), by: SelectedValue(key)) as Aggregate<V, K>).extremes(.maximum)
    }

    /// Returns the maxima of a computed value, by a property.
    @_disfavoredOverload
    public func max<V: Comparable, A, K: Hashable>(
        _ value: (Columns<T>) throws -> Term<V, A>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try (aggregate(SelectedValue(value), by: SelectedValue(key)) as Aggregate<V, K>).extremes(.maximum)
    }

    /// Returns the averages of a decimal number, by a key computed from properties.
    ///
    /// An average is exact if it has a finite decimal expansion.
    public func average<W, K: Hashable>(
        _ property: KeyPath<T, Decimal>, by key: (Columns<T>) throws -> Term<W, K>,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Decimal] {
        try (aggregate(SelectedValue(property), by: SelectedValue(key)) as Aggregate<Decimal, K>).exactAverages()
    }
}
