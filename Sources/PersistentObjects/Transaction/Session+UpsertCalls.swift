extension Session {
    /// Saves an object, or, if a row has the same value of a unique property, or the same values of several that are
    /// unique together, that row's object with its values; the answer is the object that stands for the row.
    ///
    /// ```swift
    /// let person = try Person(["email": "a@b.c", "lastName": "Smith"])
    /// let saved = try session.upsert(person, on: \.email)    // person, or the one that has the address
    /// try session.upsert(grade, on: \.student, \.course)     // Index(\Grade.student, \.course, unique: true)
    /// ```
    ///
    /// The row's object gets the values of all stored properties except its id
    /// and key, `createdAt`, and inverses. Hooks and validation run as in any
    /// save. Nil is not a value, and a new object is in no row: the object is
    /// inserted.
    ///
    /// - Throws: `misuse` if the property is not unique by itself (`@Unique`),
    ///   or no unique index has just these properties; else what a save throws.
    ///   Nothing has changed then, in memory either.
    @discardableResult
    public func upsert<T: Persistent, V>(
        _ object: T, on property: KeyPath<T, V>, _ others: PartialKeyPath<T>...
    ) throws -> T {
        try upsert([object], of: T.self, [property] + others)[0]
    }

    /// The same for many objects, in one transaction; of several with the same values the last one's count.
    @discardableResult
    public func upsert<T: Persistent, V>(
        _ objects: [T], on property: KeyPath<T, V>, _ others: PartialKeyPath<T>...
    ) throws -> [T] {
        try upsert(objects, of: T.self, [property] + others)
    }

    /// Inserts those of some objects whose values of a unique property, or of several that are unique together, no row
    /// has; rows that are there stay as they are. The answer has, for each, the object that stands for the row.
    ///
    /// ```swift
    /// let tags = try session.insertMissing(["red", "blue"].map { try Tag(["name": $0]) }, on: \.name)
    /// ```
    ///
    /// It is one transaction. Of several with the same values the first is
    /// inserted. Nil is not a value, and a new object is in no row: such an
    /// object is inserted. One that has a row already is not saved.
    ///
    /// - Throws: What `upsert(_:on:_:)` throws.
    @discardableResult
    public func insertMissing<T: Persistent, V>(
        _ objects: [T], on property: KeyPath<T, V>, _ others: PartialKeyPath<T>...
    ) throws -> [T] {
        try insertMissing(objects, of: T.self, [property] + others)
    }

    fileprivate func insertMissing<T: Persistent>(
        _ objects: [T], of type: T.Type, _ paths: [AnyKeyPath]
    ) throws -> [T] {
        try runTransaction(.call) {
            try Save(self).insertAllMissing(objects.objects, ObjectMemory.objectClass(type), paths)
        }.cast(to: type)
    }

    fileprivate func upsert<T: Persistent>(_ objects: [T], of type: T.Type, _ paths: [AnyKeyPath]) throws -> [T] {
        try runTransaction(.call) {
            try Save(self).upsertAll(objects.objects, ObjectMemory.objectClass(type), paths)
        }.cast(to: type)
    }
}

extension BackgroundSession {
    /// Saves an object, or the row's that has the same values. See `Session.upsert(_:on:_:)`.
    @discardableResult
    public func upsert<T: Persistent, V>(
        _ object: T, on property: KeyPath<T, V>, _ others: PartialKeyPath<T>...
    ) throws -> T {
        try box.session.upsert([object], of: T.self, [property] + others)[0]
    }

    /// The same for many objects, in one transaction.
    @discardableResult
    public func upsert<T: Persistent, V>(
        _ objects: [T], on property: KeyPath<T, V>, _ others: PartialKeyPath<T>...
    ) throws -> [T] {
        try box.session.upsert(objects, of: T.self, [property] + others)
    }

    /// Inserts those of some objects whose values no row has. See `Session.insertMissing(_:on:_:)`.
    @discardableResult
    public func insertMissing<T: Persistent, V>(
        _ objects: [T], on property: KeyPath<T, V>, _ others: PartialKeyPath<T>...
    ) throws -> [T] {
        try box.session.insertMissing(objects, of: T.self, [property] + others)
    }
}
