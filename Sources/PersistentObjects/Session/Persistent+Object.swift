// Interface: what users call on objects, classes and sessions: one line each that forwards, and its documentation.
// It knows every room below, and must decide nothing itself.

internal import StoreEngine

// What one object can do. These stand in the protocol's extension, so that a class may have properties of the same
// names.
extension Persistent {
    /// The class and the id, to name this object elsewhere; nil until it is saved.
    public var persistentID: PersistentID<Self>? {
        guard let id = object.id, let key = ObjectState(object).primaryKeyText else { return PersistentID(of: object) }
        return PersistentID(id, key: key)
    }

    /// Whether the object has no row yet.
    public var isNew: Bool { object.lifecycle == .new }

    /// Whether the object was deleted; it keeps its values and refuses `save()`.
    ///
    /// An object of a class with `softDeletes` still has its row, and can be
    /// saved and restored.
    public var isDeleted: Bool { object.lifecycle == .deleted || ObjectState(object).isSoftlyDeleted }

    /// Whether `save()` would write anything.
    ///
    /// Every change counts, one inside of a value too; assigning an equal value
    /// does not.
    public var hasChanges: Bool { ObjectState(object).hasChanges }

    /// What differs from the database, by property, with the old and the new value.
    ///
    /// If others have changed a property as well, the old value is the one
    /// that the edit began with.
    public var changes: [PropertyChange] { ObjectState(object).changes }

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

    /// What the last save of the session has changed in the object, by property; empty if it did not write the object.
    ///
    /// ```swift
    /// joe.lastName = "Jones"
    /// try joe.save()
    /// joe.previousChanges         // [lastName: "Smith" -> "Jones"]
    /// ```
    ///
    /// It is what one save has changed, until the next one that writes
    /// anything, `reload()`, or a query that finds the row changed by others;
    /// after a rollback it is what it was before. In `didInsert`, `didUpdate` and
    /// `didSave` it is what the whole transaction has changed. Of a new object
    /// it is all, with nil for the old values.
    public var previousChanges: [PropertyChange] { ObjectState(object).previousChanges }

    /// Inserts the object, or writes the properties that have changed; the same
    /// with all new and changed objects that it leads to, in one transaction.
    ///
    /// Followed are references, collections and inverses that are in memory.
    /// If nothing has changed, no SQL runs. A new object belongs to the current session
    /// from then on.
    ///
    /// - Throws: `StoreError`, `SchemaError`, and what hooks throw. The
    ///   database and all objects are then as they were, with the edits, which
    ///   can be corrected and saved again. The code `invalid` says that `validate`
    ///   has found `problems`.
    public func save(isolation: isolated (any Actor)? = #isolation) throws { try ObjectState(object).save() }

    /// Saves with options: see ``SaveOptions``.
    ///
    /// ```swift
    /// try joe.save([.withoutHooks, .shallow])
    /// ```
    ///
    /// - Throws: what `save()` throws, and `StoreError` with the code `misuse`
    ///   if the options leave out an object that must be saved as well.
    public func save(_ options: SaveOptions, isolation: isolated (any Actor)? = #isolation) throws {
        try ObjectState(object).save(options)
    }

    /// What `validate` finds wrong with the object, without saving it: what a `save()` of it would be refused for.
    ///
    /// Hooks are not called. Objects that it leads to are asked for theirs, and
    /// are not asked here.
    ///
    /// ```swift
    /// for problem in try joe.problems { print(problem) }
    /// ```
    ///
    /// - Throws: `StoreError` if the database cannot be asked, or `validate`
    ///   makes a mistake.
    public var problems: [StoreError.Problem] { get throws { try ObjectState(object).problems() } }

    /// Whether `validate` finds nothing wrong with the object. See `problems`.
    public var isValid: Bool { get throws { try ObjectState(object).problems().isEmpty } }

    /// Deletes the object's row, those of its collections, and what delete rules
    /// take along. The object keeps its values and refuses `save()`.
    ///
    /// Objects in memory that refer to what is deleted refer to it no more.
    ///
    /// In a class with `softDeletes` the row stays, and has the time in its
    /// `deletedAt`; see there.
    ///
    /// - Throws: `StoreError`, with the code `misuse` for an object that was
    ///   never saved, and `deletionDenied` if a rule refuses it, and what
    ///   `willDelete` throws; nothing is deleted then.
    public func delete(isolation: isolated (any Actor)? = #isolation) throws { try ObjectState(object).delete() }

    /// Reads the object's row again; unsaved edits are dropped.
    ///
    /// - Throws: `StoreError`, with the code `rowGone` if the row is not
    ///   there any more.
    public func reload(isolation: isolated (any Actor)? = #isolation) throws { try ObjectState(object).reload() }

    /// Puts all properties back to what the database has, without asking it. A new object has nothing to go back to.
    ///
    /// Observers of the properties are not called.
    public func revert() { ObjectState(object).revert() }

    /// Puts one property back to what the database has.
    ///
    /// A key path that names no stored property changes nothing.
    public func revert(_ property: PartialKeyPath<Self>) { ObjectState(object).revert(property) }

    /// A new object of the same class with the same values, which refers to the same objects.
    public func copy() -> Self { ObjectMemory.cast(ObjectState(object).copy(), to: Self.self) }
}
