@_spi(Locks) internal import StoreEngine

/// A connection of several sessions, which use it one call at a time, because no statement or transaction is left open
/// between calls.
final class ConnectionShare: Sendable {
    private struct State {
        var userCount = 1
        /// The statements of sessions that have ended; they end on the connection while it is not in use.
        var retired: [AnyObject] = []
    }

    private let box: ConnectionBox
    private let turns = WriterQueue()
    private let state = Locked(State())

    /// Creates a share with one user.
    init(_ connection: any Connection) { box = ConnectionBox(connection) }

    var connection: any Connection { box.connection }

    /// The number of sessions that use the connection.
    var userCount: Int { state.withLock { $0.userCount } }

    /// Adds a session that uses the connection; returns false if its last session has ended.
    func join() -> Bool {
        state.withLock { state in
            guard state.userCount > 0 else { return false }
            state.userCount += 1
            return true
        }
    }

    /// Removes a session that has ended; returns whether it was the last session.
    func leave(retiring objects: [AnyObject]) -> Bool {
        state.withLock { state in
            state.userCount -= 1
            state.retired += objects
            return state.userCount == 0
        }
    }

    /// Waits until no other session uses it.
    func enter(_ gate: Gate) throws {
        let me = WriterQueue.Holder(thread: RunningThread.id, owner: gate)
        switch turns.enter(timeout: gate.store.busyTimeout, gate.limit, as: me) {
        case .entered, .enteredLate: dropRetired()
        case .cancelled: throw CancellationError()
        case .limited(let limit): throw limit.error("while another task used the shared connection")
        case .timedOut:
            let timeout = gate.store.busyTimeout
            throw StoreError(
                .busy,
                "More tasks hold objects than there are connections, and this task's shared connection was in use "
                    + "for \(timeout) ms. Release objects before an await, or use perform or withSession")
        case .heldHere:
            throw StoreError(
                .misuse,
                "The object belongs to another task's session, which shares its connection with the session in "
                    + "use. Find it in this session by its persistentID")
        }
    }

    /// Ends the current session's turn to use the connection.
    func exit() { turns.leave() }

    /// Called by the session whose turn it is, or when no session uses the connection any more.
    func dropRetired() { _ = state.withLock { exchange(&$0.retired, with: []) } }
}
