@_spi(Locks) internal import StoreEngine

/// The sessions of a store that have not ended, recorded so that they end with the store.
///
/// It neither retains the sessions nor refers to them weakly, because weak references would make each later retain of a
/// session more expensive.
final class OpenSessions: Sendable {
    private struct State {
        var sessions: [ObjectIdentifier: Borrowed<Session>] = [:]
        var isClosed = false
    }

    private let state = Locked(State())

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Adds a new session.
    func add(_ session: Session) throws(StoreError) {
        try state.withLock { (state) throws(StoreError) in
            guard !state.isClosed else { throw StoreError(.sessionEnded, "The store is closed") }
            state.sessions[ObjectIdentifier(session)] = Borrowed(session)
        }
    }

    /// Called by a session that ends, before it is deallocated.
    func remove(_ session: Session) {
        _ = state.withLock { $0.sessions.removeValue(forKey: ObjectIdentifier(session)) }
    }

    /// The open sessions.
    var all: [Session] { state.withLock { $0.sessions.values.compactMap { $0.ifAlive() } } }

    /// Refuses new sessions from now on; returns the open sessions.
    func close() -> [Session] {
        state.withLock { state in
            state.isClosed = true
            defer { state.sessions = [:] }
            // A session that another thread is ending now needs no further work.
            return state.sessions.values.compactMap { $0.ifAlive() }
        }
    }
}
