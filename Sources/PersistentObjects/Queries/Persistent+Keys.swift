public import struct Foundation.UUID

// Keys of one's own choice, for classes whose `identity` says so.
extension Persistent {
    /// What names the object in every file; nil if its class has no keys, and until it is saved where none was set.
    ///
    /// ```swift
    /// final class Country: PersistentObject {
    ///     override class var identity: Identity { .string }
    ///     var name = ""
    /// }
    /// let iceland = try Country(key: "IS")
    /// ```
    public var key: String? { object.objectKey?.text }

    /// Makes a new object with a key of your own.
    ///
    /// - Throws: what `setKey(_:)` throws.
    public init(key: String) throws {
        self.init()
        try ObjectState(object).setKey(key)
    }

    /// Gives the object a key of your own; UUIDs become lower case.
    ///
    /// - Throws: `StoreError` with the code `noSuchProperty` if the class has
    ///   no keys, and `value` for a text that cannot be a key: an empty one, or
    ///   one that is not a UUID where UUIDs are wanted. Whether a key is taken,
    ///   `save()` tells.
    public func setKey(_ key: String) throws { try ObjectState(object).setKey(key) }

    /// The object with a key, nil if there is none.
    ///
    /// ```swift
    /// let iceland = try Country.find("IS")
    /// ```
    ///
    /// A class without keys takes the text of a number, as it comes in a
    /// request: `Person.find("7")` is `Person.find(7)`.
    ///
    /// - Complexity: no SQL where the object is in memory, else one SELECT by
    ///   the key's index.
    /// - Throws: `StoreError` with the code `noSuchProperty` if the class
    ///   has no keys, and the text is no number.
    public static func find(_ key: String, isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        ObjectMemory.cast(try ClassCalls.find(ObjectMemory.objectClass(self), key: key), to: Self.self)
    }

    /// The object with a UUID, nil if there is none. See `find(_:)` of a text.
    public static func find(_ key: UUID, isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        try find(key.uuidString, isolation: isolation)
    }

    /// The objects with some keys, in the order asked; those missing are left out.
    ///
    /// - Complexity: one SELECT for all that are not in memory.
    /// - Throws: `StoreError` with the code `noSuchProperty` if the class
    ///   has no keys, and one of the texts is no number.
    public static func find(
        keys: some Sequence<String>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [Self] {
        try ClassCalls.find(ObjectMemory.objectClass(self), keys: Array(keys)).cast(to: Self.self)
    }
}

// Ids and primary keys of the user's choice.
extension Persistent {
    /// Makes a new object with an id of your own, in a class whose `identity` is `.given`.
    ///
    /// ```swift
    /// let iceland = try Country(id: 352)
    /// ```
    ///
    /// `id` is nil until it is saved. Whether another row has the id, `save()`
    /// tells, by a `StoreError` with the code `notUnique`.
    ///
    /// - Throws: what `setID(_:)` throws.
    public init(id: some BinaryInteger) throws {
        self.init()
        try setID(id)
    }

    /// Gives a new object an id of your own, in a class whose `identity` is `.given`: a number from 1 on.
    ///
    /// - Throws: `StoreError` with the code `misuse` if the object has been
    ///   saved, for a number that can be no id, and in a class whose ids the
    ///   store gives.
    public func setID(_ id: some BinaryInteger) throws { try ObjectState(object).setID(Int64(exactly: id) ?? 0) }

    /// The object whose `primaryKey` has these values, in its order; nil if there is none.
    ///
    /// ```swift
    /// let customer = try Customer.find(key: "ALFKI")
    /// let line = try OrderDetail.find(key: 10248, 11)
    /// ```
    ///
    /// Where a part of the key is a reference its value is the object, or what
    /// names the row that it leads to.
    ///
    /// - Complexity: one SELECT by the key's index, and one for each part that
    ///   is a reference to a class with a key and was not given as an object.
    /// - Throws: `StoreError` with the code `noSuchProperty` if the class has
    ///   no key, `misuse` for another number of values than it has parts, and
    ///   `typeMismatch` for a value of another type.
    public static func find(key values: Any?..., isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        ObjectMemory.cast(try ClassCalls.find(ObjectMemory.objectClass(self), primaryKey: values), to: Self.self)
    }
}
