// The parts of a Codable value, which is stored as JSON.
extension Term where Value: Codable {
    /// A part of the value: `$0.address.city`. Nil if there is no value.
    ///
    /// Strings, integers, doubles, `Bool`s, dates, URLs and enumerations with raw values can be compared, at any depth,
    /// and under the names that the type's `CodingKeys` give them. A part that the JSON does not contain, such as a
    /// computed property, throws a `QueryError` when the query runs.
    @_disfavoredOverload
    public subscript<V>(dynamicMember path: KeyPath<Value, V>) -> Term<V, V?> { part(path) }

    /// A part of the value that may be nil.
    @_disfavoredOverload
    public subscript<V>(dynamicMember path: KeyPath<Value, V?>) -> Term<V, V?> { part(path) }

    /// A Boolean part of the value.
    @_disfavoredOverload
    public subscript(dynamicMember path: KeyPath<Value, Bool>) -> Condition {
        let part: Term<Bool, Bool?> = part(path)
        return Condition(truthOf: part.expression)
    }

    /// A Boolean part of the value that may be nil.
    @_disfavoredOverload
    public subscript(dynamicMember path: KeyPath<Value, Bool?>) -> Condition {
        let part: Term<Bool, Bool?> = part(path)
        return Condition(truthOf: part.expression)
    }

    private func part<V, A>(_ path: AnyKeyPath) -> Term<V, A> {
        let whole = self.path?.appending(path) ?? QueryPath(path)
        return Term<V, A>(expression(at: whole), scopes, path: whole, scope: scope)
    }
}
