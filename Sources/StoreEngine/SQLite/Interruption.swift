internal import CSQLite
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Ends a connection's work if its task was cancelled, and when a time limit is reached.
///
/// SQLite calls back every thousand steps of a statement, usually 20 to 100 µs each. Without a cancellation or a limit
/// the callback costs 5 ns and does not read the time.
@usableFromInline
package final class Interruption {
    /// The operations that have begun.
    let calls = CallCounter()
    let handle: OpaquePointer
    var transaction = OpenTransaction()
    let limits = CallLimits()
    private let timeout: Duration?
    let recursion: TriggerRecursion
    /// The limit that ended the current statement; nil if its task was cancelled.
    private var overdue: Overdue?
    /// The maximum wait for other processes, in milliseconds.
    var busyTimeout: Int32 = 0
    var wait = Wait()
    /// Whether a wait for other processes may be aborted even if no statement is to be ended.
    var mayStopWaiting = false
    /// The current call, and the time at which its task was first found cancelled.
    private var cancelled: CancelledCall?
    /// The current run, and the time at which it was first found running.
    private var timed: (run: Int, since: ContinuousClock.Instant)?
    /// The nesting depths of `suspend()` and `suspendTimeLimit()`.
    private(set) var holds = 0
    private var waivers = 0
    /// Which function may use SQLite's interrupt: none, `suspend()`, or `interrupt`, which takes nanoseconds.
    private let gate = Atomic<UInt8>(Interruption.open)

    private static let open: UInt8 = 0
    private static let held: UInt8 = 1
    private static let interrupting: UInt8 = 2

    private enum Overdue {
        case statement(Duration)
        case all(TimeLimit)
    }

    private static let stepsBetweenLooks: Int32 = 1000

    init(_ handle: OpaquePointer, _ recursion: TriggerRecursion, timeout: Duration?) {
        self.handle = handle
        self.recursion = recursion
        self.timeout = timeout
    }

    /// Registers the callback with SQLite; the connection must unregister it before this object ends.
    func watch() {
        sqlite3_progress_handler(
            handle, Interruption.stepsBetweenLooks,
            { context in
                guard let context else { return 0 }
                return Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue().isDue() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Whether the current work of this thread must end now.
    func isDue() -> Bool {
        guard holds == 0 else { return false }
        let isCancelled = Task.isCancelled
        let limit = limits.limit
        guard isCancelled || timeout != nil || limit != nil else { return false }
        let now = ContinuousClock.now
        if let limit, now >= limit.end {
            overdue = .all(limit)
            return true
        }
        return (isCancelled && isCancellationDue(now)) || isTimeOver(now)
    }

    private func isCancellationDue(_ now: ContinuousClock.Instant) -> Bool {
        let call = calls.counts.pointee.calls
        guard cancelled?.call == call else {
            cancelled = CancelledCall(call, now)
            return false
        }
        return cancelled?.isLong(now) ?? false
    }

    private func isTimeOver(_ now: ContinuousClock.Instant) -> Bool {
        guard let timeout, waivers == 0 else { return false }
        let run = calls.counts.pointee.runs
        guard let timed, timed.run == run else {
            timed = (run, now)
            return false
        }
        guard now - timed.since >= timeout else { return false }
        overdue = .statement(timeout)
        return true
    }

    /// The error for an ended statement.
    func error(sql: String?) -> StoreError {
        defer { overdue = nil }
        switch overdue {
        case nil: return .cancelled(sql: sql)
        case .all(let limit): return limit.error("and the statement was interrupted", sql: sql)
        case .statement(let timeout):
            return StoreError(
                .timedOut,
                "The statement was interrupted because it ran longer than the query timeout of \(timeout). Narrow "
                    + "the query, add an index, or raise configuration.queryTimeout",
                sql: sql, resultCode: SQLITE_INTERRUPT)
        }
    }

    /// Suspends interruptions until `resume()`, whatever is cancelled meanwhile.
    func suspend() {
        if holds == 0 {
            while !gate.compareExchange(expected: Interruption.open, desired: Interruption.held, ordering: .acquiring)
                .exchanged
            {}
        }
        holds += 1
    }

    /// Ends `suspend()`.
    func resume() {
        holds -= 1
        if holds == 0 { gate.store(Interruption.open, ordering: .releasing) }
    }

    /// Suspends the time limit until `resumeTimeLimit()`.
    func suspendTimeLimit() { waivers += 1 }

    /// Ends `suspendTimeLimit()`.
    func resumeTimeLimit() { waivers -= 1 }

    /// Interrupts the running statement, from any thread; a long step checks only for this.
    func interrupt() {
        let isFree = gate.compareExchange(
            expected: Interruption.open, desired: Interruption.interrupting, ordering: .acquiring)
        guard isFree.exchanged else { return }
        sqlite3_interrupt(handle)
        gate.store(Interruption.open, ordering: .releasing)
    }
}

/// A call of a cancelled task, from the first check on. Short calls are allowed, so that the task can clean up.
private struct CancelledCall {
    let call: Int
    private let since: ContinuousClock.Instant
    private var worked = Duration.zero
    private var workBefore = CancelledCall.work
    private var looks = 0

    private static let grace = Duration.milliseconds(10)
    /// The most that one interval between two checks counts.
    private static let longestInterval = Duration.milliseconds(2)
    /// The number of checks after which a call is long even if its steps only wait, for the disk or in a function.
    private static let mostLooks = 50

    init(_ call: Int, _ now: ContinuousClock.Instant) {
        self.call = call
        since = now
    }

    /// Whether the call has worked longer than the grace period.
    ///
    /// A busy machine may pause a short call for longer. Time in which the thread did not run is therefore not counted,
    /// and of each interval only a part, because a paused virtual machine counts the pause as processor time.
    mutating func isLong(_ now: ContinuousClock.Instant) -> Bool {
        looks += 1
        let work = CancelledCall.work
        worked += min(work - workBefore, CancelledCall.longestInterval)
        workBefore = work
        guard now - since >= CancelledCall.grace else { return false }
        return looks >= CancelledCall.mostLooks || worked >= CancelledCall.grace
    }

    /// The processor time of this thread.
    private static var work: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
    }
}

extension SQLiteConnection {
    package var calls: CallCounter { interruption.calls }
    package var limits: CallLimits { interruption.limits }
    /// The maximum wait for other processes, in milliseconds.
    package var busyTimeout: Int32 { interruption.busyTimeout }

    package func suspendInterruption() { interruption.suspend() }
    package func resumeInterruption() { interruption.resume() }
    package func suspendTimeLimit() { interruption.suspendTimeLimit() }
    package func resumeTimeLimit() { interruption.resumeTimeLimit() }
    package func interrupt() { interruption.interrupt() }
}

extension StoreError {
    /// For the layers above, which convert it to Swift's own error.
    package static func cancelled(sql: String? = nil) -> StoreError {
        StoreError(.cancelled, "The task was cancelled", sql: sql, resultCode: SQLITE_INTERRUPT)
    }
}
