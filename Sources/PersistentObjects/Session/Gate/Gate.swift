// Gate: access to a session, through which connection, and for how long. It knows threads, connections and time limits,
// and must know neither classes nor objects.

internal import StoreEngine
internal import Synchronization

/// Controls access to a session, and owns the connection that it uses.
///
/// Invariants:
/// - One thread at a time is inside. It may enter again; each `enter()` that returned true has its `leave()`.
/// - If the connection is shared, statements run only while `hasTurn` is true.
/// - `isSpecial` is true while a call has more to do than to enter and to leave: the session has ended, shares its
///   connection, is profiled, has a time limit, or has something to do when the outermost call ends. It may stay true
///   for longer than that, never for shorter.
/// - The connection is given up once, when nothing is inside.
final class Gate {
    let store: Store
    let connection: any Connection
    /// The connection's counter of calls.
    let calls: CallCounter
    /// The same for `noteCall()`, which would count references for longer than it takes.
    private let counter: Borrowed<CallCounter>
    /// Reports statements and the calls that run them; nil if nothing listens.
    let watch: StatementWatch?
    /// Nil if the session has its connection to itself.
    let share: ConnectionShare?
    /// When the work is to have ended; nil for no limit.
    private(set) var limit: TimeLimit?
    private let thread = SessionGate()
    private let isEnded = Atomic<Bool>(false)
    private let special: Atomic<Bool>
    private var hasTurn = false
    private(set) var hasConnection = true
    private var statementListeners: [Session.StatementListener] = []

    init(_ store: Store, _ connection: any Connection, share: ConnectionShare?) {
        self.store = store
        self.connection = connection
        self.share = share
        calls = connection.calls
        counter = Borrowed(calls)
        watch = (connection as? WatchedConnection)?.watcher as? StatementWatch
        special = Atomic(share != nil || watch != nil)
    }
}

// Entering and leaving.
extension Gate {
    /// False if another thread is inside.
    @inline(__always)
    func enter() -> Bool { thread.enter() }

    @inline(__always)
    func leave() { thread.leave() }

    /// A call of the session has begun.
    @inline(__always)
    func noteCall() { counter.with { $0.noteCall() } }

    /// Whether the thread that is inside has entered once.
    var isOutermost: Bool { thread.isOutermost }

    /// Whether the thread that is inside had entered that many times before.
    func isInside(of calls: Int) -> Bool { thread.isInside(of: calls) }

    /// Calls `body` as the only user, even of a session that has ended; nil if a thread is inside.
    func whileAlone<R>(_ body: () -> R) -> R? {
        guard thread.enterAlone() else { return nil }
        defer { thread.leave() }
        return body()
    }

    /// Whether a call has more to do than to enter and to leave: all that other sessions pay for it at each call.
    @inline(__always)
    var isSpecial: Bool { special.load(ordering: .relaxed) }

    /// The outermost call has something to do when it ends.
    func makeSpecial() { special.store(true, ordering: .relaxed) }

    /// The condition that made the session special for one call has ended.
    func updateSpecial() {
        special.store(limit != nil || share != nil || watch != nil, ordering: .relaxed)
        // It may just have been ended elsewhere.
        if hasEnded { makeSpecial() }
    }

    /// Refuses a call of an ended session, or one after the time limit, and waits for the turn to use the connection.
    func enterSpecially(_ name: @autoclosure () -> String) throws {
        try checkIsOpen()
        try limit?.check("before \(name()) began")
        guard let share, !hasTurn else { return }
        try share.enter(self)
        hasTurn = true
    }

    /// The outermost call ends.
    func endTurn() {
        guard hasTurn else { return }
        hasTurn = false
        share?.exit()
    }
}

// The end, and limits.
extension Gate {
    /// No call is possible any more; one that is under way finishes.
    func end() {
        isEnded.store(true, ordering: .relaxed)
        makeSpecial()
    }

    /// Whether no call is possible any more.
    var hasEnded: Bool { isEnded.load(ordering: .relaxed) }

    /// Throws if no call is possible any more.
    func checkIsOpen() throws {
        guard hasEnded else { return }
        throw StoreError(
            .sessionEnded,
            store.hasClosed
                ? "The store is closed, and its sessions have ended"
                : "The session has ended. Use objects and calls in an open session")
    }

    /// Sets a limit for all that is done from now on; nil for none.
    func setLimit(_ limit: TimeLimit?) {
        self.limit = limit
        connection.limits.limit = limit
        updateSpecial()
    }

    /// The connection is used no more; false if it was given up before.
    func giveUpConnection() -> Bool { exchange(&hasConnection, with: false) }

    /// Returns the connection to the store, or to the other sessions that share it.
    ///
    /// - Parameter retired: The session's objects on the connection: they end in turn.
    func returnConnection(retiring retired: [AnyObject], isReader: Bool) {
        if let share {
            guard share.leave(retiring: retired) else { return }
            share.dropRetired()
        }
        guard !isReader else { return }
        connection.trace(nil)
        connection.limits.limit = nil
        store.give(back: connection)
    }

    /// Frees memory of the connection, unless it is in use, or may be in use by another session.
    func releaseMemory() {
        guard share == nil else { return }
        whileAlone { if hasConnection { connection.releaseMemory() } }
    }
}

// Listeners to statements, for tests.
extension Gate {
    func add(_ listener: Session.StatementListener) {
        statementListeners.append(listener)
        traceStatements()
    }

    func remove(_ listener: Session.StatementListener) {
        statementListeners.removeAll { $0 === listener }
        traceStatements()
    }

    private func traceStatements() {
        let listeners = statementListeners
        connection.trace(listeners.isEmpty ? nil : { text in for listener in listeners { listener.tell(text) } })
    }
}
