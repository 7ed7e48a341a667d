/// A value protected by a `Lock`, for state that all sessions share.
///
/// `Synchronization.Mutex` would be enough, but ThreadSanitizer cannot see its locking on Linux and reports false
/// races.
final class Locked<State>: @unchecked Sendable {  // the value is accessed only under the lock
    private let lock = Lock()
    private var state: State

    init(_ state: State) { self.state = state }

    func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
