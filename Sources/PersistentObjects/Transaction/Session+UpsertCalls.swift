extension Session {
    /// Inserts an object, or updates the object whose row has the same unique values.
    ///
    /// ```swift
    /// let person = try Person(["email": "a@b.c", "lastName": "Smith"])
    /// let saved = try session.upsert(person, on: \.email)    // person, or the object with this address
    /// try session.upsert(grade, on: \.student, \.course)     // Index(\Grade.student, \.course, unique: true)
    /// ```
    ///
    /// The unique values are the values of one unique property, or of several properties that are unique together. The
    /// row's object gets the values of all stored properties except its id and key, `createdAt`, and inverses. Hooks
    /// and validation run as in any save. If a unique value is nil, or refers to a new object, no row matches: the
    /// object is inserted.
    ///
    /// - Returns: The object of the row.
    /// - Throws: `misuse` if the property is not unique by itself (`@Unique`), or if no unique index has exactly these
    ///   properties; otherwise the errors of a save. Nothing is changed then, not even in memory.
    @discardableResult
    public func upsert<T: Persistent, V>(
        _ object: T, on property: KeyPath<T, V>, _ others: PartialKeyPath<T>...
    ) throws -> T {
        try upsert([object], of: T.self, [property] + others)[0]
    }

    /// Upserts many objects in one transaction; if keys are equal, the last object's values are kept.
    @discardableResult
    public func upsert<T: Persistent, V>(
        _ objects: [T], on property: KeyPath<T, V>, _ others: PartialKeyPath<T>...
    ) throws -> [T] {
        try upsert(objects, of: T.self, [property] + others)
    }

    /// Inserts the objects whose unique values no row has, and leaves existing rows unchanged.
    ///
    /// ```swift
    /// let tags = try session.insertMissing(["red", "blue"].map { try Tag(["name": $0]) }, on: \.name)
    /// ```
    ///
    /// The unique values are the values of one unique property, or of several properties that are unique together. The
    /// call is one transaction. Of several objects with the same values, the first is inserted. If a unique value is
    /// nil, or refers to a new object, no row matches: the object is inserted. An object that already has a row is not
    /// saved.
    ///
    /// - Returns: For each given object, the object of its row.
    /// - Throws: The errors of `upsert(_:on:_:)`.
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
    /// Inserts an object, or updates the object with the same unique values. See `Session.upsert(_:on:_:)`.
    @discardableResult
    public func upsert<T: Persistent, V>(
        _ object: T, on property: KeyPath<T, V>, _ others: PartialKeyPath<T>...
    ) throws -> T {
        try box.session.upsert([object], of: T.self, [property] + others)[0]
    }

    /// Upserts many objects in one transaction.
    @discardableResult
    public func upsert<T: Persistent, V>(
        _ objects: [T], on property: KeyPath<T, V>, _ others: PartialKeyPath<T>...
    ) throws -> [T] {
        try box.session.upsert(objects, of: T.self, [property] + others)
    }

    /// Inserts the objects whose unique values no row has. See `Session.insertMissing(_:on:_:)`.
    @discardableResult
    public func insertMissing<T: Persistent, V>(
        _ objects: [T], on property: KeyPath<T, V>, _ others: PartialKeyPath<T>...
    ) throws -> [T] {
        try box.session.insertMissing(objects, of: T.self, [property] + others)
    }
}
