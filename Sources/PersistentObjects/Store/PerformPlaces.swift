internal import Dispatch
@_spi(Locks) internal import StoreEngine

/// The slots of `perform`: a fixed number of calls run at once, each on a separate queue. Further calls wait in order
/// of arrival, without holding a thread.
final class PerformPlaces: Sendable {
    private struct Waiter {
        let ticket: Int
        let caller: CheckedContinuation<StoreExecutor, any Error>
    }

    private struct State {
        var free: [StoreExecutor] = []
        var takenCount = 0
        var waiters: [Waiter] = []
        var lastTicket = 0

        mutating func takeFree(_ count: Int) -> StoreExecutor? {
            guard takenCount < count else { return nil }
            takenCount += 1
            return free.popLast() ?? StoreExecutor()
        }
    }

    private let state = Locked(State())

    /// The number of callers that wait for a slot.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Takes a slot if one of the given number is free.
    func takeFree(of count: Int) -> StoreExecutor? { state.withLock { $0.takeFree(count) } }

    /// Takes a slot, as soon as one of the given number is free and all earlier callers have theirs.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits, and `timedOut` after the limit.
    func take(of count: Int, _ limit: TimeLimit?) async throws -> StoreExecutor {
        if let place = takeFree(of: count) { return place }
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer: Result<StoreExecutor, any Error>? = state.withLock { state in
                    if let place = state.takeFree(count) { return .success(place) }
                    // A cancellation handler that ran before this found no waiter, but `isCancelled` is already true
                    // then.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiters.append(Waiter(ticket: ticket, caller: continuation))
                    return nil
                }
                if let answer { return continuation.resume(with: answer) }
                if let limit { abandon(ticket, limit) }
            }
        } onCancel: {
            abandon(ticket, CancellationError())
        }
    }

    /// Releases a slot to the next waiting caller.
    ///
    /// - Parameter count: The number of slots.
    func give(back place: StoreExecutor, of count: Int) {
        let next = state.withLock { state in
            state.takenCount -= 1
            if state.free.count < count { state.free.append(place) }
            var next: [(Waiter, StoreExecutor)] = []
            // The number of slots may have grown.
            while !state.waiters.isEmpty, let place = state.takeFree(count) {
                next.append((state.waiters.removeFirst(), place))
            }
            return next
        }
        for (waiter, place) in next { waiter.caller.resume(returning: place) }
    }

    private func abandon(_ ticket: Int, _ error: any Error) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.ticket == ticket }.map { state.waiters.remove(at: $0) }
        }
        waiter?.caller.resume(throwing: error)
    }

    /// Ends the wait when the time limit is reached.
    private func abandon(_ ticket: Int, _ limit: TimeLimit) {
        let rest = max(.zero, limit.end - ContinuousClock.now) / .nanoseconds(1)
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(rest))) { [weak self] in
            self?.abandon(ticket, limit.error("while perform waited for earlier calls"))
        }
    }
}

/// The slot that a task holds, recorded so that a nested `perform` does not wait for it.
final class HeldPlace: Sendable {
    @TaskLocal static var current: HeldPlace?

    let executor: StoreExecutor
    private let places: PerformPlaces
    private let outer: HeldPlace?
    private let isOver = Locked(false)

    init(_ executor: StoreExecutor, of places: PerformPlaces, in outer: HeldPlace?) {
        self.executor = executor
        self.places = places
        self.outer = outer
    }

    /// The innermost held slot of a store; nil if the task holds no slot of the store, or its `perform` has ended.
    func innermost(of places: PerformPlaces) -> HeldPlace? {
        if self.places === places, !isOver.withLock({ $0 }) { return self }
        return outer?.innermost(of: places)
    }

    /// Called when the `perform` has ended.
    func end() { isOver.withLock { $0 = true } }
}
