// Aggregates of collections and inverses: values in conditions, orders and `values { }`.
//
// Like a query's aggregates, each is nil if there is nothing to add or compare: `$0.orders.sum(\.total) ?? 0` is 0
// then. A key path names a property of the objects, or of objects that they refer to: `\.customer.age`.

// Aggregates of objects.
extension Term {
    /// The sum of a value of each object; nil if there are no objects.
    ///
    /// ```swift
    /// Person.where { $0.orders.sum(\.total) > 100 }
    /// Person.query.order(.descending) { $0.orders.sum { $0.price * $0.count } ?? 0 }
    /// ```
    ///
    /// If integers exceed 64 bits on the way, running the query throws. A `Decimal` with a scale is added exactly;
    /// without a scale it is a `QueryError`.
    public func sum<E: Persistent, V: Numeric, A>(
        _ value: (Columns<E>) throws -> Term<V, A>
    ) rethrows -> Term<V, V?> where Value: Collection, Value.Element == E { try ofObjects(.sum, value) }

    /// The average of a value of each object, ignoring nil; nil if there are no objects.
    public func average<E: Persistent, V: Numeric, A>(
        _ value: (Columns<E>) throws -> Term<V, A>
    ) rethrows -> Term<Double, Double?> where Value: Collection, Value.Element == E { try ofObjects(.average, value) }

    /// The minimum of a value of each object, in the order of the column; nil if there are no objects.
    public func min<E: Persistent, V: Comparable, A>(
        _ value: (Columns<E>) throws -> Term<V, A>
    ) rethrows -> Term<V, V?> where Value: Collection, Value.Element == E { try ofObjects(.minimum, value) }

    /// The maximum of a value of each object, in the order of the column; nil if there are no objects.
    public func max<E: Persistent, V: Comparable, A>(
        _ value: (Columns<E>) throws -> Term<V, A>
    ) rethrows -> Term<V, V?> where Value: Collection, Value.Element == E { try ofObjects(.maximum, value) }

    fileprivate func ofObjects<E: Persistent, V, A, R>(
        _ function: AggregateFunction, _ value: (Columns<E>) throws -> Term<V, A>
    ) rethrows -> Term<R, R?> {
        let inner = Columns<E>(scope: scopes.next(), scopes: scopes)
        var result = expression
        result.append(.enter(scope: inner.scope))
        result.append(try value(inner).expression)
        result.append(.leaveAggregate(function))
        return Term<R, R?>(result, scopes)
    }
}

// Counts of objects.
extension Term {
    /// The number of objects that meet a condition.
    ///
    /// For example: `Team.where { $0.players.count { $0.age < 20 } > 3 }`.
    public func count<E: Persistent>(
        _ condition: (Columns<E>) throws -> Condition
    ) rethrows -> Term<Int, Int> where Value: Collection, Value.Element == E { try counted(condition) }

    /// The number of the dictionary's objects that meet a condition.
    public func count<K, E: Persistent>(
        _ condition: (Columns<E>) throws -> Condition
    ) rethrows -> Term<Int, Int> where Value == [K: E] { try counted(condition) }

    private func counted<E: Persistent>(_ condition: (Columns<E>) throws -> Condition) rethrows -> Term<Int, Int> {
        let sum: Term<Int, Int?> = try ofObjects(.sum) { columns in
            Term<Int, Int>(try condition(columns).asNumber, scopes)
        }
        return sum ?? 0
    }
}

// Aggregates of the objects of a dictionary.
extension Term {
    /// The sum of a value of each of the dictionary's objects; nil if there are no objects.
    public func sum<K, E: Persistent, V: Numeric, A>(
        _ value: (Columns<E>) throws -> Term<V, A>
    ) rethrows -> Term<V, V?> where Value == [K: E] { try ofObjects(.sum, value) }

    /// The average of a value of each of the dictionary's objects; nil if there are no objects.
    public func average<K, E: Persistent, V: Numeric, A>(
        _ value: (Columns<E>) throws -> Term<V, A>
    ) rethrows -> Term<Double, Double?> where Value == [K: E] { try ofObjects(.average, value) }

    /// The minimum of a value of each of the dictionary's objects; nil if there are no objects.
    public func min<K, E: Persistent, V: Comparable, A>(
        _ value: (Columns<E>) throws -> Term<V, A>
    ) rethrows -> Term<V, V?> where Value == [K: E] { try ofObjects(.minimum, value) }

    /// The maximum of a value of each of the dictionary's objects; nil if there are no objects.
    public func max<K, E: Persistent, V: Comparable, A>(
        _ value: (Columns<E>) throws -> Term<V, A>
    ) rethrows -> Term<V, V?> where Value == [K: E] { try ofObjects(.maximum, value) }
}

// Aggregates of values.
extension Term where Value: Collection, Value.Element: Numeric {
    /// The sum of the elements; nil if there are no elements.
    ///
    /// ```swift
    /// Game.where { $0.scores.sum() > 20 && $0.scores.max() < 9 }
    /// ```
    public func sum() -> Term<Value.Element, Value.Element?> { made(.elementAggregate(.sum)) }

    /// The average of the elements; nil if there are no elements.
    public func average() -> Term<Double, Double?> { made(.elementAggregate(.average)) }
}

extension Term where Value: Collection, Value.Element: Comparable {
    /// The smallest element; nil if there are no elements.
    public func min() -> Term<Value.Element, Value.Element?> { made(.elementAggregate(.minimum)) }

    /// The largest element; nil if there are no elements.
    public func max() -> Term<Value.Element, Value.Element?> { made(.elementAggregate(.maximum)) }
}

// Aggregates of the values of a dictionary.
extension Term {
    /// The sum of the dictionary's values; nil if there are no values.
    public func sum<K, E: Numeric>() -> Term<E, E?> where Value == [K: E] { made(.elementAggregate(.sum)) }

    /// The average of the dictionary's values; nil if there are no values.
    public func average<K, E: Numeric>() -> Term<Double, Double?> where Value == [K: E] {
        made(.elementAggregate(.average))
    }

    /// The smallest of the dictionary's values; nil if there are no values.
    public func min<K, E: Comparable>() -> Term<E, E?> where Value == [K: E] { made(.elementAggregate(.minimum)) }

    /// The largest of the dictionary's values; nil if there are no values.
    public func max<K, E: Comparable>() -> Term<E, E?> where Value == [K: E] { made(.elementAggregate(.maximum)) }
}
