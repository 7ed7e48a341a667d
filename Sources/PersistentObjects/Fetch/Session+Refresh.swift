internal import StoreEngine
internal import Synchronization

// All objects at once: read again, or forgotten.
extension Session {
    /// Reads all live objects of the session again, each class with one query; edits stay.
    ///
    /// An object whose row is no longer there becomes a deleted one, as if
    /// it had been deleted here: it keeps its values, and `isDeleted` says so.
    ///
    /// ```swift
    /// try session.execute("UPDATE person SET age = age + 1")
    /// try session.refresh()
    /// ```
    ///
    /// - Throws: `StoreError` if a row cannot be read; objects read before
    ///   it are up to date then, the others are at their next query. With the
    ///   code `misuse` while the session is saving.
    public func refresh() throws { try enterToSave(writes: false) { try Fetch(self).refreshAll() } }

    /// Forgets all objects of the session; unsaved edits are dropped, and not reported as lost.
    ///
    /// Objects that somebody still holds keep their values and belong to no
    /// session any more: `save()` throws `sessionEnded`, a find by their id
    /// gives another object, and inverses are empty. A long task calls it between its batches.
    ///
    /// - Throws: `StoreError` with the code `misuse` while the session is
    ///   saving.
    public func reset() throws { try enterToSave(writes: false) { try forgetObjects() } }
}

// The same of the current session.
extension Store {
    /// Reads all live objects of the current session again. See `Session.refresh()`.
    public static func refresh() throws { try CurrentSession.session().refresh() }
}
