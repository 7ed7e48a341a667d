public import Foundation

// SQL aggregates of the values of one property.
//
// Each has a form for a property and a form for an optional property, which ignores nil. The forms with `by:` return
// `[K: V]`.
extension Query {
    /// Returns the sum of a property's values, or nil if there are none.
    ///
    /// ```swift
    /// let bytes = try Attachment.where { $0.isPublic }.sum(\.size)      // Int?
    /// ```
    ///
    /// Nil values are ignored. With a limit or an offset, only that part is added. Integers and `Decimal` are added
    /// exactly. `Decimal` and other numbers that SQLite does not support are read and added in Swift.
    ///
    /// - Throws: `StoreError` with the code `notRepresentable` if the sum does not fit into the type; `total(_:)`
    ///   returns it as a `Double`.
    public func sum<V: Numeric>(
        _ property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> V? {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).sums()[.all]
    }

    /// Returns the sum of a property's values, or nil if there are none.
    public func sum<V: Numeric>(
        _ property: KeyPath<T, V?>, isolation: isolated (any Actor)? = #isolation
    ) throws -> V? {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).sums()[.all]
    }

    /// Returns the sum of a property's values as a `Double`, which cannot overflow; 0 if there are none.
    ///
    /// ```swift
    /// let years = try Person.query.total(\.age)        // Double
    /// ```
    ///
    /// Beyond 2⁵³ the sum is rounded, like any `Double`.
    ///
    /// - Throws: `QueryError` for custom number types, which cannot be converted to a `Double`.
    public func total<V: Numeric>(
        _ property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Double {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).totals()[.all]?.sum
            ?? 0
    }

    /// Returns the sum of a property's values as a `Double`, which cannot overflow; 0 if there are none.
    public func total<V: Numeric>(
        _ property: KeyPath<T, V?>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Double {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).totals()[.all]?.sum
            ?? 0
    }

    /// Returns the average of a property's values, ignoring nil, or nil if there are none.
    ///
    /// ```swift
    /// let age = try Person.where { $0.isActive }.average(\.age)      // Double?
    /// ```
    ///
    /// - Throws: The errors of `total(_:)`.
    public func average<V: Numeric>(
        _ property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Double? {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).averages()[.all]
    }

    /// Returns the average of a property's values, ignoring nil, or nil if there are none.
    public func average<V: Numeric>(
        _ property: KeyPath<T, V?>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Double? {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).averages()[.all]
    }

    /// Returns the average of decimal numbers, ignoring nil, or nil if there are none.
    ///
    /// ```swift
    /// let price = try Book.query.average(\.price)      // Decimal?
    /// ```
    ///
    /// It is the exact sum divided by the number of values, with the 38 digits of a `Decimal`.
    ///
    /// - Throws: The errors of `sum(_:)`.
    public func average(
        _ property: KeyPath<T, Decimal>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Decimal? {
        try Aggregate<Decimal, AllRows>(query: QueryCall(definition), path: property, grouping: .none)
            .exactAverages()[.all]
    }

    /// Returns the average of decimal numbers, ignoring nil, or nil if there are none.
    public func average(
        _ property: KeyPath<T, Decimal?>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Decimal? {
        try Aggregate<Decimal, AllRows>(query: QueryCall(definition), path: property, grouping: .none)
            .exactAverages()[.all]
    }

    /// Returns the minimum of a property's values, or nil if there are none.
    ///
    /// ```swift
    /// let first = try Order.query.min(\.createdAt)        // Date?
    /// ```
    ///
    /// Nil values are ignored. Strings are ordered by their Unicode scalars, as in `order(by:)`. Enumerations and other
    /// `Comparable` types are compared by their own conformance: their distinct values are read, and compared in Swift.
    public func min<V: Comparable>(
        _ property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> V? {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).extremes(.minimum)[
            .all]
    }

    /// Returns the minimum of a property's values, or nil if there are none.
    public func min<V: Comparable>(
        _ property: KeyPath<T, V?>, isolation: isolated (any Actor)? = #isolation
    ) throws -> V? {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).extremes(.minimum)[
            .all]
    }

    /// Returns the maximum of a property's values, or nil if there are none.
    ///
    /// Values are compared as in `min(_:)`.
    public func max<V: Comparable>(
        _ property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> V? {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).extremes(.maximum)[
            .all]
    }

    /// Returns the maximum of a property's values, or nil if there are none.
    ///
    /// Values are compared as in `min(_:)`.
    public func max<V: Comparable>(
        _ property: KeyPath<T, V?>, isolation: isolated (any Actor)? = #isolation
    ) throws -> V? {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).extremes(.maximum)[
            .all]
    }

    /// Returns the values of a property in one string, in the order of the query.
    ///
    /// ```swift
    /// let names = try Person.query.order(by: \.lastName).concatenated(\.lastName, separator: ", ")
    /// ```
    ///
    /// Without an order, the values are in order of the objects' ids. Nil values are left out; values other than
    /// strings are formatted as Swift prints them. If the query finds nothing, the result is an empty string.
    public func concatenated<V>(
        _ property: KeyPath<T, V>, separator: String = ",", isolation: isolated (any Actor)? = #isolation
    ) throws -> String {
        try values(of: property, isolation: isolation).compactMap { OptionalValue.flattened($0).map { "\($0)" } }
            .joined(separator: separator)
    }
}
