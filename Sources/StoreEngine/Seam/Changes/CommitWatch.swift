/// Receives notices from the system that a database may have been written, until it is cancelled.
package protocol CommitWatch: Sendable {
    /// Cancels the watch; a call in progress ends as if it had not been cancelled.
    func cancel()
}

/// The callbacks of a watch, on a separate thread: one call at a time.
package struct CommitWatchCalls: Sendable {
    /// Called when any process, including this one, may have committed: soon after the commit, and often unnecessarily.
    package let look: @Sendable () -> Void
    /// Called with the reason for periodic checks, if the system reports no writes.
    package let report: @Sendable (String) -> Void

    /// Creates the callbacks.
    package init(look: @escaping @Sendable () -> Void, report: @escaping @Sendable (String) -> Void) {
        (self.look, self.report) = (look, report)
    }
}
