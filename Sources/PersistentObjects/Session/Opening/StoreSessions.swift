@_spi(Locks) internal import StoreEngine

/// The sessions of one store: all open sessions, the main session, and the sessions of tasks.
final class StoreSessions: StoreDependent {
    let open = OpenSessions()
    let tasks = TaskSessions()
    private let main = Locked<Main>(.notOpen)

    private enum Main {
        case notOpen
        case open(SessionBox)
        case closed
    }

    func storeWillClose() {
        let open = open.close()
        // The last reference to a session is released outside the lock.
        let session = main.withLock { exchange(&$0, with: .closed) }
        withExtendedLifetime(session) { for session in open { session.end() } }
        tasks.close()
    }

    func releaseMemory() {
        for session in open.all { session.gate.releaseMemory() }
    }

    /// The session of actors and of code outside tasks; opened on first use.
    func mainSession(of store: Store) throws -> Session {
        let known: SessionBox? = try main.withLock { main in
            switch main {
            case .open(let box): return box
            case .closed: throw StoreError(.sessionEnded, "The store is closed")
            case .notOpen: return nil
            }
        }
        if let known { return known.session }
        let made = SessionBox(try Session(store))
        // Another thread may have opened the main session in the meantime.
        let chosen: SessionBox? = main.withLock { main in
            switch main {
            case .open(let box): return box
            case .closed: return nil
            case .notOpen:
                main = .open(made)
                return made
            }
        }
        if chosen !== made { made.session.end() }
        guard let chosen else { throw StoreError(.sessionEnded, "The store is closed") }
        return chosen.session
    }
}

extension Store {
    private var all: StoreSessions { ObjectMemory.exactly(dependent, as: StoreSessions.self) }
    var sessions: OpenSessions { all.open }
    var tasks: TaskSessions { all.tasks }

    /// The session for calls outside `withSession`: the task's session for code outside actors, otherwise the main
    /// session.
    func ownSession() throws -> Session {
        guard let task = RunningTask.outsideActors else { return try mainSession() }
        return try tasks.session(of: task, in: self)
    }

    /// The session of actors and of code outside tasks; opened on first use.
    func mainSession() throws -> Session { try all.mainSession(of: self) }
}

/// Passes a session between isolation domains; the session's gate refuses overlapping uses.
final class SessionBox: @unchecked Sendable {  // the gate refuses overlapping uses
    let session: Session
    init(_ session: Session) { self.session = session }
}
