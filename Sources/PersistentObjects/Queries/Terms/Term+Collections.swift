// Conditions on collections and inverses. A nil collection has no elements.
extension Term where Value: Collection {
    // A string has a separate `count`, which may be nil.
    /// The number of elements.
    @_disfavoredOverload
    public var count: Term<Int, Int> { made(.elementCount) }

    /// Whether the collection is empty.
    public var isEmpty: Condition { Condition(expression.applying(.isEmpty)) }
}

extension Term where Value: Collection, Value.Element: Equatable {
    /// Whether the elements contain a value.
    @_disfavoredOverload
    public func contains(_ element: Value.Element) -> Condition { comparing(.containsElement, element) }
}

extension Term {
    /// Whether the values of a dictionary contain a value.
    @_disfavoredOverload
    public func contains<K, E: Equatable>(_ element: E) -> Condition where Value == [K: E] {
        comparing(.containsElement, element)
    }

    /// The value of a dictionary for a key; nil if it has no such key, or if there is no dictionary.
    ///
    /// ```swift
    /// Pupil.where { $0.marks["maths"] > 1.5 }
    /// ```
    public subscript<K: Hashable, E>(key: K) -> Term<E, E?> where Value == [K: E] { atKey(key) }

    /// The value for a key of a dictionary whose values may be nil.
    public subscript<K: Hashable, E>(key: K) -> Term<E, E?> where Value == [K: E?] { atKey(key) }

    /// Whether the value of a dictionary for a key is true; false if it has no such key.
    public subscript<K: Hashable>(key: K) -> Condition where Value == [K: Bool] {
        let value: Term<Bool, Bool?> = atKey(key)
        return Condition(truthOf: value.expression)
    }

    private func atKey<K, V>(_ key: K) -> Term<V, V?> { made(.valueOfKey, QueryExpression(value: key)) }

    /// Whether at least one of the objects meets a condition.
    ///
    /// ```swift
    /// Person.where { $0.orders.any { $0.total > 9 } }
    /// ```
    public func any<E: Persistent>(
        _ condition: (Columns<E>) throws -> Condition
    ) rethrows -> Condition where Value: Collection, Value.Element == E { try quantified(.any, condition) }

    /// Whether all objects meet a condition; true if there are no objects.
    public func all<E: Persistent>(
        _ condition: (Columns<E>) throws -> Condition
    ) rethrows -> Condition where Value: Collection, Value.Element == E { try quantified(.all, condition) }

    /// Whether at least one of the dictionary's objects meets a condition.
    public func any<K, E: Persistent>(
        _ condition: (Columns<E>) throws -> Condition
    ) rethrows -> Condition where Value == [K: E] { try quantified(.any, condition) }

    /// Whether all of the dictionary's objects meet a condition; true if there are no objects.
    public func all<K, E: Persistent>(
        _ condition: (Columns<E>) throws -> Condition
    ) rethrows -> Condition where Value == [K: E] { try quantified(.all, condition) }

    private func quantified<E: Persistent>(
        _ quantifier: QueryExpression.Quantifier, _ condition: (Columns<E>) throws -> Condition
    ) rethrows -> Condition {
        let inner = Columns<E>(scope: scopes.next(), scopes: scopes)
        var result = expression
        result.append(.enter(scope: inner.scope))
        result.append(try condition(inner).expression)
        result.append(.leave(quantifier))
        return Condition(result)
    }
}
