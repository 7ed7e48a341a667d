// Finding objects.
extension Persistent {
    /// Returns the object with an id, or nil if there is none.
    ///
    /// - Complexity: No SQL if the object is in memory; otherwise one SELECT by primary key.
    public static func find(_ id: Int64, isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        ObjectMemory.cast(try ClassCalls.find(ObjectMemory.objectClass(self), id), to: Self.self)
    }

    /// Returns the object with an id of another integer type, such as `Int`, or nil if there is none.
    @_disfavoredOverload @inlinable
    public static func find(_ id: some BinaryInteger, isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        // No row has an id that is too large for `Int64`.
        guard let id = Int64(exactly: id) else { return nil }
        return try find(id, isolation: isolation)
    }

    /// Returns the object that a persistent id identifies, or nil if there is none.
    ///
    /// If the class has keys, the object is found by its key, so the id can come from another file.
    public static func find(_ id: PersistentID<Self>, isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        ObjectMemory.cast(try ClassCalls.find(ObjectMemory.objectClass(self), named: id), to: Self.self)
    }

    /// Returns the objects with the given ids, in the given order, leaving out missing objects.
    ///
    /// - Complexity: One SELECT for all objects that are not in memory.
    public static func find(
        _ ids: some Sequence<Int64>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [Self] {
        try ClassCalls.find(ObjectMemory.objectClass(self), Array(ids)).cast(to: Self.self)
    }

    /// Returns the objects with ids of another integer type, in their order, leaving out missing objects.
    @_disfavoredOverload @inlinable
    public static func find(
        _ ids: some Sequence<some BinaryInteger>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [Self] {
        try find(ids.compactMap { Int64(exactly: $0) }, isolation: isolation)
    }

    /// Returns all objects of the class, in order of their ids.
    public static func all(isolation: isolated (any Actor)? = #isolation) throws -> [Self] {
        try ClassCalls.all(ObjectMemory.objectClass(self)).cast(to: Self.self)
    }

    /// Returns the object with the lowest id, or nil if there is none.
    public static func first(isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        ObjectMemory.cast(try ClassCalls.first(ObjectMemory.objectClass(self)), to: Self.self)
    }

    /// Returns the object with the highest id, or nil if there is none.
    public static func last(isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        try query.last(isolation: isolation)
    }

    /// Returns the objects with the lowest ids, in increasing order; all objects if there are fewer.
    public static func first(_ count: Int, isolation: isolated (any Actor)? = #isolation) throws -> [Self] {
        try query.first(count, isolation: isolation)
    }

    /// Returns the objects with the highest ids, in increasing order; all objects if there are fewer.
    public static func last(_ count: Int, isolation: isolated (any Actor)? = #isolation) throws -> [Self] {
        try query.last(count, isolation: isolation)
    }

    /// Returns the number of objects that meet a condition: `try Person.count { $0.age > 30 }`.
    public static func count(
        isolation: isolated (any Actor)? = #isolation, _ condition: (Columns<Self>) throws -> Condition
    ) throws -> Int { try query.count(isolation: isolation, condition) }

    /// Returns the number of stored objects of the class.
    public static func count(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try ClassCalls.count(ObjectMemory.objectClass(self))
    }

    /// Deletes all objects of the class and returns their number.
    @discardableResult
    public static func deleteAll(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try ClassCalls.deleteAll(ObjectMemory.objectClass(self))
    }
}
