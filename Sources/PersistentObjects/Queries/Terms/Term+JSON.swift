// What stands in a Codable value, which is stored as JSON.
extension Term where Value: Codable {
    /// A part of the value: `$0.address.city`. Nil if there is no value.
    ///
    /// Texts, whole numbers, doubles, `Bool`s, dates, URLs and enumerations of
    /// raw values can be compared, at any depth, and under whatever name the
    /// type's `CodingKeys` give them. What cannot be found in the JSON, such as
    /// a computed property, is a `QueryError` when the query runs.
    @_disfavoredOverload
    public subscript<V>(dynamicMember path: KeyPath<Value, V>) -> Term<V, V?> { part(path) }

    /// A part of the value that may be nil.
    @_disfavoredOverload
    public subscript<V>(dynamicMember path: KeyPath<Value, V?>) -> Term<V, V?> { part(path) }

    /// A part of the value that is true or false.
    @_disfavoredOverload
    public subscript(dynamicMember path: KeyPath<Value, Bool>) -> Condition {
        let part: Term<Bool, Bool?> = part(path)
        return Condition(truthOf: part.expression)
    }

    /// A part of the value that is true, false or nil.
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
