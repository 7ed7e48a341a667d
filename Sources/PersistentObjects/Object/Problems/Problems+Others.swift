// What concerns other objects.
extension Problems {
    /// Requires that no other object has the same value of a property, or the same values of several together.
    ///
    /// ```swift
    /// problems.requireUnique(\Person.email)
    /// problems.requireUnique(\Seat.row, \Seat.number)
    /// ```
    ///
    /// The database is asked before the save writes, and the objects of the
    /// save are compared with each other; nil is never taken. A unique index
    /// must exist for it, `@Unique` or `Index(…, unique: true)`, else the save
    /// throws `misuse`: without one two programs could save the same at once.
    /// With it the second fails with the code `notUnique`, which has the same
    /// problem in its `problems`.
    public mutating func requireUnique(_ property: AnyKeyPath, _ others: AnyKeyPath..., message: String? = nil) {
        ask(.isUnique, [property] + others, message)
    }

    /// The same for one property, with your message.
    public mutating func requireUnique(_ property: AnyKeyPath, _ message: String) {
        ask(.isUnique, [property], message)
    }

    /// Requires the object that a reference refers to, if there is one, to have no problems itself.
    ///
    /// ```swift
    /// problems.requireValid(\Person.employer)
    /// ```
    ///
    /// All its problems count, those of unchanged properties too. A save asks new
    /// and changed objects that it leads to in any case; this is for those that
    /// were saved before the rule, or without asking.
    public mutating func requireValid<Root>(
        _ property: KeyPath<Root, (some PersistentObject)?>, _ message: String? = nil
    ) {
        if let object = value(of: property) ?? nil { ask(.areValid([object]), [property], message) }
    }

    /// The same for all elements of a collection.
    public mutating func requireValid<Root, Elements: Collection>(
        _ property: KeyPath<Root, Elements>, _ message: String? = nil
    ) where Elements.Element: PersistentObject {
        if let objects = value(of: property) { ask(.areValid(objects.map { $0 }), [property], message) }
    }
}
