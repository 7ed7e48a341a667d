// Finding objects.
extension Persistent {
    /// The object with an id, nil if there is none.
    ///
    /// - Complexity: no SQL where the object is in memory, else one SELECT by
    ///   primary key.
    public static func find(_ id: Int64, isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        ObjectMemory.cast(try ClassCalls.find(ObjectMemory.objectClass(self), id), to: Self.self)
    }

    /// The object whose id is a number of another type, an `Int` for one; nil if there is none.
    @_disfavoredOverload @inlinable
    public static func find(_ id: some BinaryInteger, isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        // No row has an id that is too large for one.
        guard let id = Int64(exactly: id) else { return nil }
        return try find(id, isolation: isolation)
    }

    /// The object that an id from elsewhere names, nil if there is none: by its key, where its class has keys.
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

    /// The same for ids that are numbers of another type.
    @_disfavoredOverload @inlinable
    public static func find(
        _ ids: some Sequence<some BinaryInteger>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [Self] {
        try find(ids.compactMap { Int64(exactly: $0) }, isolation: isolation)
    }

    /// All objects of the class, by id.
    public static func all(isolation: isolated (any Actor)? = #isolation) throws -> [Self] {
        try ClassCalls.all(ObjectMemory.objectClass(self)).cast(to: Self.self)
    }

    /// The object with the least id, nil if there is none.
    public static func first(isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        ObjectMemory.cast(try ClassCalls.first(ObjectMemory.objectClass(self)), to: Self.self)
    }

    /// The object with the greatest id, nil if there is none.
    public static func last(isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        try query.last(isolation: isolation)
    }

    /// The objects with the least ids, in the order of these; all if there are fewer.
    public static func first(_ count: Int, isolation: isolated (any Actor)? = #isolation) throws -> [Self] {
        try query.first(count, isolation: isolation)
    }

    /// The objects with the greatest ids, in the order of these; all if there are fewer.
    public static func last(_ count: Int, isolation: isolated (any Actor)? = #isolation) throws -> [Self] {
        try query.last(count, isolation: isolation)
    }

    /// How many objects of the class meet a condition: `try Person.count { $0.age > 30 }`.
    public static func count(
        isolation: isolated (any Actor)? = #isolation, _ condition: (Columns<Self>) throws -> Condition
    ) throws -> Int { try query.count(isolation: isolation, condition) }

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
