/// Limits of calls on a connection, in addition to its options. The user of the connection sets them.
package final class CallLimits {
    /// The deadline of all work; nil for no limit.
    package var limit: TimeLimit?
    /// The end of the next wait for other writers, if the call has already waited; nil for the timeout in the options.
    package var waitEnd: ContinuousClock.Instant?

    /// Creates limits that restrict nothing.
    package init() {}
}

/// A duration limit and its deadline.
package struct TimeLimit: Sendable {
    private let duration: Duration
    /// The deadline.
    package let end: ContinuousClock.Instant

    /// Creates a limit that starts now.
    package init(_ duration: Duration) {
        self.duration = duration
        // No wait lasts longer than some years, and a larger sum would overflow.
        end = ContinuousClock.now + min(max(duration, .zero), .seconds(1 << 30))
    }

    /// Whether the deadline has passed.
    package var isOver: Bool { ContinuousClock.now >= end }

    /// The earlier of two limits.
    package func earlier(_ other: TimeLimit?) -> TimeLimit {
        guard let other, other.end < end else { return self }
        return other
    }

    /// The error for an exceeded limit.
    ///
    /// - Parameter work: The interrupted work, which follows "expired" in the message.
    package func error(_ work: String, sql: String? = nil) -> StoreError {
        StoreError(.timedOut, "The time limit of \(duration) expired \(work)", sql: sql)
    }

    /// Throws if the deadline has passed.
    package func check(_ work: @autoclosure () -> String) throws(StoreError) {
        if isOver { throw error(work()) }
    }
}
