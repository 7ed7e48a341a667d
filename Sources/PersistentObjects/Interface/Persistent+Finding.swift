// Finding objects.
extension Persistent {
    /// The object with an id, nil where there is none.
    ///
    /// - Complexity: no SQL where the object is in memory, else one SELECT by
    ///   primary key.
    public static func find(_ id: Int64, isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        ObjectMemory.cast(try ClassCalls.find(ObjectMemory.objectClass(self), id), to: Self.self)
    }

    /// The object that an id from elsewhere names, nil where there is none: by its key, where its class has keys.
    public static func find(_ id: PersistentID<Self>, isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        ObjectMemory.cast(try ClassCalls.find(ObjectMemory.objectClass(self), named: id), to: Self.self)
    }

    /// The objects with some ids, in the order asked; those missing are left out.
    ///
    /// - Complexity: one SELECT for all that are not in memory.
    public static func find(
        _ ids: some Sequence<Int64>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [Self] {
        try ClassCalls.find(ObjectMemory.objectClass(self), Array(ids)).cast(to: Self.self)
    }

    /// All objects of the class, by id.
    public static func all(isolation: isolated (any Actor)? = #isolation) throws -> [Self] {
        try ClassCalls.all(ObjectMemory.objectClass(self)).cast(to: Self.self)
    }

    /// The object with the least id, nil where there is none.
    public static func first(isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        ObjectMemory.cast(try ClassCalls.first(ObjectMemory.objectClass(self)), to: Self.self)
    }

    /// How many objects of the class are stored.
    public static func count(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try ClassCalls.count(ObjectMemory.objectClass(self))
    }

    /// Deletes all objects of the class; the answer is how many.
    @discardableResult
    public static func deleteAll(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try ClassCalls.deleteAll(ObjectMemory.objectClass(self))
    }
}
