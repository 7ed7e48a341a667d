public import Foundation

// Aggregates of groups. Groups without values, or with nil only, are left out.
extension Query {
    /// Returns the sums of a property's values, by the values of another property.
    ///
    /// ```swift
    /// let wages = try Person.query.sum(\.wage, by: \.department)      // [String: Decimal]
    /// ```
    ///
    /// The key may be optional.
    ///
    /// - Throws: The errors of `sum(_:)`.
    /// - Complexity: One SELECT.
    public func sum<V: Numeric, K: Hashable>(
        _ property: KeyPath<T, V>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try Aggregate<V, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key)).sums()
    }

    /// Returns the sums of a property's values, by the values of another property.
    public func sum<V: Numeric, K: Hashable>(
        _ property: KeyPath<T, V?>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try Aggregate<V, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key)).sums()
    }

    /// Returns the averages of a property's values, by the values of another property.
    public func average<V: Numeric, K: Hashable>(
        _ property: KeyPath<T, V>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Double] {
        try Aggregate<V, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key)).averages()
    }

    /// Returns the averages of a property's values, by the values of another property.
    public func average<V: Numeric, K: Hashable>(
        _ property: KeyPath<T, V?>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Double] {
        try Aggregate<V, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key)).averages()
    }

    /// Returns the averages of decimal numbers, by the values of another property.
    ///
    /// See `average(_:)`.
    public func average<K: Hashable>(
        _ property: KeyPath<T, Decimal>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Decimal] {
        try Aggregate<Decimal, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key))
            .exactAverages()
    }

    /// Returns the averages of decimal numbers, by the values of another property.
    ///
    /// See `average(_:)`.
    public func average<K: Hashable>(
        _ property: KeyPath<T, Decimal?>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Decimal] {
        try Aggregate<Decimal, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key))
            .exactAverages()
    }

    /// Returns the minima of a property's values, by the values of another property.
    public func min<V: Comparable, K: Hashable>(
        _ property: KeyPath<T, V>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try Aggregate<V, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key)).extremes(
            .minimum)
    }

    /// Returns the minima of a property's values, by the values of another property.
    public func min<V: Comparable, K: Hashable>(
        _ property: KeyPath<T, V?>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try Aggregate<V, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key)).extremes(
            .minimum)
    }

    /// Returns the maxima of a property's values, by the values of another property.
    public func max<V: Comparable, K: Hashable>(
        _ property: KeyPath<T, V>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try Aggregate<V, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key)).extremes(
            .maximum)
    }

    /// Returns the maxima of a property's values, by the values of another property.
    public func max<V: Comparable, K: Hashable>(
        _ property: KeyPath<T, V?>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try Aggregate<V, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key)).extremes(
            .maximum)
    }
}
