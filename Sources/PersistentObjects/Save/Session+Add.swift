// New objects that a session is to save, and edits that it is not.
extension Session {
    /// Has the next `saveChanges()` save a new object, which the session keeps until then.
    ///
    /// ```swift
    /// let joe = Person()
    /// joe.lastName = "Smith"
    /// try session.add(joe)
    /// try session.saveChanges()
    /// ```
    ///
    /// Without it a session knows a new object only after its first `save()`,
    /// or after the save of an object that leads to it. An object that has a
    /// row is kept in memory until then. `reset()` and `revert()` forget what
    /// was added.
    ///
    /// - Throws: `StoreError` with the code `objectIsDeleted` for an object that
    ///   was deleted, `otherSession` for one of another session.
    public func add(_ object: PersistentObject) throws { try enter { try addToNext(object) } }

    /// The same for several objects.
    public func add(_ objects: [PersistentObject]) throws {
        try enter { for object in objects { try addToNext(object) } }
    }

    /// Takes back all unsaved edits of the session's objects, including those of objects that have ended, and forgets
    /// what was added; no SQL except to find objects that references led to.
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

    /// Whether `saveChanges()` has something to save: objects with unsaved edits, also of objects that nobody holds any
    /// more, and what was added.
    ///
    /// ```swift
    /// saveButton.isEnabled = session.hasChanges
    /// ```
    ///
    /// - Complexity: a look at each live object until one is found. False for a session that has ended.
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
        try checkOwns(object)
        attachBoxes(of: object)
        // Whoever is in it twice is saved once.
        memory.add(object)
    }

    /// What is lazy or an inverse can be observed from here on.
    private func attachBoxes(of object: PersistentObject) {
        guard object.lifecycle == .new, let map = try? ClassMap.map(of: type(of: object)), map.observed != nil
        else { return }
        for place in map.links.boxes {
            map.properties[place].box(in: ObjectMemory.start(of: object))?.attach(to: object, at: place, map.observed)
        }
    }
}

extension BackgroundSession {
    /// Has the next `saveChanges()` save a new object. See `Session.add(_:)`.
    public func add(_ object: PersistentObject) throws { try box.session.add(object) }

    /// Whether `saveChanges()` has something to save. See `Session.hasChanges`.
    public var hasChanges: Bool { box.session.hasChanges }

    /// Takes back all unsaved edits. See `Session.revert()`.
    public func revert() throws { try box.session.revert() }
}

// What a session holds and has done, in numbers.
extension Session {
    /// How many objects a session has in memory, and how often it has asked the database.
    public struct Counts: Sendable, Hashable {
        /// Objects of the session in memory.
        public let live: Int
        /// Those of them that have unsaved edits.
        public let changed: Int
        /// Statements run, those that begin and end transactions included.
        ///
        /// SQLite counts them for each statement that is kept; after some
        /// hundred different ones the oldest are dropped with their counts.
        public let statements: Int
    }

    /// How many objects the session has in memory, how many of them have unsaved edits, and how many statements it has
    /// run.
    ///
    /// ```swift
    /// print(try session.counts.changed)
    /// ```
    ///
    /// - Complexity: looks at each object in memory; no SQL.
    /// - Throws: `StoreError` if the session is in use on another thread, or
    ///   has ended.
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

// The same of the current session.
extension Store {
    /// Saves all unsaved edits of the current session's objects. See `Session.saveChanges()`.
    ///
    /// ```swift
    /// joe.age = 40
    /// try Store.saveChanges()
    /// ```
    public static func saveChanges() throws { try CurrentSession.session().saveChanges() }

    /// Whether `saveChanges()` has something to save. See `Session.hasChanges`.
    ///
    /// ```swift
    /// if try Store.hasChanges { try Store.saveChanges() }
    /// ```
    public static var hasChanges: Bool { get throws { try CurrentSession.session().hasChanges } }

    /// Takes back all unsaved edits of the current session's objects. See `Session.revert()`.
    public static func revert() throws { try CurrentSession.session().revert() }
}
