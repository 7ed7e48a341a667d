internal import StoreEngine

// How a transaction of the session ends in the file.
extension Session {
    /// Ends a transaction; what it has changed is kept, where it is recorded.
    func commit() throws {
        try signEntries()
        guard let undoHistory else { return try commitTelling() }
        // Half of what was recorded is of no use.
        let problem = try connection.uninterrupted { try undoHistory.recording { try commitTelling() } }
        guard let problem else { return }
        store.configuration.onNote("The undo history starts over with this commit: \(problem.message)")
    }

    /// Commits, and tells the subscribers while nobody else of this process can.
    private func commitTelling() throws {
        if connection.rowLog != nil || store.hub.isWatched { return try commitWatched() }
        try connection.commit()
        didCommit()
    }

    /// Runs `body`, what it commits is not recorded.
    func withoutUndo<R>(_ body: () throws -> R) rethrows -> R {
        guard let undoHistory else { return try body() }
        return try undoHistory.pausing(body)
    }
}
