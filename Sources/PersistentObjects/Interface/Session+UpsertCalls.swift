extension Session {
    /// Saves an object, or, if a row has the same value of a unique property, that row's object with its values; the
    /// answer is the object that stands for the row.
    ///
    /// ```swift
    /// let person = Person(["email": "a@b.c", "lastName": "Smith"])
    /// let saved = try session.upsert(person, on: \.email)    // person, or the one that has the address
    /// ```
    ///
    /// The row's object gets the values of all stored properties except its id
    /// and key, `createdAt`, and inverses. Hooks and validation run as in any
    /// save. Nil is not a value: the object is inserted.
    ///
    /// - Throws: `misuse` if the property is not unique by itself (`@Unique`);
    ///   else what a save throws. Nothing has changed then, in memory either.
    public func upsert<T: Persistent, V>(_ object: T, on property: KeyPath<T, V>) throws -> T {
        try upsert([object], on: property)[0]
    }

    /// The same for many objects, in one transaction; of several with the same value the last one's values count.
    public func upsert<T: Persistent, V>(_ objects: [T], on property: KeyPath<T, V>) throws -> [T] {
        try transaction { try upsertAll(objects.objects, ObjectMemory.objectClass(T.self), property) }.cast(to: T.self)
    }
}
