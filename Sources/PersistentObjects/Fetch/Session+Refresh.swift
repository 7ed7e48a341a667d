internal import StoreEngine
internal import Synchronization

// Reading all objects again, and evicting them.
extension Session {
    /// Reads all live objects of the session again, with one query for each class; edits are kept.
    ///
    /// An object whose row no longer exists becomes a deleted object, as if it had been deleted here: it keeps its
    /// values, and `isDeleted` is true.
    ///
    /// ```swift
    /// try session.execute("UPDATE person SET age = age + 1")
    /// try session.refresh()
    /// ```
    ///
    /// - Throws: `StoreError` if a row cannot be read; objects read before it are refreshed, and the remaining objects
    ///   are refreshed by their next query. `StoreError` with the code `misuse` while the session is saving.
    public func refresh() throws { try enterToSave(writes: false) { try Fetch(self).refreshAll() } }

    /// Evicts all objects of the session; unsaved edits are dropped, and not reported as lost.
    ///
    /// Objects that are still held keep their values and no longer belong to a session: `save()` throws `sessionEnded`,
    /// a find by their id returns another object, and inverses are empty. Call it between the batches of a long task.
    ///
    /// - Throws: `StoreError` with the code `misuse` while the session is saving.
    public func reset() throws { try enterToSave(writes: false) { try forgetObjects() } }
}

// The current session's form.
extension Store {
    /// Reads all live objects of the current session again. See `Session.refresh()`.
    public static func refresh() throws { try CurrentSession.session().refresh() }
}
