// What an object's row has.
// These are in the protocol's extension, so that a class may have properties of the same names.
extension Persistent {
    /// The class and the id, to name this object elsewhere; nil until it is saved.
    public var persistentID: PersistentID<Self>? {
        guard let id = object.id, let key = ObjectState(object).primaryKeyText else { return PersistentID(of: object) }
        return PersistentID(id, key: key)
    }

    /// Whether a save would write the property: of a new object each one that is stored.
    ///
    /// ```swift
    /// if joe.changed(\.lastName) { print("renamed") }
    /// ```
    ///
    /// False for a key path that names no stored property.
    public func changed<V>(_ property: KeyPath<Self, V>) -> Bool { ObjectState(object).hasChanged(property) }

    /// The value of the property before its unsaved edit: what the row has, as far as the session knows. Nil for an
    /// object without a row: a new one, or a deleted one.
    ///
    /// ```swift
    /// joe.lastName = "Jones"
    /// try joe.original(\.lastName)        // "Smith"
    /// ```
    ///
    /// No SQL, unless the property is not loaded, or an object that it referred
    /// to is not in memory.
    ///
    /// - Throws: `StoreError` if the value cannot be loaded, `rowGone` if what
    ///   it referred to is not there any more; `FinderError` if the key path
    ///   names no stored property.
    public func original<V>(_ property: KeyPath<Self, V>) throws -> V? {
        try ObjectState(object).original(property) { ObjectMemory.cast($0, to: Self.self)[keyPath: property] }
    }

    /// The value of an optional property before its unsaved edit. See ``original(_:)``.
    public func original<V>(_ property: KeyPath<Self, V?>) throws -> V? {
        try ObjectState(object).original(property) { ObjectMemory.cast($0, to: Self.self)[keyPath: property] } ?? nil
    }

    /// Reads the object's row again; unsaved edits are dropped.
    ///
    /// - Throws: `StoreError`, with the code `rowGone` if the row is not
    ///   there any more.
    public func reload(isolation: isolated (any Actor)? = #isolation) throws { try ObjectState(object).reload() }
}
