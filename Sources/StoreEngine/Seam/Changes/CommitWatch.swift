/// Hears from the system that a database may have been written, until it is cancelled.
package protocol CommitWatch: Sendable {
    /// Ends it; a call that is under way ends as if it had not been cancelled.
    func cancel()
}

/// What a watch calls, on a thread of its own: one call at a time.
package struct CommitWatchCalls: Sendable {
    /// Somebody, this process too, may have committed: soon after the commit, and often for nothing.
    package let look: @Sendable () -> Void
    /// Why it looks now and then, where the system does not tell.
    package let note: @Sendable (String) -> Void

    /// What is called.
    package init(look: @escaping @Sendable () -> Void, note: @escaping @Sendable (String) -> Void) {
        (self.look, self.note) = (look, note)
    }
}
