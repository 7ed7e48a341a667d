internal import CSQLite

// Waiting for other processes, and in memory for other connections: SQLite asks whether to try once more.
//
// Its own way of waiting knows neither cancellation nor limits, and begins anew with each statement.
extension Interruption {
    /// A wait that is under way, or the last one.
    struct Wait {
        var start = ContinuousClock.now
        var end = ContinuousClock.now
        /// Why it was given up, where that is not because its time was over.
        var reason: StoreError?
    }

    /// From now on SQLite asks; the connection must do without it before this object goes.
    func waitForOthers(_ milliseconds: Int32) {
        busyTimeout = milliseconds
        sqlite3_busy_handler(
            handle,
            { context, attempt in
                guard let context else { return 0 }
                return Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue().pause(attempt) ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// How long to wait between two attempts, in milliseconds; longer and longer, since each costs a call of the system's.
    private static let pauses: [Int32] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50]
    /// A task that was cancelled may clean up, and has to wait a moment for that.
    private static let grace = Duration.milliseconds(10)

    /// Waits a little; false where there is no time left for it.
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

    /// Why the wait was given up that has just failed, where it was not its time; asked once.
    func takeReason(sql: String?) -> StoreError? {
        guard var reason = wait.reason else { return nil }
        wait.reason = nil
        reason.sql = reason.sql ?? sql
        return reason
    }

    /// Runs what waits for others before it does anything: it can be given up while it waits, and not later.
    func waiting<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        mayStopWaiting = true
        defer { mayStopWaiting = false }
        return try body()
    }
}
