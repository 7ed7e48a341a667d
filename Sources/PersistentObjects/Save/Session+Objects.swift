// The session's calls for several objects at once.
extension Session {
    /// Saves objects of any classes, and all new and changed objects they refer to, in one transaction.
    ///
    /// Objects without changes cost no SQL.
    ///
    /// - Throws: The errors of saving a single object. No object is saved then, and all objects keep their edits.
    public func save(_ objects: [PersistentObject]) throws { try enterToSave { try Save(self).saveAll(objects) } }

    /// Saves objects of one class, without copying the array into an array of the base class.
    public func save<T: Persistent>(_ objects: [T]) throws {
        try enterToSave { try Save(self).saveAll(objects.objects) }
    }

    /// Saves one object like its `save()`, in this session.
    ///
    /// - Throws: The errors of `save()`, and `StoreError` with the code `otherSession` for an object of another
    ///   session.
    public func save(_ object: some Persistent) throws { try save([object]) }

    /// Saves objects with options; see ``SaveOptions``.
    ///
    /// ```swift
    /// try session.save([joe, acme], .withoutValidation)
    /// ```
    public func save(_ objects: [PersistentObject], _ options: SaveOptions) throws {
        try enterToSave { try Save(self).saveAll(objects, options) }
    }

    /// Saves objects of one class with options, without copying the array into a base class array.
    public func save<T: Persistent>(_ objects: [T], _ options: SaveOptions) throws {
        try enterToSave { try Save(self).saveAll(objects.objects, options) }
    }

    /// Saves all unsaved edits of the session's objects, in one transaction.
    ///
    /// This includes edits of objects that were released, because the session keeps them. A new object is saved if one
    /// of these objects refers to it, or if it was added by `add(_:)`.
    ///
    /// ```swift
    /// for person in try Person.all() { person.age = 0 }
    /// try session.saveChanges()
    /// ```
    ///
    /// - Throws: The errors of saving a single object, including the code `rowGone` if a row with unsaved edits was
    ///   deleted. Nothing is saved then, and no edit is lost.
    public func saveChanges() throws { try enterToSave { try Save(self).saveAllChanges() } }

    /// Saves all unsaved edits with options; see ``SaveOptions``.
    ///
    /// ```swift
    /// try session.saveChanges(.ignoring(Draft.self))
    /// ```
    public func saveChanges(_ options: SaveOptions) throws {
        try enterToSave { try Save(self).saveAllChanges(options) }
    }

    /// Deletes the rows of objects of any classes in one transaction, and cascades by the delete rules.
    public func delete(_ objects: [PersistentObject]) throws { try enter { try Delete(self).deleteAll(objects) } }

    /// Deletes objects of one class, without copying the array into an array of the base class.
    public func delete<T: Persistent>(_ objects: [T]) throws {
        try enter { try Delete(self).deleteAll(objects.objects) }
    }

    /// Deletes the row of one object like its `delete()`, in this session.
    public func delete(_ object: some Persistent) throws { try delete([object]) }
}

extension BackgroundSession {
    /// Saves objects of any classes in one transaction. See `Session.save(_:)`.
    public func save(_ objects: [PersistentObject]) throws { try box.session.save(objects) }

    /// Saves one object.
    public func save(_ object: some Persistent) throws { try box.session.save(object) }

    /// Saves all objects of the session that have unsaved edits. See `Session.saveChanges()`.
    public func saveChanges() throws { try box.session.saveChanges() }

    /// Deletes the rows of objects of any classes in one transaction.
    public func delete(_ objects: [PersistentObject]) throws { try box.session.delete(objects) }

    /// Deletes the row of one object.
    public func delete(_ object: some Persistent) throws { try box.session.delete(object) }
}
