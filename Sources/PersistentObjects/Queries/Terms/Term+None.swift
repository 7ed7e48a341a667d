// The negation of `any`.
extension Term {
    /// Whether none of the objects meets a condition; true if there are no objects.
    ///
    /// ```swift
    /// Person.where { $0.orders.none { $0.total > 9 } }
    /// ```
    public func none<E: Persistent>(
        _ condition: (Columns<E>) throws -> Condition
    ) rethrows -> Condition where Value: Collection, Value.Element == E { try !any(condition) }

    /// Whether none of the dictionary's objects meets a condition; true if there are no objects.
    public func none<K, E: Persistent>(
        _ condition: (Columns<E>) throws -> Condition
    ) rethrows -> Condition where Value == [K: E] { try !any(condition) }
}
