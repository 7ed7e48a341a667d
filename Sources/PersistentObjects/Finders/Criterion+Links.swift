// What can be asked of references, collections and inverses.
extension Criterion where Value: Persistent {
    /// Finds the objects that refer to the one that an id names.
    @_disfavoredOverload @discardableResult
    public func callAsFunction(
        _ id: PersistentID<Value>?, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer { try find { $0.comparing(.equal, id) } }
}

extension Criterion {
    /// A property of the object that this one refers to.
    ///
    /// It may be nil whatever its type: `findBy.employer.name(nil)` finds who
    /// has no employer too, as `employer?.name == nil` says.
    public subscript<V>(dynamicMember path: KeyPath<Value, V>) -> Criterion<T, V, V?, Answer>
    where Value: Persistent { next(path) }

    /// A property of the object that this one refers to, which may be nil.
    public subscript<V>(dynamicMember path: KeyPath<Value, V?>) -> Criterion<T, V, V?, Answer>
    where Value: Persistent { next(path) }

    /// A property that one of the objects has at least.
    public subscript<E: Persistent, V>(dynamicMember path: KeyPath<E, V>) -> Criterion<T, V, V, Answer>
    where Value: Collection, Value.Element == E { inside(path) }

    /// A property that one of the objects has at least, which may be nil.
    public subscript<E: Persistent, V>(dynamicMember path: KeyPath<E, V?>) -> Criterion<T, V, V?, Answer>
    where Value: Collection, Value.Element == E { inside(path) }

    /// A property that one of the objects has at least.
    public subscript<K, E: Persistent, V>(dynamicMember path: KeyPath<E, V>) -> Criterion<T, V, V, Answer>
    where Value == [K: E] { inside(path) }

    /// A property that one of the objects has at least, which may be nil.
    public subscript<K, E: Persistent, V>(dynamicMember path: KeyPath<E, V?>) -> Criterion<T, V, V?, Answer>
    where Value == [K: E] { inside(path) }

    /// A field of an embedded value, or what stands in a `Codable` value.
    ///
    /// ```swift
    /// try Person.findBy.address.city("Graz")
    /// ```
    @_disfavoredOverload
    public subscript<V>(dynamicMember path: KeyPath<Value, V>) -> Criterion<T, V, V?, Answer>
    where Value: Codable { next(path) }

    /// A field of an embedded value, or what stands in a `Codable` value, which may be nil.
    @_disfavoredOverload
    public subscript<V>(dynamicMember path: KeyPath<Value, V?>) -> Criterion<T, V, V?, Answer>
    where Value: Codable { next(path) }

    private func next<V, A>(_ path: AnyKeyPath) -> Criterion<T, V, A, Answer> {
        Criterion<T, V, A, Answer>(query: query, path: self.path.appending(.keyPath(path)))
    }

    private func inside<V, A>(_ path: AnyKeyPath) -> Criterion<T, V, A, Answer> {
        Criterion<T, V, A, Answer>(query: query, path: self.path.entering(.keyPath(path)))
    }
}

extension Criterion {
    /// Finds the objects whose array, set or inverse has an element.
    @_disfavoredOverload @discardableResult
    public func callAsFunction(
        containing element: Value.Element, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer where Value: Collection { try find { $0.comparing(.containsElement, element) } }

    /// Finds the objects whose dictionary has a value.
    @discardableResult
    public func callAsFunction<K, E>(
        containing value: E, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer where Value == [K: E] { try find { $0.comparing(.containsElement, value) } }

    /// Finds the objects whose collection, inverse or text is empty, or is not.
    ///
    /// A collection that is nil has no elements.
    @discardableResult
    public func callAsFunction(
        isEmpty: Bool, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer where Value: Collection {
        try find { Condition($0.expression.applying(isEmpty ? .isEmpty : .isNotEmpty)) }
    }
}
