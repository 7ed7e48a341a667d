// Undo: takes commits back and does them again. It knows what was recorded of each commit and the objects in memory,
// and must not know why anything was changed.

internal import StoreEngine

// Undo and redo of what the session has committed.
extension Session {
    /// Whether commits are recorded, so that they can be undone; false at first.
    ///
    /// ```swift
    /// session.recordsUndo = true
    /// joe.lastName = "Jones"
    /// try joe.save()
    /// try session.undo()      // joe.lastName is "Smith" again, in memory and in the file
    /// ```
    ///
    /// Whatever the session's own commits change is recorded, one level for
    /// each: saves, deletions with all that follows, queries that update or
    /// delete, `execute(_:_:)`. Setting it to false forgets what was recorded.
    ///
    /// It needs an SQLite that has the session extension, as Debian's does. If
    /// the program's does not, it stays false, and `undo()` throws an error that
    /// says so.
    public var recordsUndo: Bool {
        get { undoState(\.recordsUndo).isRecording }
        set {
            guard newValue != (writing.undoHistory != nil) else { return }
            // Entered, so that neither another thread nor a session that has ended touches the connection.
            try? enter {
                writing.undoHistory =
                    newValue
                    ? try UndoHistory(connection, limit: writing.chosenUndoLimit) { [unowned self] in undoDidChange() }
                    : nil
                undoDidChange()
            }
        }
    }

    /// How much can be undone: 100 levels and 64 MB unless you set something else.
    public var undoLimit: UndoLimit {
        get { writing.undoHistory?.limit ?? writing.chosenUndoLimit }
        set {
            writing.chosenUndoLimit = newValue
            writing.undoHistory?.limit = newValue
        }
    }

    /// Whether there is something to undo. Like the names, it is observed: a button that is enabled by it follows.
    public var canUndo: Bool { undoState(\.canUndo).next != nil }

    /// Whether there is something to do again: from an `undo()` to the next commit.
    public var canRedo: Bool { undoState(\.canRedo).last != nil }

    /// The name of what `undo()` would take back, for a menu; nil if it has none.
    public var undoName: String? { undoState(\.undoName).next?.name }

    /// The name of what `redo()` would do again.
    public var redoName: String? { undoState(\.redoName).last?.name }

    /// Takes back the last commit, or group of commits, that was not undone yet; false if there is none.
    ///
    /// The rows become what they were, in one transaction, and the objects in
    /// memory follow: those that come back are the same instances for whoever
    /// still holds them, those whose insertion is undone are deleted ones until
    /// `redo()`; unsaved edits of other properties stay. Triggers and delete
    /// rules are not asked: what they did at the time is taken back with the
    /// rest.
    ///
    /// - Throws: `StoreError` with the code `staleObject` if others have
    ///   changed the same rows since; `misuse` if the session does not
    ///   record, inside of `undoGroup` and of a transaction. Nothing has changed
    ///   then, and it can be tried again.
    @discardableResult
    public func undo() throws -> Bool { try UndoMove(self).run(.backward) }

    /// Does again what the last `undo()` took back; false if there is nothing.
    ///
    /// - Throws: what `undo()` throws.
    @discardableResult
    public func redo() throws -> Bool { try UndoMove(self).run(.forward) }

    /// Makes one level, with a name for menus, of all that `body` commits.
    ///
    /// ```swift
    /// try session.undoGroup("Move to Berlin") {
    ///     try joe.save()
    ///     try ann.save()
    /// }
    /// session.undoName    // Move to Berlin
    /// ```
    ///
    /// It is not a transaction: if `body` throws, what it has committed stays,
    /// and can be undone. A group inside of a group is part of that.
    public func undoGroup<R>(_ name: String? = nil, _ body: () throws -> R) rethrows -> R {
        guard let history = writing.undoHistory else { return try body() }
        return try history.grouping(name, body)
    }

    /// Forgets all that could be undone or done again.
    public func clearUndo() { writing.undoHistory?.clear() }
}

// The course of an undo or a redo.
extension UndoMove {
    fileprivate func run(_ direction: UndoHistory.Direction) throws -> Bool {
        try session.enterToSave(direction == .forward ? "redo()" : "undo()") {
            guard let history = session.writing.undoHistory else {
                // An engine that cannot record says why.
                if !connection.capabilities.contains(.undo) { _ = try connection.makeRecorder() }
                throw StoreError(.misuse, "No changes were recorded. Set the session's recordsUndo to true first")
            }
            guard !history.isInGroup, !connection.isInTransaction else {
                throw StoreError(
                    .misuse,
                    "Undo and redo are not allowed in an undoGroup or a transaction. Call them after it has ended")
            }
            guard let level = history.next(direction) else { return false }
            let changes = try direction == .forward ? level.commits : level.commits.reversed().map { try $0.inverted() }
            let rows = try changes.flatMap { try $0.rows() }
            do {
                try history.pausing { try putBack(changes, rows) }
            } catch let conflict as ChangeConflict { throw stale(conflict, direction, level.name) }
            let reused = history.departed.moving(level.numbers.lowerBound, isUndoing: direction == .backward) {
                follow(rows, history.departed, level)
            }
            history.didMove(direction, reused: reused)
            return true
        }
    }

    private func putBack(_ changes: [any RecordedChanges], _ rows: [ChangedRow]) throws {
        var ids: [String: Set<Int64>] = [:]
        for row in rows { if let id = row.key { ids[row.table, default: []].insert(id) } }
        try connection.withoutRules {
            try session.write {
                let search = try SearchRows(ids, connection)
                let history = try HistoryRows(ids, connection)
                try search.remove()
                try UndoAnnouncement(session).report(rows) { try connection.apply(changes) }
                try search.add()
                try history.add()
            }
        }
    }

    private func stale(_ conflict: ChangeConflict, _ direction: UndoHistory.Direction, _ name: String?) -> StoreError {
        let owner = store.classes.owner(of: conflict.table)
        let reason =
            switch conflict.kind {
            case .gone: "The row was deleted later"
            case .exists: "A row with this id exists again"
            case .changed: "The row was changed later"
            case .taken: "Another row now has its unique value"
            case .referredTo(let table):
                "\(store.classes.owner(of: table)?.map.name ?? table) now refers to the row"
            case .targetGone: "A row that it refers to was deleted later"
            case .altered: "The columns of the table \(conflict.table) were changed later"
            }
        let what = name.map { "\"\($0)\"" } ?? "the last commit"
        let verb = direction == .backward ? "undone" : "redone"
        return StoreError(
            .staleObject,
            "\(reason), so \(what) cannot be \(verb). Nothing was changed. Call clearUndo() to discard the "
                + "recorded changes",
            className: owner?.map.name ?? conflict.table, property: owner?.property?.name, rowID: conflict.key)
    }
}

// The same of the current session.
extension Store {
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
}
