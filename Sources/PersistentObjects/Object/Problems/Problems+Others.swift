// Rules that concern other objects.
extension Problems {
    /// Requires the value of a property, or the values of several properties together, to be unique.
    ///
    /// ```swift
    /// problems.requireUnique(\Person.email)
    /// problems.requireUnique(\Seat.row, \Seat.number)
    /// ```
    ///
    /// The database is queried before the save writes, and the objects of the save are compared with each other; nil is
    /// never a duplicate. A unique index must exist for the properties, `@Unique` or `Index(…, unique: true)`;
    /// otherwise the save throws `misuse`, because two programs could save the same value concurrently. With the index,
    /// the second save fails with the code `notUnique` and has the same problem in its `problems`.
    public mutating func requireUnique(_ property: AnyKeyPath, _ others: AnyKeyPath..., message: String? = nil) {
        addQuestion(.isUnique, [property] + others, message)
    }

    /// Requires that no other object has the same value of a property, and reports your message.
    public mutating func requireUnique(_ property: AnyKeyPath, _ message: String) {
        addQuestion(.isUnique, [property], message)
    }

    /// Requires the referenced object, if there is one, to have no problems.
    ///
    /// ```swift
    /// problems.requireValid(\Person.employer)
    /// ```
    ///
    /// All its problems count, including problems of unchanged properties. A save always validates new and changed
    /// objects that it reaches; this rule is for objects that were saved before the rule existed, or without
    /// validation.
    public mutating func requireValid<Root>(
        _ property: KeyPath<Root, (some PersistentObject)?>, _ message: String? = nil
    ) {
        if let object = value(of: property) ?? nil { addQuestion(.areValid([object]), [property], message) }
    }

    /// Requires all elements of a collection to have no problems.
    public mutating func requireValid<Root, Elements: Collection>(
        _ property: KeyPath<Root, Elements>, _ message: String? = nil
    ) where Elements.Element: PersistentObject {
        if let objects = value(of: property) { addQuestion(.areValid(objects.map { $0 }), [property], message) }
    }
}
