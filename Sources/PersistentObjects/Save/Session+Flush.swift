internal import StoreEngine

// Queries that are to see what was edited and is not saved.
extension Session {
    /// Calls `body`, which asks the database, as the only user of the session; unsaved edits are written before where
    /// that is wanted.
    @inline(__always)
    func enterToAsk<R>(
        _ function: StaticString = #function, of type: PersistentObject.Type? = nil, in part: StaticString = "",
        named name: @autoclosure () -> String? = nil, _ body: () throws -> R
    ) throws -> R {
        try enter(function, of: type, in: part, named: name()) {
            if flushesBeforeQueries { try flush() }
            return try body()
        }
    }

    /// Writes unsaved edits where a transaction is under way that commits them or takes them back.
    private func flush() throws {
        guard level != nil, !writing.isWriting, !writing.isSaving, !isReader else { return }
        try writing.saving { try Save(self).saveAllChanges() }
    }
}
