// New objects added to a session, and discarded edits.
extension Session {
    /// Adds an object to the next `saveChanges()`; the session keeps it until then.
    ///
    /// ```swift
    /// let joe = Person()
    /// joe.lastName = "Smith"
    /// try session.add(joe)
    /// try session.saveChanges()
    /// ```
    ///
    /// Without this call, a session knows a new object only after its first `save()`, or after the save of an object
    /// that refers to it. An object that has a row is kept in memory until then. `reset()` and `revert()` remove the
    /// added objects.
    ///
    /// - Throws: `StoreError` with the code `objectIsDeleted` for an object that was deleted, `otherSession` for an
    ///   object of another session.
    public func add(_ object: PersistentObject) throws { try enter { try addToNext(object) } }

    /// Adds several objects. See `add(_:)`.
    public func add(_ objects: [PersistentObject]) throws {
        try enter { for object in objects { try addToNext(object) } }
    }

    /// Discards all unsaved edits of the session's objects, and removes the added objects.
    ///
    /// This includes the edits of objects that were released. No SQL runs, except to find objects that references
    /// referred to.
    ///
    /// ```swift
    /// for person in try Person.all() { person.age = 0 }
    /// try session.revert()
    /// ```
    ///
    /// - Throws: `StoreError` with the code `misuse` while the session is saving.
    public func revert() throws {
        try enterToSave {
            memory.dropAdded()
            _ = memory.pendingEdits.drop(nil) { _ in true }
            for identity in classes.allIdentities {
                for object in identity.changedObjects() { ObjectState(object).revert() }
            }
        }
    }

    /// Whether `saveChanges()` has anything to save: unsaved edits, or added objects.
    ///
    /// Edits of objects that were released are included.
    ///
    /// ```swift
    /// saveButton.isEnabled = session.hasChanges
    /// ```
    ///
    /// - Complexity: Checks live objects until one with changes is found. False for a session that has ended.
    public var hasChanges: Bool {
        let answer = try? enter("hasChanges") {
            !memory.pendingEdits.isEmpty || memory.added.contains { $0.lifecycle == .new }
                || classes.allIdentities.contains { identity in
                    identity.changedObjects().contains { ObjectState($0).hasChanges }
                }
        }
        return answer ?? false
    }

    private func addToNext(_ object: PersistentObject) throws {
        if let refusal = SavePlan.refusal(object) { throw refusal }
        try parts.checkOwns(object)
        attachBoxes(of: object)
        // An object that is added twice is saved once.
        memory.add(object)
    }

    /// Attaches the boxes of a new object, so that its lazy properties and inverses can be observed.
    private func attachBoxes(of object: PersistentObject) {
        guard object.lifecycle == .new, let map = try? ClassMap.map(of: type(of: object)), map.observed != nil
        else { return }
        for ordinal in map.links.boxes {
            map.properties[ordinal].box(in: ObjectMemory.start(of: object))?.attach(
                to: object, at: ordinal, map.observed)
        }
    }
}

extension BackgroundSession {
    /// Adds an object to the next `saveChanges()`. See `Session.add(_:)`.
    public func add(_ object: PersistentObject) throws { try box.session.add(object) }

    /// Whether `saveChanges()` has anything to save. See `Session.hasChanges`.
    public var hasChanges: Bool { box.session.hasChanges }

    /// Discards all unsaved edits. See `Session.revert()`.
    public func revert() throws { try box.session.revert() }
}

// The number of a session's objects and statements.
extension Session {
    /// The numbers of a session's objects in memory and of its statements.
    public struct Counts: Sendable, Hashable {
        /// The number of the session's objects in memory.
        public let live: Int
        /// The number of these objects with unsaved edits.
        public let changed: Int
        /// The number of statements run, including those that begin and end transactions.
        ///
        /// SQLite counts them for each cached statement; after several hundred different statements the oldest are
        /// dropped with their counts.
        public let statements: Int
    }

    /// The numbers of objects in memory, of objects with unsaved edits, and of statements run.
    ///
    /// ```swift
    /// print(try session.counts.changed)
    /// ```
    ///
    /// - Complexity: Checks each object in memory; no SQL.
    /// - Throws: `StoreError` if the session is in use on another thread, or has ended.
    public var counts: Counts {
        get throws {
            try enter {
                var (live, changed) = (0, 0)
                for identity in classes.allIdentities {
                    let objects = identity.liveObjects()
                    live += objects.count
                    changed += objects.count { identity.classMap.isToBeSaved($0) }
                }
                return Counts(
                    live: live, changed: changed, statements: Swift.max(0, connection.statementRunCount - runsBefore))
            }
        }
    }
}

// The same calls for the current session.
extension Store {
    /// Saves all unsaved edits of the current session's objects. See `Session.saveChanges()`.
    ///
    /// ```swift
    /// joe.age = 40
    /// try Store.saveChanges()
    /// ```
    public static func saveChanges() throws { try CurrentSession.session().saveChanges() }

    /// Whether `saveChanges()` has anything to save. See `Session.hasChanges`.
    ///
    /// ```swift
    /// if try Store.hasChanges { try Store.saveChanges() }
    /// ```
    public static var hasChanges: Bool { get throws { try CurrentSession.session().hasChanges } }

    /// Discards all unsaved edits of the current session's objects. See `Session.revert()`.
    public static func revert() throws { try CurrentSession.session().revert() }
}
