// Undo: undoes and redoes commits. It uses the recorded changes of each commit and the objects in memory, and must not
// depend on the reason for a change.

internal import StoreEngine

// Undo and redo of the session's commits.
extension Session {
    /// Whether commits are recorded so that they can be undone; false by default.
    ///
    /// ```swift
    /// session.recordsUndo = true
    /// joe.lastName = "Jones"
    /// try joe.save()
    /// try session.undo()      // joe.lastName is "Smith" again, in memory and in the file
    /// ```
    ///
    /// All changes of the session's own commits are recorded, one level for each commit: saves, deletions with
    /// everything that they cascade to, queries that update or delete, `execute(_:_:)`. Setting it to false discards
    /// the recorded levels.
    ///
    /// In a file, it requires an SQLite with the session extension, such as Debian's. On a server, it requires the right
    /// to create temporary tables. If this is missing, the property stays false, and `undo()` throws an error that
    /// states the reason.
    public var recordsUndo: Bool {
        get { undoState(\.recordsUndo).isRecording }
        set {
            guard newValue != (writing.undoHistory != nil) else { return }
            // The session is entered, so that the connection is not used by another thread or after the session has
            // ended.
            try? enter {
                writing.undoRefusal = nil
                do throws(StoreError) {
                    writing.undoHistory =
                        newValue
                        ? try UndoHistory(connection, limit: writing.chosenUndoLimit) { [unowned self] in
                            undoDidChange()
                        } : nil
                } catch { writing.undoRefusal = error }
                undoDidChange()
            }
        }
    }

    /// The limit of the undo history: 100 levels and 64 MB unless you set a different limit.
    public var undoLimit: UndoLimit {
        get { writing.undoHistory?.limit ?? writing.chosenUndoLimit }
        set {
            writing.chosenUndoLimit = newValue
            writing.undoHistory?.limit = newValue
        }
    }

    /// Whether there is a commit to undo.
    ///
    /// Like the names, it is observable: a button that it enables is updated.
    public var canUndo: Bool { undoState(\.canUndo).next != nil }

    /// Whether there is a commit to redo: from an `undo()` to the next commit.
    public var canRedo: Bool { undoState(\.canRedo).last != nil }

    /// The name of the level that `undo()` would undo, for a menu; nil if the level has no name.
    public var undoName: String? { undoState(\.undoName).next?.name }

    /// The name of the level that `redo()` would redo.
    public var redoName: String? { undoState(\.redoName).last?.name }

    /// Undoes the last commit, or group of commits, that is not undone yet; false if there is none.
    ///
    /// The rows are restored in one transaction, and the objects in memory follow: objects that are restored are the
    /// same instances if your program still holds them, and objects whose insertion is undone are deleted objects until
    /// `redo()`; unsaved edits of other properties are kept. Triggers and delete rules do not run: their earlier
    /// effects are undone with the rest. On a server, your own triggers run, unless they query the setting `po.undoing`.
    ///
    /// - Throws: `StoreError` with the code `staleObject` if the same rows were changed elsewhere since; `misuse` if
    ///   the session does not record, and inside `undoGroup` or a transaction. Nothing is changed then, and you can try
    ///   again.
    @discardableResult
    public func undo() throws -> Bool { try UndoMove(self).run(.backward) }

    /// Redoes the commit that the last `undo()` undid; false if there is none.
    ///
    /// - Throws: The errors of `undo()`.
    @discardableResult
    public func redo() throws -> Bool { try UndoMove(self).run(.forward) }

    /// Combines all commits of `body` into one level, with a name for menus.
    ///
    /// ```swift
    /// try session.undoGroup("Move to Berlin") {
    ///     try joe.save()
    ///     try ann.save()
    /// }
    /// session.undoName    // Move to Berlin
    /// ```
    ///
    /// It is not a transaction: if `body` throws, its commits stay, and can be undone. A nested group is part of the
    /// outer one.
    public func undoGroup<R>(_ name: String? = nil, _ body: () throws -> R) rethrows -> R {
        guard let history = writing.undoHistory else { return try body() }
        return try history.grouping(name, body)
    }

    /// Discards all levels that can be undone or redone.
    public func clearUndo() { writing.undoHistory?.clear() }
}

// The steps of an undo or a redo.
extension UndoMove {
    fileprivate func run(_ direction: UndoHistory.Direction) throws -> Bool {
        try session.enterToSave(direction == .forward ? "redo()" : "undo()") {
            guard let history = session.writing.undoHistory else {
                // An engine that cannot record throws the reason.
                if !connection.capabilities.contains(.undo) { _ = try connection.makeRecorder() }
                if let refusal = session.writing.undoRefusal { throw refusal }
                throw StoreError(.misuse, "No changes were recorded. Set the session's recordsUndo to true first")
            }
            guard !history.isInGroup, !connection.isInTransaction else {
                throw StoreError(
                    .misuse,
                    "Undo and redo are not allowed in an undoGroup or a transaction. Call them after it has ended")
            }
            guard let level = history.next(direction) else { return false }
            let rows: [ChangedRow]
            do {
                let changes = try history.changes(of: level, direction)
                rows = try changes.flatMap { try $0.rows() }
                try history.pausing { try putBack(changes, rows) }
            } catch let conflict as ChangeConflict { throw stale(conflict, direction, level.name) }
            let reused = history.departed.moving(level.numbers.lowerBound, isUndoing: direction == .backward) {
                follow(rows, history.departed, level)
            }
            history.didMove(direction, reused: reused)
            return true
        }
    }

    private func putBack(_ changes: [any RowChanges], _ rows: [ChangedRow]) throws {
        var ids: [String: Set<Int64>] = [:]
        for (table, rows) in rows.stretchesOfTables() {
            ids[table, default: []].formUnion(rows.lazy.compactMap(\.key))
        }
        try connection.withoutRules {
            try session.write {
                guard connection.capabilities.contains(.undoWithoutTriggers) else {
                    return try UndoAnnouncement(session).report(rows) { try connection.apply(changes) }
                }
                let search = try SearchRows(ids, connection)
                let triggers = try triggers(on: ids.keys)
                let history = try HistoryRows(ids, triggers, connection)
                let capture = try CapturedRows(ids, triggers, connection)
                try search.remove()
                try UndoAnnouncement(session).report(rows) { try connection.apply(changes) }
                try search.add()
                try history.add()
                try capture.add()
            }
        }
    }

    private func triggers(on tables: some Sequence<String>) throws -> [String: [TriggerDescription]] {
        let inspector = SchemaInspector(connection)
        return try Dictionary(uniqueKeysWithValues: tables.map { ($0, try inspector.triggers(on: $0)) })
    }

    private func stale(_ conflict: ChangeConflict, _ direction: UndoHistory.Direction, _ name: String?) -> StoreError {
        let owner = store.classes.owner(of: conflict.table)
        let reason =
            switch conflict.kind {
            case .rowDeleted: "The row was deleted later"
            case .exists: "A row with this id exists again"
            case .changed: "The row was changed later"
            case .taken: "Another row now has its unique value"
            case .referredTo(let table):
                "\(store.classes.owner(of: table)?.map.name ?? table) now refers to the row"
            case .targetDeleted: "A row that it refers to was deleted later"
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

// The same calls for the current session.
extension Store {
    /// Undoes the current session's last commit; false if there is none. See `Session.undo()`.
    ///
    /// Commits are recorded once its `recordsUndo` is set.
    ///
    /// ```swift
    /// try Store.session().recordsUndo = true
    /// try joe.delete()
    /// try Store.undo()
    /// ```
    @discardableResult
    public static func undo() throws -> Bool { try CurrentSession.session().undo() }

    /// Redoes the commit that the last `undo()` undid; false if there is none. See `Session.redo()`.
    @discardableResult
    public static func redo() throws -> Bool { try CurrentSession.session().redo() }
}
