/// What ends calls on a connection, beside its options. It belongs to whoever uses the connection.
package final class CallLimits {
    /// When all that is done is to have ended; nil for no limit.
    package var limit: TimeLimit?
    /// When the next wait for others who write ends, because the call has waited before; nil for all the time that the
    /// options give it.
    package var waitEnd: ContinuousClock.Instant?

    /// There are none.
    package init() {}
}

/// How long something may take, and when that is over.
package struct TimeLimit: Sendable {
    private let duration: Duration
    /// When it is over.
    package let end: ContinuousClock.Instant

    /// Counts from now.
    package init(_ duration: Duration) {
        self.duration = duration
        // Nobody waits for longer than some years, and a sum of more would overflow.
        end = ContinuousClock.now + min(max(duration, .zero), .seconds(1 << 30))
    }

    /// Whether it is over.
    package var isOver: Bool { ContinuousClock.now >= end }

    /// The one of two that is over first.
    package func earlier(_ other: TimeLimit?) -> TimeLimit {
        guard let other, other.end < end else { return self }
        return other
    }

    /// What to say where it is over.
    ///
    /// - Parameter work: What was being done, to be read behind "is over".
    package func error(_ work: String, sql: String? = nil) -> StoreError {
        StoreError(.timedOut, "The time limit of \(duration) expired \(work)", sql: sql)
    }

    /// Throws where it is over.
    package func check(_ work: @autoclosure () -> String) throws(StoreError) {
        if isOver { throw error(work()) }
    }
}
