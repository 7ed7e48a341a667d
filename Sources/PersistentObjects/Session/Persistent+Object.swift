// The state of an object. These members are in the protocol's extension, so that a class may have properties with the
// same names.
extension Persistent {
    /// Whether the object does not have a row yet.
    public var isNew: Bool { object.lifecycle == .new }

    /// Whether the object was deleted; it keeps its values and refuses `save()`.
    ///
    /// An object of a class with `softDeletes` still has its row, and can be
    /// saved and restored.
    public var isDeleted: Bool { object.lifecycle == .deleted || ObjectState(object).isSoftlyDeleted }

    /// Whether `save()` would write anything.
    ///
    /// Every change counts, including a change inside a value; assigning an equal value does not.
    public var hasChanges: Bool { ObjectState(object).hasChanges }

    /// The properties that differ from the database, with their old and new values.
    ///
    /// If a property was also changed elsewhere, the old value is the value that the edit started from.
    public var changes: [PropertyChange] { ObjectState(object).changes }

    /// The changes that the session's last save made to the object; empty if it did not write the object.
    ///
    /// ```swift
    /// joe.lastName = "Jones"
    /// try joe.save()
    /// joe.previousChanges         // [lastName: "Smith" -> "Jones"]
    /// ```
    ///
    /// They are the changes of one save, and are kept until the next save that writes anything, `reload()`, or a query
    /// that finds the row changed elsewhere; a rollback restores the previous changes. In `didInsert`, `didUpdate` and
    /// `didSave` they are the changes of the whole transaction. For a new object they contain all properties, with nil
    /// for the old values.
    public var previousChanges: [PropertyChange] { ObjectState(object).previousChanges }

    /// Resets all properties to the values of the database, without querying it.
    ///
    /// A new object has no such values and stays as it is. Property observers are not called.
    public func revert() { ObjectState(object).revert() }

    /// Resets one property to the value of the database.
    ///
    /// A key path that names no stored property has no effect.
    public func revert(_ property: PartialKeyPath<Self>) { ObjectState(object).revert(property) }

    /// Returns a new object of the same class with the same values, which refers to the same objects.
    public func copy() -> Self { ObjectMemory.cast(ObjectState(object).copy(), to: Self.self) }
}
