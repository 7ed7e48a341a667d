internal import Dispatch
internal import Foundation

/// Lets one session of a process write at a time, in the order in which they asked.
///
/// SQLite's own waiting polls and is unfair; that is left for other processes. Where the database lets many write beside
/// each other nobody waits here, and it is only known who writes.
package final class WriterQueue: @unchecked Sendable {  // the state is reached under the lock only
    /// Who has the turn, or asks for it.
    package struct Holder {
        let thread: UInt
        let owner: AnyObject

        package init(thread: UInt, owner: AnyObject) {
            self.thread = thread
            self.owner = owner
        }
    }

    /// What came of asking for the turn.
    package enum Answer {
        case entered
        /// The same after a wait, which would have gone on until then.
        case enteredLate(end: ContinuousClock.Instant)
        case timedOut
        /// The task was cancelled while it waited.
        case cancelled
        /// A limit of the caller's own was over.
        case limited(TimeLimit)
        /// The same thread has it already, for somebody: it would wait for itself.
        case heldHere(AnyObject)
    }

    private struct State {
        /// Nil while nobody has the turn.
        var holder: Holder?
        /// Those who write without it.
        var others: [Holder] = []
        var waiters: [Waiter] = []
        /// Those who read one state of a database in which writers wait for readers.
        var readers: [Holder] = []

        func writer(on thread: UInt) -> Holder? {
            holder?.thread == thread ? holder : others.first { $0.thread == thread }
        }

        /// For whom the thread itself keeps the holder waiting.
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

    /// Not a `Mutex`: ThreadSanitizer does not see its locking on Linux and reports races that are none.
    private let lock = NSLock()
    private var state = State()

    package init() {}

    /// How many wait for the turn.
    package var waiterCount: Int { lock.withLock { state.waiters.count } }

    /// Whether a thread has the turn.
    package func isHeld(on thread: UInt) -> Bool { lock.withLock { state.writer(on: thread) != nil } }

    /// Enters without the turn, beside others.
    package func enterBeside(as holder: Holder) -> Answer {
        lock.withLock {
            if let writer = state.writer(on: holder.thread) { return .heldHere(writer.owner) }
            state.others.append(holder)
            return .entered
        }
    }

    /// Is done with what `enterBeside(as:)` began.
    package func leaveBeside(_ owner: AnyObject) {
        // The last reference to an owner is not given up under the lock.
        let former = lock.withLock {
            state.others.firstIndex { $0.owner === owner }.map { state.others.remove(at: $0) }
        }
        withExtendedLifetime(former) {}
    }

    /// Somebody begins to read for whom writers wait: its thread must not write for others before the end.
    package func beginReading(as holder: Holder) { lock.withLock { state.readers.append(holder) } }

    /// The end of what `beginReading(as:)` began.
    package func endReading(_ owner: AnyObject) {
        // The last reference to an owner is not given up under the lock.
        let former = lock.withLock {
            state.readers.lastIndex { $0.owner === owner }.map { state.readers.remove(at: $0) }
        }
        withExtendedLifetime(former) {}
    }

    /// Waits for the turn, for so many milliseconds at most; they are asked for where it has to wait. The wait ends too
    /// where its task is cancelled, and where a limit of the caller's is over.
    package func enter(
        timeout milliseconds: @autoclosure () -> Int32, _ limit: @autoclosure () -> TimeLimit? = nil, as holder: Holder
    ) -> Answer {
        let step: Step = lock.withLock {
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

    /// A task that was cancelled may clean up, and has to wait a moment for that.
    private static let grace = Duration.milliseconds(10)
    /// How often a task looks whether it is cancelled.
    private static let timeBetweenLooks = Duration.milliseconds(25)

    private func wait(_ waiter: Waiter, _ timeout: Duration, _ limit: TimeLimit?) -> Answer {
        let isTask = withUnsafeCurrentTask { $0 != nil }
        // On Linux a semaphore waits until the clock on the wall says so; where that was set forward meanwhile, the time
        // is not over.
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
        // The turn may have come just now; whoever is no longer in the line has it.
        return lock.withLock {
            guard let index = state.waiters.firstIndex(where: { $0 === waiter }) else { return .enteredLate(end: end) }
            state.waiters.remove(at: index)
            return answer
        }
    }

    /// Gives the turn to the next in line.
    package func leave() {
        // The last reference to an owner is not given up under the lock.
        let (next, former): (Waiter?, Holder?) = lock.withLock {
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
