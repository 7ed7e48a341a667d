internal import CSQLite

// Waiting for other processes and, in memory, for other connections. SQLite calls back to determine whether to retry.
//
// SQLite's own waiting supports neither cancellation nor limits, and restarts with each statement.
extension Interruption {
    /// A wait in progress, or the last wait.
    struct Wait {
        var start = ContinuousClock.now
        var end = ContinuousClock.now
        /// The reason that it was aborted; nil if it timed out.
        var reason: StoreError?
    }

    /// Registers the callback with SQLite; the connection must unregister it before this object ends.
    func waitForOthers(_ milliseconds: Int32) {
        busyTimeout = milliseconds
        sqlite3_busy_handler(
            handle,
            { context, attempt in
                guard let context else { return 0 }
                return Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue().pause(attempt) ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The pauses between two attempts, in milliseconds. They increase, because each attempt costs a system call.
    private static let pauses: [Int32] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50]
    /// The time that a cancelled task may still wait, so that it can clean up.
    private static let grace = Duration.milliseconds(10)

    /// Waits for a moment; false if the wait must end.
    private func pause(_ attempt: Int32) -> Bool {
        let now = ContinuousClock.now
        if attempt == 0 {
            wait = Wait(start: now, end: limits.waitEnd ?? now + .milliseconds(busyTimeout))
        }
        guard now < wait.end else { return false }
        var end = wait.end
        if holds == 0 || mayStopWaiting {
            if Task.isCancelled, now - wait.start >= Interruption.grace {
                wait.reason = .cancelled()
                return false
            }
            if let limit = limits.limit {
                if now >= limit.end {
                    wait.reason = limit.error("while waiting for another process or session to finish writing")
                    return false
                }
                end = min(end, limit.end)
            }
        }
        let usual = Interruption.pauses[min(Int(attempt), Interruption.pauses.count - 1)]
        let rest = Int32(clamping: Int((end - now) / .milliseconds(1)) + 1)
        sqlite3_sleep(min(usual, rest))
        return true
    }

    /// The reason that the last wait was aborted; nil if it timed out, and after the first call.
    func takeReason(sql: String?) -> StoreError? {
        guard var reason = wait.reason else { return nil }
        wait.reason = nil
        reason.sql = reason.sql ?? sql
        return reason
    }

    /// Runs an operation that waits before it does any work: it can be aborted while it waits, and not later.
    func waiting<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        mayStopWaiting = true
        defer { mayStopWaiting = false }
        return try body()
    }
}
