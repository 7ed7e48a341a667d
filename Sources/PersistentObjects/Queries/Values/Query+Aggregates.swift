public import Foundation

// What SQL makes of the values of one property.
//
// Each comes for a property and for one that may be nil, whose nils are left out; of `[K: V]` the forms with `by:`.
extension Query {
    /// The sum of a property's values; nil if there are none.
    ///
    /// ```swift
    /// let bytes = try Attachment.where { $0.isPublic }.sum(\.size)      // Int?
    /// ```
    ///
    /// Nils are left out. With a limit or offset it is the sum over that part.
    /// Integers and `Decimal` are added exactly. `Decimal` and other numbers that
    /// SQLite does not know are read and added in Swift.
    ///
    /// - Throws: `StoreError` with the code `notRepresentable` if the sum does
    ///   not fit into the type; `total(_:)` gives it as a `Double`.
    public func sum<V: Numeric>(
        _ property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> V? {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).sums()[.all]
    }

    /// The sum of a property's values; nil if there are none.
    public func sum<V: Numeric>(
        _ property: KeyPath<T, V?>, isolation: isolated (any Actor)? = #isolation
    ) throws -> V? {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).sums()[.all]
    }

    /// The sum of a property's values as a `Double`, which always has room for it; 0 where there are none.
    ///
    /// ```swift
    /// let years = try Person.query.total(\.age)        // Double
    /// ```
    ///
    /// Beyond 2⁵³ it is rounded, as a `Double` is.
    ///
    /// - Throws: `QueryError` for numbers of your own types, which it cannot
    ///   make a `Double`.
    public func total<V: Numeric>(
        _ property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Double {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).totals()[.all]?.sum
            ?? 0
    }

    /// The sum of a property's values as a `Double`, which always has room for it; 0 where there are none.
    public func total<V: Numeric>(
        _ property: KeyPath<T, V?>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Double {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).totals()[.all]?.sum
            ?? 0
    }

    /// The average of a property's values; nil if there are none. Nils do not count.
    ///
    /// ```swift
    /// let age = try Person.where { $0.isActive }.average(\.age)      // Double?
    /// ```
    ///
    /// - Throws: As `total(_:)`.
    public func average<V: Numeric>(
        _ property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Double? {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).averages()[.all]
    }

    /// The average of a property's values; nil if there are none. Nils do not count.
    public func average<V: Numeric>(
        _ property: KeyPath<T, V?>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Double? {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).averages()[.all]
    }

    /// The average of decimal numbers; nil if there are none. Nils do not count.
    ///
    /// ```swift
    /// let price = try Book.query.average(\.price)      // Decimal?
    /// ```
    ///
    /// It is the exact sum divided by the number of values, with the 38 digits
    /// that a `Decimal` has.
    ///
    /// - Throws: As `sum(_:)`.
    public func average(
        _ property: KeyPath<T, Decimal>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Decimal? {
        try Aggregate<Decimal, AllRows>(query: QueryCall(definition), path: property, grouping: .none)
            .exactAverages()[.all]
    }

    /// The average of decimal numbers; nil if there are none. Nils do not count.
    public func average(
        _ property: KeyPath<T, Decimal?>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Decimal? {
        try Aggregate<Decimal, AllRows>(query: QueryCall(definition), path: property, grouping: .none)
            .exactAverages()[.all]
    }

    /// The least of a property's values; nil if there are none.
    ///
    /// ```swift
    /// let first = try Order.query.min(\.createdAt)        // Date?
    /// ```
    ///
    /// Nils are left out. Texts are in the order of their Unicode scalars, as
    /// `order(by:)` has them. Enumerations and other types that are `Comparable`
    /// are compared as they say themselves: their different values are read, and
    /// compared in Swift.
    public func min<V: Comparable>(
        _ property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> V? {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).extremes(.minimum)[
            .all]
    }

    /// The least of a property's values; nil if there are none.
    public func min<V: Comparable>(
        _ property: KeyPath<T, V?>, isolation: isolated (any Actor)? = #isolation
    ) throws -> V? {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).extremes(.minimum)[
            .all]
    }

    /// The greatest of a property's values; nil if there are none. They are compared as for `min(_:)`.
    public func max<V: Comparable>(
        _ property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> V? {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).extremes(.maximum)[
            .all]
    }

    /// The greatest of a property's values; nil if there are none. They are compared as for `min(_:)`.
    public func max<V: Comparable>(
        _ property: KeyPath<T, V?>, isolation: isolated (any Actor)? = #isolation
    ) throws -> V? {
        try Aggregate<V, AllRows>(query: QueryCall(definition), path: property, grouping: .none).extremes(.maximum)[
            .all]
    }

    /// The values of a property in one text, in the order of the query; without one, in that of the ids.
    ///
    /// ```swift
    /// let names = try Person.query.order(by: \.lastName).concatenated(\.lastName, separator: ", ")
    /// ```
    ///
    /// Nils are left out; other values than texts are as Swift prints them.
    /// Nothing found is the empty text.
    public func concatenated<V>(
        _ property: KeyPath<T, V>, separator: String = ",", isolation: isolated (any Actor)? = #isolation
    ) throws -> String {
        try values(of: property, isolation: isolation).compactMap { OptionalValue.flattened($0).map { "\($0)" } }
            .joined(separator: separator)
    }
}
