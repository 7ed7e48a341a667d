/// The values of a group of objects: the `$0` of `having { $0.count > 3 }`.
///
/// Sums and other aggregates are nil if no object of the group has a value.
public struct GroupColumns<T: Persistent> {
    private let scopes = ScopeCounter()

    init() {}

    /// The number of objects in the group.
    public var count: Term<Int, Int> { Term(QueryExpression(.operation(.groupAggregate(.rows))), scopes) }

    /// The number of objects whose value is not nil.
    public func count<V, A>(of value: (Columns<T>) throws -> Term<V, A>) rethrows -> Term<Int, Int> {
        try made(.count, value)
    }

    /// The sum of a value of each object: `$0.sum(\.total)`, `$0.sum { $0.price * $0.count }`.
    public func sum<V: Numeric, A>(_ value: (Columns<T>) throws -> Term<V, A>) rethrows -> Term<V, V?> {
        try made(.sum, value)
    }

    /// The average of a value of each object, ignoring nil.
    public func average<V: Numeric, A>(
        _ value: (Columns<T>) throws -> Term<V, A>
    ) rethrows -> Term<Double, Double?> { try made(.average, value) }

    /// The minimum of a value of each object, in the order of the column.
    public func min<V: Comparable, A>(_ value: (Columns<T>) throws -> Term<V, A>) rethrows -> Term<V, V?> {
        try made(.minimum, value)
    }

    /// The maximum of a value of each object, in the order of the column.
    public func max<V: Comparable, A>(_ value: (Columns<T>) throws -> Term<V, A>) rethrows -> Term<V, V?> {
        try made(.maximum, value)
    }

    private func made<V, A, R, B>(
        _ function: AggregateFunction, _ value: (Columns<T>) throws -> Term<V, A>
    ) rethrows -> Term<R, B> {
        let value = try value(Columns(scope: 0, scopes: scopes))
        return Term(value.expression.applying(.groupAggregate(function)), scopes)
    }
}
