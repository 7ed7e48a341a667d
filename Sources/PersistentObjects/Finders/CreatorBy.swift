/// The start of a find-or-create call: `Person.findOrCreateBy.email("a@b.c")`.
@dynamicMemberLookup
public struct CreatorBy<T: Persistent> {
    /// The class to find or create, which may be a subclass of `T`.
    fileprivate let type: PersistentObject.Type

    /// The property to compare, and to set on a new object.
    public subscript<V>(dynamicMember path: ReferenceWritableKeyPath<T, V>) -> CreateCriterion<T, V> {
        CreateCriterion(type: type, path: path)
    }
}

/// A property by which an object is found or created: call it with the value.
public struct CreateCriterion<T: Persistent, Value> {
    fileprivate let type: PersistentObject.Type
    fileprivate let path: ReferenceWritableKeyPath<T, Value>

    /// Returns the first object whose property equals the value, or saves and returns a new object with it.
    ///
    /// During the call no other session or process can write, so it never creates a duplicate.
    @discardableResult
    public func callAsFunction(_ value: Value, isolation: isolated (any Actor)? = #isolation) throws -> T {
        let column = QueryExpression(.column(scope: 0, QueryPath(path)))
        let condition = column.comparing(.equal, QueryExpression(value: value))
        var definition = QueryDefinition.scoped(type)
        definition.add(condition)
        let object = try QueryCall(definition, "findOrCreateBy").run { query in
            try query.objectOrNew(saves: true) { object in
                ObjectMemory.cast(object, to: T.self)[keyPath: path] = value
            }
        }
        return ObjectMemory.cast(object, to: T.self)
    }
}

extension Persistent {
    /// Finds an object by a property, or creates and saves it.
    ///
    /// `try Person.findOrCreateBy.email("a@b.c")` is a `Person`.
    public static var findOrCreateBy: CreatorBy<Self> { CreatorBy(type: ObjectMemory.objectClass(self)) }
}
