/// The properties of a class in a condition: the `$0` of `Person.where { $0.age > 30 }`.
///
/// Each property is a `Term` with the property's type, so a misspelled name or a comparison with another type does not
/// compile. A `Bool` is a condition by itself.
@dynamicMemberLookup
public struct Columns<T: Persistent> {
    let scope: Int
    let scopes: ScopeCounter

    /// A property.
    public subscript<V>(dynamicMember path: KeyPath<T, V>) -> Term<V, V> { term(path) }

    /// A property that may be nil.
    public subscript<V>(dynamicMember path: KeyPath<T, V?>) -> Term<V, V?> { term(path) }

    // A Bool property is a condition itself: `&&` and `!` on a term of Bool would cost seconds of type checking.
    /// A Boolean property, as a condition.
    public subscript(dynamicMember path: KeyPath<T, Bool>) -> Condition { Condition(truthOf: expression(path)) }

    /// A Boolean property that may be nil, as a condition that holds if it is true.
    public subscript(dynamicMember path: KeyPath<T, Bool?>) -> Condition { Condition(truthOf: expression(path)) }

    /// Never called: it makes the compiler explain a misspelled property name.
    @_disfavoredOverload @available(*, unavailable, message: "the class has no such property")
    public subscript(
        dynamicMember name: String
    ) -> Term<`the class has no such property`, `the class has no such property`> { term(\T.self) }

    private func term<V, A>(_ path: AnyKeyPath) -> Term<V, A> {
        Term(QueryPath(path), of: scope, scopes)
    }

    private func expression(_ path: AnyKeyPath) -> QueryExpression {
        QueryExpression(.column(scope: scope, QueryPath(path)))
    }
}
