extension Query {
    /// Returns a query that loads lazy properties and inverses together with its objects.
    ///
    /// ```swift
    /// for person in try Person.query.including(\.mentor, \.photo, \.pets).all() { … }
    /// let teams = try Team.query.including(\.members.pets.toys, \.members.boss).all()
    /// ```
    ///
    /// A key path continues from objects to a property of all of them, to any depth; the properties along the path are
    /// loaded too. Each step takes one query for all objects of a class. Without this call they are loaded on first
    /// access. Naming a property that is always loaded with its object is allowed and has no effect. Unsaved edits are
    /// kept.
    public func including(_ parts: PartialKeyPath<IncludedPart<T>>...) -> Query {
        let paths = parts.compactMap { (IncludedPart<T>(path: nil)[keyPath: $0] as? any AnyIncludedPart)?.path }
        return changed { $0.parts += paths }
    }

    /// Returns the same query for key paths of the class itself, such as those kept in an array.
    @_disfavoredOverload
    public func including(_ properties: PartialKeyPath<T>...) -> Query {
        changed { $0.parts += properties.map { QueryPath($0) } }
    }
}

/// A part of a key path passed to `including`: the `members` of `\.members.pets`.
@dynamicMemberLookup
public struct IncludedPart<Value> {
    /// The path from the query's class; nil at its start.
    let path: QueryPath?

    private func next<V>(_ path: AnyKeyPath) -> IncludedPart<V> {
        IncludedPart<V>(path: self.path?.appending(path) ?? QueryPath(path))
    }
}

/// An `IncludedPart` of any type.
private protocol AnyIncludedPart {
    var path: QueryPath? { get }
}

extension IncludedPart: AnyIncludedPart {}

extension IncludedPart where Value: Persistent {
    /// A property of the object.
    public subscript<V>(dynamicMember path: KeyPath<Value, V>) -> IncludedPart<V> { next(path) }

    /// A property of the object that may be nil.
    public subscript<V>(dynamicMember path: KeyPath<Value, V?>) -> IncludedPart<V> { next(path) }
}

extension IncludedPart where Value: Collection, Value.Element: Persistent {
    /// A property of all objects of the collection.
    public subscript<V>(dynamicMember path: KeyPath<Value.Element, V>) -> IncludedPart<V> { next(path) }

    /// A property of all objects of the collection that may be nil.
    public subscript<V>(dynamicMember path: KeyPath<Value.Element, V?>) -> IncludedPart<V> { next(path) }
}

extension IncludedPart {
    /// A property of all objects of the dictionary.
    public subscript<K, E: Persistent, V>(dynamicMember path: KeyPath<E, V>) -> IncludedPart<V> where Value == [K: E] {
        next(path)
    }

    /// A property of all objects of the dictionary that may be nil.
    public subscript<K, E: Persistent, V>(dynamicMember path: KeyPath<E, V?>) -> IncludedPart<V> where Value == [K: E] {
        next(path)
    }
}
