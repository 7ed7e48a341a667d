@_spi(Locks) internal import StoreEngine

/// Interrupts a connection's waiting if its task is cancelled or a time limit is exceeded, and records the reason.
///
/// A statement that is running when its task is cancelled ends immediately. A statement that began a moment later in
/// the same call ends at the next check. A statement in a later call of the cancelled task ends after it has waited for
/// a second, because short calls are allowed, so that the task can clean up.
final class PostgresInterruption {
    /// Shared with the interrupting threads.
    final class Flag: Sendable {
        private struct State {
            var isRunning = false
            var wasRequested = false
            /// Whether nothing was running when the interruption was requested.
            var isLate = false
            var canceller: PostgresCanceller?
        }

        private let state = Locked(State())

        /// Interrupts the running statement, if possible. The next statement does not start meanwhile, because it would
        /// be interrupted, too.
        func end(_ cancel: () -> Void) {
            state.withLock { state in
                guard state.isRunning else { return state.isLate = true }
                state.wasRequested = true
                cancel()
            }
        }

        /// Interrupts the running statement with its canceller.
        func end() {
            state.withLock { state in
                guard state.isRunning else { return state.isLate = true }
                state.wasRequested = true
                state.canceller?.cancel()
            }
        }

        func begin(isNewCall: Bool, _ canceller: PostgresCanceller) {
            state.withLock {
                $0 = State(isRunning: true, isLate: $0.isLate && !isNewCall, canceller: canceller)
            }
        }
        func finish() { state.withLock { $0.isRunning = false } }
        var wasRequested: Bool { state.withLock { $0.wasRequested } }
        var isLate: Bool { state.withLock { $0.isLate } }
    }

    let flag = Flag()
    /// The counter of calls, which identifies the current call.
    let calls = CallCounter()
    let limits = CallLimits()
    /// The exceeded limit that ended the running statement.
    private var exceeded: TimeLimit?
    private var lastCall = 0
    private var suspensions = 0
    private var looks = 0

    /// The number of checks, twenty per second, after which a statement of a later call ends, too.
    private static let mostLooks = 20

    func suspend() { suspensions += 1 }
    func resume() { suspensions -= 1 }

    /// Runs `body` as an operation that `interrupt()` ends.
    func watching<R>(
        _ canceller: PostgresCanceller, _ body: () throws(StoreError) -> R
    ) throws(StoreError) -> R {
        begin(canceller)
        defer { finish() }
        return try body()
    }

    /// Starts an operation that `interrupt()` ends, up to `finish()`.
    func begin(_ canceller: PostgresCanceller) {
        guard suspensions == 0 else { return }
        let call = calls.callCount
        flag.begin(isNewCall: call != lastCall, canceller)
        (lastCall, looks, exceeded) = (call, 0, nil)
    }

    func finish() { flag.finish() }

    /// Checks whether the waiting operation must end now.
    func look(_ cancel: () -> Void) {
        guard suspensions == 0, !flag.wasRequested else { return }
        if let limit = limits.limit, limit.isOver {
            exceeded = limit
            return flag.end(cancel)
        }
        guard Task.isCancelled else { return }
        looks += 1
        if flag.isLate || looks >= PostgresInterruption.mostLooks { flag.end(cancel) }
    }

    /// The error for the reason of the interruption.
    func translated(_ error: StoreError) -> StoreError {
        guard error.code == .timedOut, flag.wasRequested else { return error }
        if let exceeded { return exceeded.error("and the statement was interrupted", sql: error.sql) }
        return StoreError(.cancelled, "The task was cancelled", sql: error.sql)
    }
}
