// What can be asked of references, collections and inverses.
extension Criterion where Value: Persistent {
    /// Finds the objects that refer to the one that an id names.
    @_disfavoredOverload
    public func callAsFunction(
        _ id: PersistentID<Value>?, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer { try query.run(path, id) }
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
    where Value == [E] { next(path) }

    /// A property that one of the objects has at least, which may be nil.
    public subscript<E: Persistent, V>(dynamicMember path: KeyPath<E, V?>) -> Criterion<T, V, V?, Answer>
    where Value == [E] { next(path) }

    /// A property that one of the objects has at least.
    public subscript<E: Persistent, V>(dynamicMember path: KeyPath<E, V>) -> Criterion<T, V, V, Answer>
    where Value == Set<E> { next(path) }

    /// A property that one of the objects has at least, which may be nil.
    public subscript<E: Persistent, V>(dynamicMember path: KeyPath<E, V?>) -> Criterion<T, V, V?, Answer>
    where Value == Set<E> { next(path) }

    /// A property that one of the objects has at least.
    public subscript<K, E: Persistent, V>(dynamicMember path: KeyPath<E, V>) -> Criterion<T, V, V, Answer>
    where Value == [K: E] { next(path) }

    /// A property that one of the objects has at least, which may be nil.
    public subscript<K, E: Persistent, V>(dynamicMember path: KeyPath<E, V?>) -> Criterion<T, V, V?, Answer>
    where Value == [K: E] { next(path) }

    private func next<V, A>(_ path: AnyKeyPath) -> Criterion<T, V, A, Answer> {
        Criterion<T, V, A, Answer>(query: query, path: self.path.appending(path))
    }
}

extension Criterion {
    /// Finds the objects whose array, or inverse, has an element.
    public func callAsFunction<E>(
        containing element: E, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer where Value == [E] { try query.run(path.asking(.containing), element) }

    /// Finds the objects whose set has an element.
    public func callAsFunction<E>(
        containing element: E, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer where Value == Set<E> { try query.run(path.asking(.containing), element) }

    /// Finds the objects whose dictionary has a value.
    public func callAsFunction<K, E>(
        containing value: E, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer where Value == [K: E] { try query.run(path.asking(.containing), value) }

    /// Finds the objects whose collection or inverse has no elements, or has some.
    ///
    /// A collection that is nil has none.
    public func callAsFunction(
        isEmpty: Bool, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer where Value: Collection {
        try query.run(path.asking(isEmpty ? .isEmpty : .isNotEmpty), ())
    }
}

// The same for deletions, whose answer may be ignored.
extension DeleteCriterion {
    /// Deletes the objects that refer to the one that an id names.
    @_disfavoredOverload @discardableResult
    public func callAsFunction(
        _ id: PersistentID<Value>?, isolation: isolated (any Actor)? = #isolation
    ) throws -> Int where Value: Persistent { try criterion(id) }

    /// Deletes the objects whose array, or inverse, has an element.
    @discardableResult
    public func callAsFunction<E>(
        containing element: E, isolation: isolated (any Actor)? = #isolation
    ) throws -> Int where Value == [E] { try criterion(containing: element) }

    /// Deletes the objects whose set has an element.
    @discardableResult
    public func callAsFunction<E>(
        containing element: E, isolation: isolated (any Actor)? = #isolation
    ) throws -> Int where Value == Set<E> { try criterion(containing: element) }

    /// Deletes the objects whose dictionary has a value.
    @discardableResult
    public func callAsFunction<K, E>(
        containing value: E, isolation: isolated (any Actor)? = #isolation
    ) throws -> Int where Value == [K: E] { try criterion(containing: value) }

    /// Deletes the objects whose collection or inverse has no elements, or has some.
    @discardableResult
    public func callAsFunction(
        isEmpty: Bool, isolation: isolated (any Actor)? = #isolation
    ) throws -> Int where Value: Collection { try criterion(isEmpty: isEmpty) }
}
