public import struct Foundation.UUID

// Keys that the user assigns, for classes whose `identity` allows it.
extension Persistent {
    /// The key that identifies the object in every file, or nil if its class has no keys.
    ///
    /// If you did not assign a key, it is nil until the object is saved.
    ///
    /// ```swift
    /// final class Country: PersistentObject {
    ///     override class var identity: Identity { .string }
    ///     var name = ""
    /// }
    /// let iceland = try Country(key: "IS")
    /// ```
    public var key: String? { object.objectKey?.text }

    /// Creates an object with the given key.
    ///
    /// - Throws: The errors of `setKey(_:)`.
    public init(key: String) throws {
        self.init()
        try ObjectState(object).setKey(key)
    }

    /// Assigns a key to the object; UUIDs are converted to lowercase.
    ///
    /// `save()` checks whether the key is already in use.
    ///
    /// - Throws: `StoreError` with the code `noSuchProperty` if the class has no keys, `value` for a string that
    ///   cannot be a key: an empty string, or one that is not a UUID in a class with UUID keys, and `misuse` for a
    ///   saved object of a class that is synced or has encrypted properties.
    public func setKey(_ key: String) throws { try ObjectState(object).setKey(key) }

    /// Returns the object with a key, or nil if there is none.
    ///
    /// ```swift
    /// let iceland = try Country.find("IS")
    /// ```
    ///
    /// A class without keys accepts a number as a string, as a request contains it: `Person.find("7")` is
    /// `Person.find(7)`.
    ///
    /// - Complexity: No SQL if the object is in memory; otherwise one SELECT by the key's index.
    /// - Throws: `StoreError` with the code `noSuchProperty` if the class has no keys and the string is not a number.
    public static func find(_ key: String, isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        ObjectMemory.cast(try ClassCalls.find(ObjectMemory.objectClass(self), key: key), to: Self.self)
    }

    /// Returns the object with a UUID, or nil if there is none.
    ///
    /// See `find(_:)` with a string.
    public static func find(_ key: UUID, isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        try find(key.uuidString, isolation: isolation)
    }

    /// Returns the objects with the given keys, in the given order, leaving out missing objects.
    ///
    /// - Complexity: One SELECT for all objects that are not in memory.
    /// - Throws: `StoreError` with the code `noSuchProperty` if the class has no keys and one of the strings is not a
    ///   number.
    public static func find(
        keys: some Sequence<String>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [Self] {
        try ClassCalls.find(ObjectMemory.objectClass(self), keys: Array(keys)).cast(to: Self.self)
    }
}

// Ids and primary keys that the user assigns.
extension Persistent {
    /// Creates an object with the given id, in a class whose `identity` is `.given`.
    ///
    /// ```swift
    /// let iceland = try Country(id: 352)
    /// ```
    ///
    /// `id` is nil until the object is saved. If another row has the id, `save()` throws a `StoreError` with the code
    /// `notUnique`.
    ///
    /// - Throws: The errors of `setID(_:)`.
    public init(id: some BinaryInteger) throws {
        self.init()
        try setID(id)
    }

    /// Assigns an id, at least 1, to a new object of a class whose `identity` is `.given`.
    ///
    /// - Throws: `StoreError` with the code `misuse` if the object was saved before, if the number cannot be an id, or
    ///   if the store assigns the ids of the class.
    public func setID(_ id: some BinaryInteger) throws { try ObjectState(object).setID(Int64(exactly: id) ?? 0) }

    /// Returns the object with the given `primaryKey` values, in its order, or nil if there is none.
    ///
    /// ```swift
    /// let customer = try Customer.find(key: "ALFKI")
    /// let line = try OrderDetail.find(key: 10248, 11)
    /// ```
    ///
    /// If a part of the key is a reference, pass the referenced object, or the value that identifies its row.
    ///
    /// - Complexity: One SELECT by the key's index, and one for each reference to a class with a key that was not
    ///   passed as an object.
    /// - Throws: `StoreError` with the code `noSuchProperty` if the class has no key, `misuse` if the number of values
    ///   differs from the number of key parts, and `typeMismatch` for a value of another type.
    public static func find(key values: Any?..., isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        ObjectMemory.cast(try ClassCalls.find(ObjectMemory.objectClass(self), primaryKey: values), to: Self.self)
    }
}
