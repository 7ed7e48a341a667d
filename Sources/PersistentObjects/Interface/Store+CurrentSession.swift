// The current session by a name of its own, and what it is asked most, beside `Store.transaction`.
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

    /// Takes back the current session's last commit; false if there is none. See `Session.undo()`.
    ///
    /// Commits are recorded from when its `recordsUndo` is set.
    ///
    /// ```swift
    /// try Store.session().recordsUndo = true
    /// try joe.delete()
    /// try Store.undo()
    /// ```
    @discardableResult
    public static func undo() throws -> Bool { try CurrentSession.session().undo() }

    /// Does again what the last `undo()` took back; false if there is none. See `Session.redo()`.
    @discardableResult
    public static func redo() throws -> Bool { try CurrentSession.session().redo() }

    /// Reads all live objects of the current session again. See `Session.refresh()`.
    public static func refresh() throws { try CurrentSession.session().refresh() }

    /// The rows that one statement of your own gives. See `Session.rows(_:_:)`.
    ///
    /// ```swift
    /// for row in try Store.rows("SELECT last_name FROM person WHERE age > ?", 39) { print(row["last_name"] ?? .null) }
    /// ```
    public static func rows(_ sql: String, _ arguments: Any?...) throws -> [Row] {
        try CurrentSession.session().rows(sql, arguments: arguments)
    }

    /// Runs one statement of your own, which may write. See `Session.execute(_:_:)`.
    @discardableResult
    public static func execute(_ sql: String, _ arguments: Any?...) throws -> Int {
        try CurrentSession.session().execute(sql, arguments: arguments)
    }
}
