// What SQL makes of a value that is calculated from properties: `sum { $0.price * $0.count }`.
//
// A key path that leads through a reference is one as well: `sum(\.customer.age)`.
extension Query {
    /// The sum of what is made of each object's properties; nil if there is nothing to add.
    ///
    /// ```swift
    /// let revenue = try Order.query.sum { $0.price * $0.count }
    /// ```
    ///
    /// Nils are left out. Whole numbers are added exactly.
    ///
    /// - Throws: `StoreError` with the code `notRepresentable` if a number or
    ///   the sum does not fit into the type; `total { }` gives it as a `Double`.
    @_disfavoredOverload
    public func sum<V: Numeric, A>(
        isolation: isolated (any Actor)? = #isolation, _ value: (Columns<T>) throws -> Term<V, A>
    ) throws -> V? { try aggregate(value).sums()[.all] }

    /// The sum of what is made of each object's properties as a `Double`; 0 where there is nothing to add.
    @_disfavoredOverload
    public func total<V: Numeric, A>(
        isolation: isolated (any Actor)? = #isolation, _ value: (Columns<T>) throws -> Term<V, A>
    ) throws -> Double { try aggregate(value).totals()[.all]?.sum ?? 0 }

    /// The average of what is made of each object's properties; nil if there is none. Nils do not count.
    @_disfavoredOverload
    public func average<V: Numeric, A>(
        isolation: isolated (any Actor)? = #isolation, _ value: (Columns<T>) throws -> Term<V, A>
    ) throws -> Double? { try aggregate(value).averages()[.all] }

    /// The least of what is made of each object's properties; nil if there is none.
    @_disfavoredOverload
    public func min<V: Comparable, A>(
        isolation: isolated (any Actor)? = #isolation, _ value: (Columns<T>) throws -> Term<V, A>
    ) throws -> V? { try aggregate(value).extremes(.minimum)[.all] }

    /// The greatest of what is made of each object's properties; nil if there is none.
    @_disfavoredOverload
    public func max<V: Comparable, A>(
        isolation: isolated (any Actor)? = #isolation, _ value: (Columns<T>) throws -> Term<V, A>
    ) throws -> V? { try aggregate(value).extremes(.maximum)[.all] }

    private func aggregate<V, A>(
        _ value: (Columns<T>) throws -> Term<V, A>
    ) throws -> Aggregate<V, AllRows> {
        Aggregate(query: QueryCall(definition), value: try AskedValue(value), grouping: .none)
    }
}
