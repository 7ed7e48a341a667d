// Names from Swift and other libraries for operations with other names here, so that the compiler suggests the right
// operation.
extension Term where Value: Collection {
    /// Never called: use `any` to check for an object that meets a condition.
    @available(*, unavailable, message: "use any instead: $0.orders.any { $0.total > 9 }")
    public func contains<E: Persistent>(
        where condition: (Columns<E>) throws -> Condition
    ) -> Condition where Value.Element == E { .none }

    /// Never called: use `all` to check whether all objects meet a condition.
    @available(*, unavailable, message: "use all instead: $0.orders.all { $0.total > 9 }")
    public func allSatisfy<E: Persistent>(
        _ condition: (Columns<E>) throws -> Condition
    ) -> Condition where Value.Element == E { .none }

    /// Never called: use `any`, `all`, `none` and `count` on collections of objects.
    @available(*, unavailable, message: "use any, all, none or count instead: $0.orders.count { $0.total > 9 }")
    public func filter<E: Persistent>(
        _ condition: (Columns<E>) throws -> Condition
    ) -> Term where Value.Element == E { self }
}

extension Term where Value == String {
    /// Never called: use `hasPrefix` to compare the start of a string.
    @available(*, unavailable, renamed: "hasPrefix(_:)", message: "use hasPrefix instead: $0.lastName.hasPrefix(\"S\")")
    public func starts(with text: String) -> Condition { .none }

    /// Never called: use `contains(_:ignoringCase:ignoringAccents:)` to ignore case and accents.
    @available(
        *, unavailable,
        message: "use contains instead: $0.name.contains(\"mu\", ignoringCase: true, ignoringAccents: true)"
    )
    public func localizedStandardContains(_ text: String) -> Condition { .none }

    /// Never called: use `contains(_:ignoringCase:)` to ignore case.
    @available(*, unavailable, message: "use contains instead: $0.lastName.contains(\"mu\", ignoringCase: true)")
    public func localizedCaseInsensitiveContains(_ text: String) -> Condition { .none }
}
