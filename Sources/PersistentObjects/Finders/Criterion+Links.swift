// Conditions on references, collections and inverses.
extension Criterion where Value: Persistent {
    /// Finds the objects that refer to the object that an id identifies.
    @_disfavoredOverload @discardableResult
    public func callAsFunction(
        _ id: PersistentID<Value>?, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer { try find { $0.comparing(.equal, id) } }
}

extension Criterion {
    /// A property of the referenced object.
    ///
    /// It can be nil for any property type: `findBy.employer.name(nil)` also finds objects without an employer, as
    /// `employer?.name == nil` does.
    public subscript<V>(dynamicMember path: KeyPath<Value, V>) -> Criterion<T, V, V?, Answer>
    where Value: Persistent { next(path) }

    /// A property of the referenced object that may be nil.
    public subscript<V>(dynamicMember path: KeyPath<Value, V?>) -> Criterion<T, V, V?, Answer>
    where Value: Persistent { next(path) }

    /// A property that at least one of the objects must match.
    public subscript<E: Persistent, V>(dynamicMember path: KeyPath<E, V>) -> Criterion<T, V, V, Answer>
    where Value: Collection, Value.Element == E { inside(path) }

    /// A property, which may be nil, that at least one of the objects must match.
    public subscript<E: Persistent, V>(dynamicMember path: KeyPath<E, V?>) -> Criterion<T, V, V?, Answer>
    where Value: Collection, Value.Element == E { inside(path) }

    /// A property that at least one of the objects must match.
    public subscript<K, E: Persistent, V>(dynamicMember path: KeyPath<E, V>) -> Criterion<T, V, V, Answer>
    where Value == [K: E] { inside(path) }

    /// A property, which may be nil, that at least one of the objects must match.
    public subscript<K, E: Persistent, V>(dynamicMember path: KeyPath<E, V?>) -> Criterion<T, V, V?, Answer>
    where Value == [K: E] { inside(path) }

    /// A field of an embedded value, or a part of a `Codable` value.
    ///
    /// ```swift
    /// try Person.findBy.address.city("Graz")
    /// ```
    @_disfavoredOverload
    public subscript<V>(dynamicMember path: KeyPath<Value, V>) -> Criterion<T, V, V?, Answer>
    where Value: Codable { next(path) }

    /// A field of an embedded value, or a part of a `Codable` value, that may be nil.
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
    /// Finds the objects whose array, set or inverse contains an element.
    @_disfavoredOverload @discardableResult
    public func callAsFunction(
        containing element: Value.Element, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer where Value: Collection { try find { $0.comparing(.containsElement, element) } }

    /// Finds the objects whose dictionary contains a value.
    @discardableResult
    public func callAsFunction<K, E>(
        containing value: E, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer where Value == [K: E] { try find { $0.comparing(.containsElement, value) } }

    /// Finds the objects whose collection, inverse or string is empty, or is not empty.
    ///
    /// A collection that is nil is empty.
    @discardableResult
    public func callAsFunction(
        isEmpty: Bool, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer where Value: Collection {
        try find { Condition($0.expression.applying(isEmpty ? .isEmpty : .isNotEmpty)) }
    }
}
