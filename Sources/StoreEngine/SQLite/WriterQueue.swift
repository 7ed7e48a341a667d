internal import Dispatch

/// Lets one session of a process write at a time, first come, first served.
///
/// SQLite's own waiting polls and is unfair; it remains for other processes. If the database permits concurrent
/// writers, sessions do not wait here, and only the current writers are recorded.
package final class WriterQueue: Sendable {
    /// The session that writes, or waits to write.
    package struct Holder {
        let thread: UInt
        let owner: AnyObject

        package init(thread: UInt, owner: AnyObject) {
            self.thread = thread
            self.owner = owner
        }
    }

    /// The result of waiting for the turn.
    package enum Answer {
        case entered
        /// The same after a wait, which would have lasted until `end`.
        case enteredLate(end: ContinuousClock.Instant)
        case timedOut
        /// The task was cancelled while it waited.
        case cancelled
        /// A limit of the caller was exceeded.
        case limited(TimeLimit)
        /// The same thread already holds the turn for this owner, so the wait would be a deadlock.
        case heldHere(AnyObject)
    }

    private struct State {
        /// Nil while no session writes.
        var holder: Holder?
        /// The concurrent writers without the turn.
        var others: [Holder] = []
        var waiters: [Waiter] = []
        /// The readers of one state, in a database in which writers wait for readers.
        var readers: [Holder] = []

        func writer(on thread: UInt) -> Holder? {
            holder?.thread == thread ? holder : others.first { $0.thread == thread }
        }

        /// The writer or reader on the same thread for which a new writer would have to wait forever.
        func obstacle(of holder: Holder) -> Holder? {
            writer(on: holder.thread)
                ?? readers.first { $0.thread == holder.thread && $0.owner !== holder.owner }
        }
    }

    private final class Waiter {
        let signal = DispatchSemaphore(value: 0)
        let holder: Holder
        init(_ holder: Holder) { self.holder = holder }
    }

    private enum Step {
        case answer(Answer)
        case wait(Waiter)
    }

    private let state = Locked(State())

    package init() {}

    /// The number of waiting sessions.
    package var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Whether a thread has the turn.
    package func isHeld(on thread: UInt) -> Bool { state.withLock { $0.writer(on: thread) != nil } }

    /// Enters without the turn, concurrently with other writers.
    package func enterConcurrently(as holder: Holder) -> Answer {
        state.withLock { state in
            if let writer = state.writer(on: holder.thread) { return .heldHere(writer.owner) }
            state.others.append(holder)
            return .entered
        }
    }

    /// Ends `enterConcurrently(as:)`.
    package func leaveConcurrently(_ owner: AnyObject) {
        // The last reference to an owner is not released under the lock.
        let former = state.withLock { state in
            state.others.firstIndex { $0.owner === owner }.map { state.others.remove(at: $0) }
        }
        withExtendedLifetime(former) {}
    }

    /// Records a reader for which writers wait. Until it ends, its thread must not write for other sessions.
    package func beginReading(as holder: Holder) { state.withLock { $0.readers.append(holder) } }

    /// Ends `beginReading(as:)`.
    package func endReading(_ owner: AnyObject) {
        // The last reference to an owner is not released under the lock.
        let former = state.withLock { state in
            state.readers.lastIndex { $0.owner === owner }.map { state.readers.remove(at: $0) }
        }
        withExtendedLifetime(former) {}
    }

    /// Waits for the turn.
    ///
    /// The arguments are evaluated only if it has to wait. The wait also ends if its task is cancelled, or if a limit
    /// of the caller is exceeded.
    package func enter(
        timeout milliseconds: @autoclosure () -> Int32, _ limit: @autoclosure () -> TimeLimit? = nil, as holder: Holder
    ) -> Answer {
        let step: Step = state.withLock { state in
            if let obstacle = state.obstacle(of: holder) { return .answer(.heldHere(obstacle.owner)) }
            guard state.holder != nil else {
                state.holder = holder
                return .answer(.entered)
            }
            let waiter = Waiter(holder)
            state.waiters.append(waiter)
            return .wait(waiter)
        }
        switch step {
        case .answer(let answer): return answer
        case .wait(let waiter): return wait(waiter, .milliseconds(milliseconds()), limit())
        }
    }

    /// The time that a cancelled task may still wait, so that it can clean up.
    private static let grace = Duration.milliseconds(10)
    /// The interval at which a task checks for cancellation.
    private static let timeBetweenLooks = Duration.milliseconds(25)

    private func wait(_ waiter: Waiter, _ timeout: Duration, _ limit: TimeLimit?) -> Answer {
        let isTask = withUnsafeCurrentTask { $0 != nil }
        // The loop checks a monotonic clock, because on Linux a semaphore waits until a wall-clock time, which ends the
        // wait too early if the clock is set forward.
        let start = ContinuousClock.now
        let end = start + timeout
        let last = min(end, limit?.end ?? end)
        var now = start
        var answer: Answer
        repeat {
            var pause = now.duration(to: last)
            if isTask { pause = min(pause, now == start ? WriterQueue.grace : WriterQueue.timeBetweenLooks) }
            let wait = DispatchTimeInterval.nanoseconds(Int(pause / .nanoseconds(1)))
            if waiter.signal.wait(timeout: .now() + wait) == .success { return .enteredLate(end: end) }
            now = ContinuousClock.now
            answer = limit.map { $0.end < end ? .limited($0) : .timedOut } ?? .timedOut
            if isTask, now - start >= WriterQueue.grace, Task.isCancelled {
                answer = .cancelled
                break
            }
        } while now < last
        // The turn may have been granted just now; a session that is no longer in the queue has it.
        return state.withLock { state in
            guard let index = state.waiters.firstIndex(where: { $0 === waiter }) else { return .enteredLate(end: end) }
            state.waiters.remove(at: index)
            return answer
        }
    }

    /// Passes the turn to the next session in the queue.
    package func leave() {
        // The last reference to an owner is not released under the lock.
        let (next, former): (Waiter?, Holder?) = state.withLock { state in
            let former = state.holder
            guard !state.waiters.isEmpty else {
                state.holder = nil
                return (nil, former)
            }
            let next = state.waiters.removeFirst()
            state.holder = next.holder
            return (next, former)
        }
        withExtendedLifetime(former) { _ = next?.signal.signal() }
    }
}
