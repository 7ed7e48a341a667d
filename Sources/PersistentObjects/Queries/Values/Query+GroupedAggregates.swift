public import Foundation

// Aggregates of groups. Groups that have no values, but nils at most, are left out.
extension Query {
    /// The sums of a property's values, by the values of another property.
    ///
    /// ```swift
    /// let wages = try Person.query.sum(\.wage, by: \.department)      // [String: Decimal]
    /// ```
    ///
    /// The key may be optional. One SELECT.
    ///
    /// - Throws: As `sum(_:)`.
    public func sum<V: Numeric, K: Hashable>(
        _ property: KeyPath<T, V>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try Aggregate<V, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key)).sums()
    }

    /// The sums of a property's values, by the values of another property.
    public func sum<V: Numeric, K: Hashable>(
        _ property: KeyPath<T, V?>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try Aggregate<V, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key)).sums()
    }

    /// The averages of a property's values, by the values of another property.
    public func average<V: Numeric, K: Hashable>(
        _ property: KeyPath<T, V>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Double] {
        try Aggregate<V, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key)).averages()
    }

    /// The averages of a property's values, by the values of another property.
    public func average<V: Numeric, K: Hashable>(
        _ property: KeyPath<T, V?>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Double] {
        try Aggregate<V, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key)).averages()
    }

    /// The averages of decimal numbers, by the values of another property. See `average(_:)`.
    public func average<K: Hashable>(
        _ property: KeyPath<T, Decimal>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Decimal] {
        try Aggregate<Decimal, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key))
            .exactAverages()
    }

    /// The averages of decimal numbers, by the values of another property. See `average(_:)`.
    public func average<K: Hashable>(
        _ property: KeyPath<T, Decimal?>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: Decimal] {
        try Aggregate<Decimal, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key))
            .exactAverages()
    }

    /// The least of a property's values, by the values of another property.
    public func min<V: Comparable, K: Hashable>(
        _ property: KeyPath<T, V>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try Aggregate<V, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key)).extremes(
            .minimum)
    }

    /// The least of a property's values, by the values of another property.
    public func min<V: Comparable, K: Hashable>(
        _ property: KeyPath<T, V?>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try Aggregate<V, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key)).extremes(
            .minimum)
    }

    /// The greatest of a property's values, by the values of another property.
    public func max<V: Comparable, K: Hashable>(
        _ property: KeyPath<T, V>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try Aggregate<V, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key)).extremes(
            .maximum)
    }

    /// The greatest of a property's values, by the values of another property.
    public func max<V: Comparable, K: Hashable>(
        _ property: KeyPath<T, V?>, by key: KeyPath<T, K>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [K: V] {
        try Aggregate<V, K>(query: QueryCall(definition), path: property, grouping: Grouping(by: key)).extremes(
            .maximum)
    }
}
