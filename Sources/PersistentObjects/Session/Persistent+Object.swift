// What an object knows about itself.
// These are in the protocol's extension, so that a class may have properties of the same names.
extension Persistent {
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
