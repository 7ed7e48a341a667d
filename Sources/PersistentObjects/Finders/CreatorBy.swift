/// Where `Person.findOrCreateBy.email("a@b.c")` begins.
@dynamicMemberLookup
public struct CreatorBy<T: Persistent> {
    /// The class to find and to make, which may be a subclass of `T`.
    fileprivate let type: PersistentObject.Type

    /// The property to compare, and to set where there is no such object.
    public subscript<V>(dynamicMember path: ReferenceWritableKeyPath<T, V>) -> CreateCriterion<T, V> {
        CreateCriterion(type: type, path: path)
    }
}

/// A property by which an object is found or made: call it with the value.
public struct CreateCriterion<T: Persistent, Value> {
    fileprivate let type: PersistentObject.Type
    fileprivate let path: ReferenceWritableKeyPath<T, Value>

    /// The first object whose property equals the value; where there is none, a new one with the value, saved.
    ///
    /// While it looks and saves nobody else writes, another process neither, so
    /// there are not two objects where one was wanted.
    @discardableResult
    public func callAsFunction(_ value: Value, isolation: isolated (any Actor)? = #isolation) throws -> T {
        let column = QueryExpression(.column(scope: 0, QueryPath(path)))
        let condition = column.comparing(.equal, QueryExpression(value: value))
        var definition = QueryDefinition.scoped(type)
        definition.add(condition)
        let object = try QueryCall(definition, "findOrCreateBy").ask { ask in
            try ask.objectOrNew(saves: true) { object in
                ObjectMemory.cast(object, to: T.self)[keyPath: path] = value
            }
        }
        return ObjectMemory.cast(object, to: T.self)
    }
}

extension Persistent {
    /// Finds an object by a property, or makes and saves it: `try Person.findOrCreateBy.email("a@b.c")` is `Person`.
    public static var findOrCreateBy: CreatorBy<Self> { CreatorBy(type: ObjectMemory.objectClass(self)) }
}
