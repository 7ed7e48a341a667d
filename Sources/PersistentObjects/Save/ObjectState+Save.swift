internal import StoreEngine

// What is done with the row of one object.
// These are in the protocol's extension, so that a class may have properties of the same names.
extension Persistent {
    /// Inserts the object, or writes the properties that have changed; the same
    /// with all new and changed objects that it leads to, in one transaction.
    ///
    /// Followed are references, collections and inverses that are in memory.
    /// If nothing has changed, no SQL runs. A new object belongs to the current session
    /// from then on.
    ///
    /// - Throws: `StoreError`, `SchemaError`, and what hooks throw. The
    ///   database and all objects are then as they were, with the edits, which
    ///   can be corrected and saved again. The code `invalid` says that `validate`
    ///   has found `problems`.
    public func save(isolation: isolated (any Actor)? = #isolation) throws { try ObjectState(object).save() }

    /// Saves with options: see ``SaveOptions``.
    ///
    /// ```swift
    /// try joe.save([.withoutHooks, .shallow])
    /// ```
    ///
    /// - Throws: what `save()` throws, and `StoreError` with the code `misuse`
    ///   if the options leave out an object that must be saved as well.
    public func save(_ options: SaveOptions, isolation: isolated (any Actor)? = #isolation) throws {
        try ObjectState(object).save(options)
    }

    /// What `validate` finds wrong with the object, without saving it: what a `save()` of it would be refused for.
    ///
    /// Hooks are not called. Objects that it leads to are asked for theirs, and
    /// are not asked here.
    ///
    /// ```swift
    /// for problem in try joe.problems { print(problem) }
    /// ```
    ///
    /// - Throws: `StoreError` if the database cannot be asked, or `validate`
    ///   makes a mistake.
    public var problems: [StoreError.Problem] { get throws { try ObjectState(object).problems() } }

    /// Whether `validate` finds nothing wrong with the object. See `problems`.
    public var isValid: Bool { get throws { try ObjectState(object).problems().isEmpty } }

    /// Deletes the object's row, those of its collections, and what delete rules
    /// take along. The object keeps its values and refuses `save()`.
    ///
    /// Objects in memory that refer to what is deleted refer to it no more.
    ///
    /// In a class with `softDeletes` the row stays, and has the time in its
    /// `deletedAt`; see there.
    ///
    /// - Throws: `StoreError`, with the code `misuse` for an object that was
    ///   never saved, and `deletionDenied` if a rule refuses it, and what
    ///   `willDelete` throws; nothing is deleted then.
    public func delete(isolation: isolated (any Actor)? = #isolation) throws { try ObjectState(object).delete() }

    /// Takes back a soft deletion, of the object and of what the same `delete()` took along.
    ///
    /// ```swift
    /// try note.delete()
    /// try note.restore()
    /// ```
    ///
    /// An object that is not deleted stays as it is.
    ///
    /// - Throws: `StoreError`, with the code `misuse` if the class does not
    ///   delete softly or the object was never saved, and `objectIsDeleted` if
    ///   its row is gone.
    public func restore(isolation: isolated (any Actor)? = #isolation) throws { try ObjectState(object).restore() }

    /// Deletes the object's row, in a class with `softDeletes` too; in others it is what `delete()` is.
    ///
    /// ```swift
    /// try note.deleteForever()
    /// ```
    ///
    /// - Throws: what `delete()` throws; nothing is deleted then.
    public func deleteForever(isolation: isolated (any Actor)? = #isolation) throws {
        try ObjectState(object).delete(forever: true)
    }
}

extension ObjectState {
    /// Saves the object as it is saved best: alone, if its class leads to no other, or with all that it reaches.
    func save() throws {
        guard object.lifecycle == .saved,
            let keeper = ObjectMemory.start(of: object).header.keeper
        else {
            let session = try session()
            return try session.enterToSave(of: type(of: object)) { try Save(session).saveNew(object) }
        }
        // Most saves of a saved object find nothing to do: this way to that answer retains nothing but the session.
        try keeper.with { keeper in
            let identity = ObjectMemory.exactly(keeper, as: IdentityMap.self)
            guard let session = identity.session else { _ = try self.session(); return }
            try session.enterToSave(of: type(of: object)) {
                guard identity.classMap.isUpdatedAlone else { return try Save(session).saveAll([object]) }
                let changed = identity.changes(of: object)
                if !changed.isEmpty { try Save(session).saveEdits(changed, of: object) }
            }
        }
    }

    func save(_ options: SaveOptions) throws {
        let session = try session()
        try session.enterToSave(of: type(of: object)) { try Save(session).saveAll([object], options) }
    }

    func problems() throws -> [StoreError.Problem] {
        if let refusal = SavePlan.refusal(object) { throw refusal }
        let session = try session()
        return try session.enter(of: type(of: object)) { try Save(session).problems(of: object) }
    }

    func delete(forever: Bool = false) throws {
        let session = try session()
        try session.enter(forever ? "deleteForever()" : "delete()", of: type(of: object)) {
            try Delete(session).deleteAll([object], forever: forever)
        }
    }

    func restore() throws {
        let session = try session()
        try session.enter(of: type(of: object)) { try Delete(session).restoreAll([object]) }
    }
}
