// What a session can do for several objects at once.
extension Session {
    /// Saves objects of any classes, and all new and changed ones that they lead to, in one transaction; those without
    /// changes cost no SQL.
    ///
    /// - Throws: what `save()` of one object throws; then none is saved, and
    ///   all keep their edits.
    public func save(_ objects: [PersistentObject]) throws { try enterToSave { try Save(self).saveAll(objects) } }

    /// The same for objects of one class, whose array need not be copied into one of the base class.
    public func save<T: Persistent>(_ objects: [T]) throws {
        try enterToSave { try Save(self).saveAll(objects.objects) }
    }

    /// Saves one object as its `save()` does, in this session.
    ///
    /// - Throws: what `save()` throws, and `StoreError` with the code `otherSession` for an object of another session.
    public func save(_ object: some Persistent) throws { try save([object]) }

    /// Saves with options: see ``SaveOptions``.
    ///
    /// ```swift
    /// try session.save([joe, acme], .withoutValidation)
    /// ```
    public func save(_ objects: [PersistentObject], _ options: SaveOptions) throws {
        try enterToSave { try Save(self).saveAll(objects, options) }
    }

    /// The same for objects of one class, whose array need not be copied into one of the base class.
    public func save<T: Persistent>(_ objects: [T], _ options: SaveOptions) throws {
        try enterToSave { try Save(self).saveAll(objects.objects, options) }
    }

    /// Saves all unsaved edits of the session's objects, in one transaction.
    ///
    /// Edits of objects that nobody holds any more are among them: they stay
    /// with the session. New objects are saved if one of these leads to them,
    /// or if `add(_:)` has named them.
    ///
    /// ```swift
    /// for person in try Person.all() { person.age = 0 }
    /// try session.saveChanges()
    /// ```
    ///
    /// - Throws: what `save()` of one object throws; with the code `rowGone`
    ///   too if a row was deleted that has edits waiting. Nothing is saved
    ///   then, and no edit is lost.
    public func saveChanges() throws { try enterToSave { try Save(self).saveAllChanges() } }

    /// Saves all unsaved edits with options: see ``SaveOptions``.
    ///
    /// ```swift
    /// try session.saveChanges(.ignoring(Draft.self))
    /// ```
    public func saveChanges(_ options: SaveOptions) throws {
        try enterToSave { try Save(self).saveAllChanges(options) }
    }

    /// Deletes the rows of objects of any classes, and what delete rules take along, in one transaction.
    public func delete(_ objects: [PersistentObject]) throws { try enter { try Delete(self).deleteAll(objects) } }

    /// The same for objects of one class, whose array need not be copied into one of the base class.
    public func delete<T: Persistent>(_ objects: [T]) throws {
        try enter { try Delete(self).deleteAll(objects.objects) }
    }

    /// Deletes the row of one object as its `delete()` does, in this session.
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
