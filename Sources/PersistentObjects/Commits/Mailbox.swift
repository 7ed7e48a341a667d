@_spi(Locks) internal import StoreEngine

/// The unread content of one subscriber, and its suspended readers.
final class Mailbox<Content: Sendable>: Sendable {
    private struct State {
        var content: Content
        var isFinished = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        /// The waiters that were cancelled before they could wait.
        var cancelled: Set<Int> = []
        var lastWaiter = 0
        /// The number of additions.
        var version = 0
    }

    private let state: Locked<State>

    private let empty: Content

    init(_ content: Content) {
        state = Locked(State(content: content))
        empty = content
    }

    /// Adds content; the waiting reader receives it.
    func put(_ change: (inout Content) -> Void) {
        resume { state in
            // A commit may have looked up its listeners before this listener ended.
            guard !state.isFinished else { return }
            change(&state.content)
            state.version += 1
        }
    }

    /// Calls `body` with the content, without waking a reader.
    func withContent<R>(_ body: (inout Content) -> R) -> R { state.withLock { body(&$0.content) } }

    /// Ends the mailbox. Its content can still be read.
    func finish() { resume { $0.isFinished = true } }

    /// Ends the mailbox, and discards its content.
    func close() {
        resume { state in
            state.content = empty
            state.isFinished = true
        }
    }

    private func resume(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    /// Waits until `take` finds something; returns nil if the task is cancelled or the mailbox has ended.
    func next<R>(isolation: isolated (any Actor)?, _ take: (inout Content) -> R?) async -> R? {
        while !Task.isCancelled {
            let (found, isFinished, version) = state.withLock { (take(&$0.content), $0.isFinished, $0.version) }
            if let found { return found }
            if isFinished { return nil }
            await wait(after: version, isolation: isolation)
        }
        return nil
    }

    /// Waits for content that is added after a version.
    private func wait(after version: Int, isolation: isolated (any Actor)?) async {
        let me = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: isolation) { continuation in
                    let mayWait = state.withLock { state in
                        guard !state.isFinished, state.version == version, !state.cancelled.contains(me) else {
                            return false
                        }
                        state.waiters[me] = continuation
                        return true
                    }
                    if !mayWait { continuation.resume() }
                }
            },
            onCancel: {
                let waiter = state.withLock { state in
                    if let waiter = state.waiters.removeValue(forKey: me) { return Optional(waiter) }
                    state.cancelled.insert(me)
                    return nil
                }
                waiter?.resume()
            }, isolation: isolation)
        state.withLock { _ = $0.cancelled.remove(me) }
    }
}
