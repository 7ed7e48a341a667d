// Collections and inverses. One that is nil has no elements.
extension Term where Value: Collection {
    // A text has a count of its own, which may be nil.
    /// How many elements there are.
    @_disfavoredOverload
    public var count: Term<Int, Int> { made(.elementCount) }

    /// Whether there are no objects.
    public var isEmpty: Condition { Condition(expression.applying(.isEmpty)) }
}

extension Term where Value: Collection, Value.Element: Equatable {
    /// Whether a value is among the elements.
    @_disfavoredOverload
    public func contains(_ element: Value.Element) -> Condition { comparing(.containsElement, element) }
}

extension Term {
    /// Whether a value is among those of a dictionary.
    @_disfavoredOverload
    public func contains<K, E: Equatable>(_ element: E) -> Condition where Value == [K: E] {
        comparing(.containsElement, element)
    }

    /// The value that a dictionary has for a key; nil where it has none, or there is no dictionary.
    ///
    /// ```swift
    /// Pupil.where { $0.marks["maths"] > 1.5 }
    /// ```
    public subscript<K: Hashable, E>(key: K) -> Term<E, E?> where Value == [K: E] { atKey(key) }

    /// The value that a dictionary whose values may be nil has for a key.
    public subscript<K: Hashable, E>(key: K) -> Term<E, E?> where Value == [K: E?] { atKey(key) }

    /// Whether the value that a dictionary has for a key is true; as a condition it is false where there is none.
    public subscript<K: Hashable>(key: K) -> Condition where Value == [K: Bool] {
        let value: Term<Bool, Bool?> = atKey(key)
        return Condition(truthOf: value.expression)
    }

    private func atKey<K, V>(_ key: K) -> Term<V, V?> { made(.valueOfKey, QueryExpression(value: key)) }

    /// Whether a condition holds for one of the objects at least.
    ///
    /// ```swift
    /// Person.where { $0.orders.any { $0.total > 9 } }
    /// ```
    public func any<E: Persistent>(
        _ condition: (Columns<E>) throws -> Condition
    ) rethrows -> Condition where Value: Collection, Value.Element == E { try quantified(.any, condition) }

    /// Whether a condition holds for all objects; it does where there are none.
    public func all<E: Persistent>(
        _ condition: (Columns<E>) throws -> Condition
    ) rethrows -> Condition where Value: Collection, Value.Element == E { try quantified(.all, condition) }

    /// Whether a condition holds for one of the dictionary's objects at least.
    public func any<K, E: Persistent>(
        _ condition: (Columns<E>) throws -> Condition
    ) rethrows -> Condition where Value == [K: E] { try quantified(.any, condition) }

    /// Whether a condition holds for all of the dictionary's objects; it does where there are none.
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
