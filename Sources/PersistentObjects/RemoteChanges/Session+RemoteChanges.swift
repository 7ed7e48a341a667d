// RemoteChanges: writes what other devices changed, exactly as specified. It knows rows and classes, and must not know
// how changes are merged.

internal import StoreEngine

extension Session {
    /// Calls `body` in one transaction, in which it may write the changes of other devices. If it throws, nothing is
    /// changed.
    ///
    /// Neither hooks, validation, triggers nor delete rules run. Search indexes and histories are maintained, and the
    /// commit is announced as every other one. It is not recorded for undo.
    ///
    /// - Parameter author: The author of the entries in histories.
    /// - Throws: `misuse` in a transaction; the errors of `body`. `body` can be called again if the disk was full.
    package func applyRemote<R>(author: String?, _ body: (RemoteChanges) throws -> R) throws -> R {
        try enterToSave("sync") {
            guard level == nil, !connection.isInTransaction else {
                throw StoreError(.misuse, "Sync is not allowed in a transaction. Call it after the transaction")
            }
            let own = self.author
            self.author = author
            defer { self.author = own }
            return try connection.withoutRules {
                try writing.withoutUndo {
                    try write(alone: true) { try body(RemoteChanges(self)) }
                }
            }
        }
    }
}
