// The current session under a separate name.
extension Store {
    /// Returns the session that calls on classes, such as `Person.find…`, use here.
    ///
    /// It is the session of the enclosing `withSession`; otherwise the default store's main session, which is opened on
    /// first use. Use it for tasks that classes and objects do not offer: undo, raw SQL, conflict policies, and saving
    /// or reverting all unsaved changes.
    ///
    /// ```swift
    /// let session = try Store.session()
    /// session.recordsUndo = true
    /// try session.rows("SELECT count(*) AS people FROM person")
    /// ```
    ///
    /// It belongs to the caller's isolation, as do its objects; in code outside any actor, it is the task's.
    ///
    /// - Throws: `StoreError` if the default store cannot be opened, or was closed.
    public static func session(isolation: isolated (any Actor)? = #isolation) throws -> Session {
        try CurrentSession.session()
    }

    /// Returns the session that calls on classes of this store use here.
    ///
    /// Outside `withSession` it is the store's main session.
    ///
    /// ```swift
    /// let session = try archive.session()
    /// ```
    ///
    /// - Throws: The errors of the static `session()`.
    public func session(isolation: isolated (any Actor)? = #isolation) throws -> Session {
        try CurrentSession.session(of: self)
    }
}
