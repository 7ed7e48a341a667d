internal import StoreEngine
internal import Synchronization

/// Ends what a connection waits for, where its task is cancelled or a limit of time is over, and knows why something was ended.
///
/// A statement that is under way when its task is cancelled ends at once. One that began a moment later, in the same call,
/// ends as soon as it is seen to wait; and one of a call that a cancelled task begins when it has waited for a second:
/// short ones are left alone, so that the task can clean up.
final class PostgresInterruption {
    /// Shared with the threads that interrupt.
    final class Flag: Sendable {
        private struct State {
            var isRunning = false
            var wasAsked = false
            /// Whether nothing was running when it was asked for.
            var isLate = false
        }

        private let state = Mutex(State())

        /// Ends what is running, if it can be ended. What comes after it does not begin meanwhile: it would be ended too.
        func end(_ cancel: () -> Void) {
            state.withLock { state in
                guard state.isRunning else { return state.isLate = true }
                state.wasAsked = true
                cancel()
            }
        }

        func begin(isNewCall: Bool) {
            state.withLock { $0 = State(isRunning: true, isLate: $0.isLate && !isNewCall) }
        }
        func finish() { state.withLock { $0.isRunning = false } }
        var wasAsked: Bool { state.withLock { $0.wasAsked } }
        var isLate: Bool { state.withLock { $0.isLate } }
    }

    let flag = Flag()
    /// Which call is under way.
    let calls = CallCounter()
    let limits = CallLimits()
    /// The limit that has ended what was running.
    private var exceeded: TimeLimit?
    private var lastCall = 0
    private var suspensions = 0
    private var looks = 0

    /// How often it is looked, some twenty times a second, before what began too late ends too.
    private static let mostLooks = 20

    func suspend() { suspensions += 1 }
    func resume() { suspensions -= 1 }

    /// Runs `body` as something that `interrupt()` ends.
    func watching<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        begin()
        defer { finish() }
        return try body()
    }

    /// The same up to `finish()`.
    func begin() {
        guard suspensions == 0 else { return }
        let call = calls.callCount
        flag.begin(isNewCall: call != lastCall)
        (lastCall, looks, exceeded) = (call, 0, nil)
    }

    func finish() { flag.finish() }

    /// Looks whether what has been waiting is to end now.
    func look(_ cancel: () -> Void) {
        guard suspensions == 0, !flag.wasAsked else { return }
        if let limit = limits.limit, limit.isOver {
            exceeded = limit
            return flag.end(cancel)
        }
        guard Task.isCancelled else { return }
        looks += 1
        if flag.isLate || looks >= PostgresInterruption.mostLooks { flag.end(cancel) }
    }

    /// The error as its reason wants it told.
    func told(_ error: StoreError) -> StoreError {
        guard error.code == .timedOut, flag.wasAsked else { return error }
        if let exceeded { return exceeded.error("and the statement was interrupted", sql: error.sql) }
        return StoreError(.cancelled, "The task was cancelled", sql: error.sql)
    }
}
