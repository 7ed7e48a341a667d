internal import StoreEngine
internal import Synchronization

/// Which call of a connection can be ended by another thread, and why one was.
struct PostgresInterruption {
    /// Shared with the threads that interrupt.
    final class Flag: Sendable {
        private let state = Mutex((isRunning: false, wasAsked: false))

        /// Ends what is running, if it can be ended. What comes after it does not begin meanwhile: it would be ended too.
        func end(_ cancel: () -> Void) {
            state.withLock { state in
                guard state.isRunning else { return }
                state.wasAsked = true
                cancel()
            }
        }

        func begin() { state.withLock { $0 = (true, false) } }
        func finish() { state.withLock { $0.isRunning = false } }
        var wasAsked: Bool { state.withLock { $0.wasAsked } }
    }

    let flag = Flag()
    private var suspensions = 0

    mutating func suspend() { suspensions += 1 }
    mutating func resume() { suspensions -= 1 }

    /// Runs `body` as something that `interrupt()` ends.
    func watching<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        guard suspensions == 0 else { return try body() }
        flag.begin()
        defer { flag.finish() }
        return try body()
    }

    /// The error as its reason wants it told.
    func told(_ error: StoreError) -> StoreError {
        guard error.code == .timedOut, flag.wasAsked else { return error }
        return StoreError(.cancelled, "the task was cancelled", sql: error.sql)
    }
}
