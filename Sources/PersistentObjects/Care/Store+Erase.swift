internal import StoreEngine

extension Store {
    /// Deletes all rows of all tables of the file and shrinks the file.
    ///
    /// ```swift
    /// try store.erase()      // the user has logged out
    /// ```
    ///
    /// Tables of classes that the program does not use are included. The deletion is one transaction: all rows or none.
    /// It does not run hooks, delete rules or triggers. Tables, indexes and the library's own records about the file
    /// are kept, so the store can be used at once, also by other sessions and processes that have it open. Ids are not
    /// reused.
    ///
    /// Objects of the current session become deleted objects, and its undo history is empty. Other sessions notice at
    /// their next query, `refresh()` or save that the rows are gone, as with every deletion elsewhere.
    ///
    /// Afterwards free pages are released and the log is emptied, so that no row data is left in the files. If other
    /// sessions read or write all the time, this is reported (`onNote`) and left to the next `vacuum()` and
    /// `checkpoint()`.
    ///
    /// - Throws: `StoreError`: `misuse` inside a transaction or a hook, `busy` if other sessions write for longer than
    ///   the busy timeout, `readOnly`; in these cases nothing is deleted.
    public func erase() throws {
        let session = try CurrentSession.session(of: self)
        try session.enter { try StoreErasure(session: session).run() }
        do {
            try vacuum()
            guard try !checkpoint().isComplete else { return }
            warnRest("other sessions are reading")
        } catch let error as StoreError where error.code == .busy || error.code == .diskFull {
            warnRest(error.message)
        }
    }

    private func warnRest(_ reason: String) {
        configuration.onNote(
            "The store is erased, but free pages or the log may still contain old data: \(reason). Call vacuum() "
                + "and checkpoint() later")
    }
}

/// The deletion of all rows of a store.
private struct StoreErasure {
    let session: Session

    /// Deletes all rows, and updates the objects in memory.
    func run() throws {
        try session.writing.checkMayWrite()
        guard session.level == nil else {
            throw StoreError(.misuse, "The store cannot be erased in a transaction. Erase it after the transaction")
        }
        let upkeep = try session.connection.upkeep()
        // Triggers and delete rules do not apply, and foreign keys are satisfied because there are no rows.
        try session.connection.withoutRules {
            try session.writing.withoutUndo {
                try session.write { try deleteRows(of: upkeep.tables()) }
            }
        }
        session.memory.pendingEdits.drop(nil) { _ in true }
        for identity in session.classes.allIdentities {
            for object in identity.liveObjects() { session.parts.didDelete(object, identity) }
        }
        // The recorded changes concern deleted rows.
        session.writing.undoHistory?.clear()
        session.news.report()
        session.countCall()
    }

    private func deleteRows(of tables: [StoredTable]) throws {
        let (store, connection) = (session.store, session.connection)
        for map in store.classes.preparedMaps where map.isRoot { try session.news.events.recordClasses(of: nil, map) }
        let indexes = tables.filter { isWordIndex($0) }
        for table in tables where table.kind != .shadow {
            // An erased store is a new device, which has nothing to send.
            let isOfSync = (CaptureNames.changes + CaptureNames.states).contains(table.name)
            let isKept = store.hasFileRecords(in: table.name) && !isOfSync
            guard !indexes.contains(table), !isKept else { continue }
            try connection.execute("DELETE FROM \(name: table.name)")
        }
        let search = connection.dialect.search
        for table in indexes {
            let owner = String(table.name.dropLast(SearchIndex.name(for: "").count))
            try connection.execute(search.emptying(SearchIndex(of: owner, columns: [])))
        }
    }

    /// Whether a table is the library's search index of another table.
    private func isWordIndex(_ table: StoredTable) -> Bool {
        table.kind == .virtual && table.name.hasSuffix(SearchIndex.name(for: ""))
            && session.connection.dialect.search.isDefinition(table.text, table.name)
    }
}
