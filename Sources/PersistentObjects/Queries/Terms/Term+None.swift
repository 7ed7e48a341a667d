// The opposite of `any`, for those who look for it.
extension Term {
    /// Whether a condition holds for none of the objects; it does where there are none.
    ///
    /// ```swift
    /// Person.where { $0.orders.none { $0.total > 9 } }
    /// ```
    public func none<E: Persistent>(
        _ condition: (Columns<E>) throws -> Condition
    ) rethrows -> Condition where Value: Collection, Value.Element == E { try !any(condition) }

    /// Whether a condition holds for none of the dictionary's objects; it does where there are none.
    public func none<K, E: Persistent>(
        _ condition: (Columns<E>) throws -> Condition
    ) rethrows -> Condition where Value == [K: E] { try !any(condition) }
}
