// SQL aggregates of a value computed from properties: `sum { $0.price * $0.count }`.
//
// A key path through a reference is also a computed value: `sum(\.customer.age)`.
extension Query {
    /// Returns the sum of a value computed from each object's properties, or nil if there are none.
    ///
    /// ```swift
    /// let revenue = try Order.query.sum { $0.price * $0.count }
    /// ```
    ///
    /// Nil values are ignored. Integers are added exactly.
    ///
    /// - Throws: `StoreError` with the code `notRepresentable` if a number or the sum does not fit into the type;
    ///   `total { }` returns it as a `Double`.
    @_disfavoredOverload
    public func sum<V: Numeric, A>(
        isolation: isolated (any Actor)? = #isolation, _ value: (Columns<T>) throws -> Term<V, A>
    ) throws -> V? { try aggregate(value).sums()[.all] }

    /// Returns the sum of a value computed from properties as a `Double`; 0 if there are no values.
    @_disfavoredOverload
    public func total<V: Numeric, A>(
        isolation: isolated (any Actor)? = #isolation, _ value: (Columns<T>) throws -> Term<V, A>
    ) throws -> Double { try aggregate(value).totals()[.all]?.sum ?? 0 }

    /// Returns the average of a value computed from properties, ignoring nil, or nil if there are none.
    @_disfavoredOverload
    public func average<V: Numeric, A>(
        isolation: isolated (any Actor)? = #isolation, _ value: (Columns<T>) throws -> Term<V, A>
    ) throws -> Double? { try aggregate(value).averages()[.all] }

    /// Returns the minimum of a value computed from properties, or nil if there are none.
    @_disfavoredOverload
    public func min<V: Comparable, A>(
        isolation: isolated (any Actor)? = #isolation, _ value: (Columns<T>) throws -> Term<V, A>
    ) throws -> V? { try aggregate(value).extremes(.minimum)[.all] }

    /// Returns the maximum of a value computed from properties, or nil if there are none.
    @_disfavoredOverload
    public func max<V: Comparable, A>(
        isolation: isolated (any Actor)? = #isolation, _ value: (Columns<T>) throws -> Term<V, A>
    ) throws -> V? { try aggregate(value).extremes(.maximum)[.all] }

    private func aggregate<V, A>(
        _ value: (Columns<T>) throws -> Term<V, A>
    ) throws -> Aggregate<V, AllRows> {
        Aggregate(query: QueryCall(definition), value: try SelectedValue(value), grouping: .none)
    }
}
