// Objects of classes that delete softly.
extension Persistent {
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
