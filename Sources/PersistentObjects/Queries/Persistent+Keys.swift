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
