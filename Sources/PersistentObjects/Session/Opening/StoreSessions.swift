internal import StoreEngine

/// The sessions of one store: those that are open, the main one, and those of tasks.
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
        // The last reference to a session is not given up under the lock.
        let session = main.withLock { exchange(&$0, with: .closed) }
        withExtendedLifetime(session) { for session in open { session.end() } }
        tasks.close()
    }

    func releaseMemory() {
        for session in open.all { session.gate.releaseMemory() }
    }

    /// The session of actors, and of what is in no task; opened at first use.
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
        // Another thread may have been first.
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

    /// The session for calls outside `withSession`: a task's own where its code is in no actor, else the main one.
    func ownSession() throws -> Session {
        guard let task = RunningTask.outsideActors else { return try mainSession() }
        return try tasks.session(of: task, in: self)
    }

    /// The session of actors, and of what is in no task; opened at first use.
    func mainSession() throws -> Session { try all.mainSession(of: self) }
}

/// Carries a session to where its store or its task needs it; the session's gate sees to it that uses do not overlap.
final class SessionBox: @unchecked Sendable {  // the gate refuses uses that overlap
    let session: Session
    init(_ session: Session) { self.session = session }
}
