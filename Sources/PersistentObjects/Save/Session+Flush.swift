internal import StoreEngine

// Queries that include unsaved edits.
extension Session {
    /// Calls `body`, which queries the database, with exclusive use of the session. Writes unsaved edits first if
    /// `flushesBeforeQueries` is set.
    @inline(__always)
    func enterQuery<R>(
        _ function: StaticString = #function, of type: PersistentObject.Type? = nil, in part: StaticString = "",
        named name: @autoclosure () -> String? = nil, _ body: () throws -> R
    ) throws -> R {
        try enter(function, of: type, in: part, named: name()) {
            if flushesBeforeQueries { try flush() }
            return try body()
        }
    }

    /// Writes unsaved edits if a transaction is open that commits them or rolls them back.
    private func flush() throws {
        guard level != nil, !writing.isWriting, !writing.isSaving, !isReader else { return }
        try writing.saving { try Save(self).saveAllChanges() }
    }
}
