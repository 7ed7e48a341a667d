// The values of an object's row. They are in the protocol's extension so that a class may have properties with the same
// names.
extension Persistent {
    /// The class and the id, which identify this object elsewhere; nil until it is saved.
    public var persistentID: PersistentID<Self>? {
        guard let id = object.id, let key = ObjectState(object).primaryKeyText else { return PersistentID(of: object) }
        return PersistentID(id, key: key)
    }

    /// Returns whether a save would write the property; for a new object, true for each stored property.
    ///
    /// ```swift
    /// if joe.changed(\.lastName) { print("renamed") }
    /// ```
    ///
    /// The result is false for a key path that names no stored property.
    public func changed<V>(_ property: KeyPath<Self, V>) -> Bool { ObjectState(object).hasChanged(property) }

    /// Returns the value of the property before its unsaved edit, or nil for an object without a row.
    ///
    /// It is the row's value, as far as the session knows. A new object and a deleted object have no row.
    ///
    /// ```swift
    /// joe.lastName = "Jones"
    /// try joe.original(\.lastName)        // "Smith"
    /// ```
    ///
    /// - Throws: `StoreError` if the value cannot be loaded, `rowGone` if the object that it referred to no longer
    ///   exists; `FinderError` if the key path names no stored property.
    /// - Complexity: No SQL, unless the property is not loaded, or an object that it referred to is not in memory.
    public func original<V>(_ property: KeyPath<Self, V>) throws -> V? {
        try ObjectState(object).original(property) { ObjectMemory.cast($0, to: Self.self)[keyPath: property] }
    }

    /// Returns the value of an optional property before its unsaved edit. See ``original(_:)``.
    public func original<V>(_ property: KeyPath<Self, V?>) throws -> V? {
        try ObjectState(object).original(property) { ObjectMemory.cast($0, to: Self.self)[keyPath: property] } ?? nil
    }

    /// Reads the object's row again and drops its unsaved edits.
    ///
    /// - Throws: `StoreError`, with the code `rowGone` if the row no longer exists.
    public func reload(isolation: isolated (any Actor)? = #isolation) throws { try ObjectState(object).reload() }
}
