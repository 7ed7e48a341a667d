internal import Dispatch
internal import Foundation

/// Lets one session of a process write at a time, in the order in which they asked.
///
/// SQLite's own waiting polls and is unfair; that is left for other processes.
package final class WriterQueue: @unchecked Sendable {  // the state is reached under the lock only
    private struct State {
        var isTaken = false
        var waiters: [Waiter] = []
    }

    private final class Waiter: Sendable {
        let signal = DispatchSemaphore(value: 0)
    }

    /// Not a `Mutex`: ThreadSanitizer does not see its locking on Linux and reports races that are none.
    private let lock = NSLock()
    private var state = State()

    package init() {}

    /// How many wait for the turn.
    package var waiterCount: Int { lock.withLock { state.waiters.count } }

    /// Waits for the turn; false when `milliseconds` have passed without it.
    package func enter(timeout milliseconds: Int32) -> Bool {
        let waiter: Waiter? = lock.withLock {
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            let waiter = Waiter()
            state.waiters.append(waiter)
            return waiter
        }
        guard let waiter else { return true }
        if waiter.signal.wait(timeout: .now() + .milliseconds(Int(milliseconds))) == .success { return true }
        // The turn may have come just now; whoever is no longer in the line has it.
        return lock.withLock {
            guard let index = state.waiters.firstIndex(where: { $0 === waiter }) else { return true }
            state.waiters.remove(at: index)
            return false
        }
    }

    /// Gives the turn to the next in line.
    package func leave() {
        let next: Waiter? = lock.withLock {
            guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
            state.isTaken = false
            return nil
        }
        next?.signal.signal()
    }
}
