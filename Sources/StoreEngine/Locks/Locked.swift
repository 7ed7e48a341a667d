/// A value protected by a `Lock`, for state that threads share.
///
/// `Synchronization.Mutex` would be enough, but ThreadSanitizer cannot see its locking on Linux and reports false
/// races.
@_spi(Locks)
public final class Locked<State>: @unchecked Sendable {  // the value is accessed only under the lock
    @usableFromInline let lock = Lock()
    @usableFromInline var state: State

    /// Protects a value.
    @inlinable
    public init(_ state: State) { self.state = state }

    /// Calls `body` with the value under the lock.
    @inlinable
    public func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
