/// A value behind a `Lock`, for what all sessions share.
///
/// `Synchronization.Mutex` would do, but ThreadSanitizer does not see its locking on Linux and reports races that are
/// none.
final class Locked<State>: @unchecked Sendable {  // the value is reached under the lock only
    private let lock = Lock()
    private var state: State

    init(_ state: State) { self.state = state }

    func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
