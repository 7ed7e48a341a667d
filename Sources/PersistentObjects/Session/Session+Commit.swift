internal import StoreEngine

// How a transaction of the session ends in the file.
extension Session {
    /// Ends a transaction; what it has changed is kept, where it is recorded.
    func commit() throws {
        try signEntries()
        guard let undoHistory else { return try commitReporting() }
        // Half of what was recorded is of no use.
        let problem = try connection.uninterrupted { try undoHistory.recording { try commitReporting() } }
        guard let problem else { return }
        store.configuration.onNote("undo begins anew with this commit: \(problem.message)")
    }

    /// Begins a transaction that may write.
    func beginWriting(_ pace: Pace, alone: Bool) throws {
        news.events.prepareLog()
        defer { connection.limits.waitEnd = nil }
        try connection.begin(pace, alone: alone)
        news.events.begin()
    }

    /// Commits, and reports to the subscribers while nothing else of this process can commit.
    private func commitReporting() throws {
        guard news.events.isWatched else {
            try connection.commit()
            return memory.recordOwnCommit()
        }
        var summary = news.events.summary()
        summary.author = ObjectIdentifier(self)
        store.hub.willCommit()
        let span: CommitSpan
        do {
            span = try connection.commitMarking()
        } catch {
            store.hub.didNotCommit()
            throw error
        }
        memory.recordOwnCommit()
        store.hub.didCommit(summary, span)
        news.events.clear()
    }

    /// Runs `body`, what it commits is not recorded.
    func withoutUndo<R>(_ body: () throws -> R) rethrows -> R {
        guard let undoHistory else { return try body() }
        return try undoHistory.pausing(body)
    }
}
