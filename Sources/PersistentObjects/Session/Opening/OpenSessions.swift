internal import StoreEngine

/// The sessions of a store that have not ended, so that they end with it.
///
/// It refers to them without keeping them, and not weakly: weak references would make each later retain of a session
/// more expensive.
final class OpenSessions: Sendable {
    private struct State {
        var sessions: [ObjectIdentifier: Borrowed<Session>] = [:]
        var isClosed = false
    }

    private let state = Locked(State())

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Adds a session that has just begun.
    func add(_ session: Session) throws(StoreError) {
        try state.withLock { (state) throws(StoreError) in
            guard !state.isClosed else { throw StoreError(.sessionEnded, "The store is closed") }
            state.sessions[ObjectIdentifier(session)] = Borrowed(session)
        }
    }

    /// Called by a session that ends, before its memory goes.
    func remove(_ session: Session) {
        _ = state.withLock { $0.sessions.removeValue(forKey: ObjectIdentifier(session)) }
    }

    /// Those that are open.
    var all: [Session] { state.withLock { $0.sessions.values.compactMap { $0.ifAlive() } } }

    /// Refuses new sessions from now on; the answer is those that are open.
    func close() -> [Session] {
        state.withLock { state in
            state.isClosed = true
            defer { state.sessions = [:] }
            // One that is ending on another thread at this moment needs nothing more.
            return state.sessions.values.compactMap { $0.ifAlive() }
        }
    }
}
