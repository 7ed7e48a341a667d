internal import StoreEngine

// Calls on the row of one object. These are in the protocol's extension, so that a class may have properties of the
// same names.
extension Persistent {
    /// Inserts the object, or updates its changed properties.
    ///
    /// All new and changed objects that it refers to are saved with it, in one transaction. References, collections and
    /// inverses that are in memory are followed. If nothing changed, no SQL runs. A new object belongs to the current
    /// session afterwards.
    ///
    /// - Throws: `StoreError`, `SchemaError`, and the errors of hooks. The database and all objects are then as they
    ///   were, with the edits, which can be corrected and saved again. The code `invalid` means that `validate` found
    ///   `problems`.
    public func save(isolation: isolated (any Actor)? = #isolation) throws { try ObjectState(object).save() }

    /// Saves the object with options; see ``SaveOptions``.
    ///
    /// ```swift
    /// try joe.save([.withoutHooks, .shallow])
    /// ```
    ///
    /// - Throws: The errors of `save()`, and `StoreError` with the code `misuse` if the options leave out an object
    ///   that must be saved as well.
    public func save(_ options: SaveOptions, isolation: isolated (any Actor)? = #isolation) throws {
        try ObjectState(object).save(options)
    }

    /// The problems that `validate` finds, for which `save()` would be refused.
    ///
    /// The object is not saved, and hooks are not called. Objects that it refers to are not validated; each has its own
    /// `problems`.
    ///
    /// ```swift
    /// for problem in try joe.problems { print(problem) }
    /// ```
    ///
    /// - Throws: `StoreError` if the database cannot be queried, or if `validate` uses the library incorrectly.
    public var problems: [StoreError.Problem] { get throws { try ObjectState(object).problems() } }

    /// Whether `validate` finds no problems with the object. See `problems`.
    public var isValid: Bool { get throws { try ObjectState(object).problems().isEmpty } }

    /// Deletes the object's row and its collections' rows, and cascades according to the delete rules.
    ///
    /// The object keeps its values and refuses `save()`. Objects in memory no longer refer to the deleted objects.
    ///
    /// In a class with `softDeletes` the row stays, and its `deletedAt` contains the time; see there.
    ///
    /// - Throws: `StoreError`, with the code `misuse` for an object that was never saved, and `deletionDenied` if a
    ///   delete rule refuses the deletion; the errors of `willDelete`. Nothing is deleted then.
    public func delete(isolation: isolated (any Actor)? = #isolation) throws { try ObjectState(object).delete() }

    /// Restores a soft-deleted object and the objects that the same `delete()` cascaded to.
    ///
    /// ```swift
    /// try note.delete()
    /// try note.restore()
    /// ```
    ///
    /// An object that is not deleted stays as it is.
    ///
    /// - Throws: `StoreError`, with the code `misuse` if the class does not use soft deletes or the object was never
    ///   saved, and `objectIsDeleted` if its row no longer exists.
    public func restore(isolation: isolated (any Actor)? = #isolation) throws { try ObjectState(object).restore() }

    /// Deletes the object's row, even in a class with `softDeletes`; in other classes it equals `delete()`.
    ///
    /// ```swift
    /// try note.deleteForever()
    /// ```
    ///
    /// - Throws: The errors of `delete()`; nothing is deleted then.
    public func deleteForever(isolation: isolated (any Actor)? = #isolation) throws {
        try ObjectState(object).delete(forever: true)
    }
}

extension ObjectState {
    /// Saves the object alone if its class has no links, and otherwise with all objects that it reaches.
    func save() throws {
        guard object.lifecycle == .saved,
            let keeper = ObjectMemory.start(of: object).header.keeper
        else {
            let session = try session()
            return try session.enterToSave(of: type(of: object)) { try Save(session).saveNew(object) }
        }
        // Most saves of a saved object find no changes, so this path retains only the session.
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
