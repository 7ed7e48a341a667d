// The current session by a name of its own.
extension Store {
    /// The session that `Person.find…` and the like use here: that of the `withSession` around the call, else the
    /// default store's own, which is opened at first use.
    ///
    /// It is for all that classes and objects cannot be asked: undo, SQL of
    /// one's own, conflict policies, unsaved changes of everything.
    ///
    /// ```swift
    /// let session = try Store.session()
    /// session.recordsUndo = true
    /// try session.rows("SELECT count(*) AS people FROM person")
    /// ```
    ///
    /// It belongs to the caller's isolation, as its objects do. In code that is
    /// in no actor it is the task's.
    ///
    /// - Throws: `StoreError` if the default store cannot be opened, or was closed.
    public static func session(isolation: isolated (any Actor)? = #isolation) throws -> Session {
        try CurrentSession.session()
    }

    /// The session that calls on classes of this store use here, outside of `withSession` its main one.
    ///
    /// ```swift
    /// let session = try archive.session()
    /// ```
    ///
    /// - Throws: as the static `session()` does.
    public func session(isolation: isolated (any Actor)? = #isolation) throws -> Session {
        try CurrentSession.session(of: self)
    }
}
