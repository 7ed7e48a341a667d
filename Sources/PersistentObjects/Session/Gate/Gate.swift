// Gate: access to a session, its connection and its time limits. It knows threads, connections and time limits, and
// must know neither classes nor objects.

internal import StoreEngine
internal import Synchronization

/// Controls access to a session, and owns the connection that it uses.
///
/// Invariants:
/// - One thread at a time is inside. It may enter again; each `enter()` that returned true has its `leave()`.
/// - If the connection is shared, statements run only while `hasTurn` is true.
/// - `isSpecial` is true while a call has more work than entering and leaving: the session has ended, shares its
///   connection, is profiled, has a time limit, or has work to do when the outermost call ends. It may stay true longer
///   than necessary, but is never false too early.
/// - The connection is given up once, when no thread is inside.
final class Gate {
    let store: Store
    let connection: any Connection
    /// The connection's counter of calls.
    let calls: CallCounter
    /// The counter for `countCall()`, borrowed because counting references would take longer than the call.
    private let counter: Borrowed<CallCounter>
    /// Reports statements and the calls that run them; nil if there is no listener.
    let watch: StatementWatch?
    /// The share of the connection; nil if no other session uses it.
    let share: ConnectionShare?
    /// The time limit of the session's work; nil for no limit.
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

    /// Counts a call of the session.
    @inline(__always)
    func countCall() { counter.with { $0.countCall() } }

    /// Whether the thread that is inside has entered once.
    var isOutermost: Bool { thread.isOutermost }

    /// Whether the thread that is inside had entered this number of times before.
    func isInside(of calls: Int) -> Bool { thread.isInside(of: calls) }

    /// Calls `body` as the only user, even of a session that has ended; nil if a thread is inside.
    func whileAlone<R>(_ body: () -> R) -> R? {
        guard thread.enterAlone() else { return nil }
        defer { thread.leave() }
        return body()
    }

    /// Whether a call has more work than entering and leaving. Other sessions pay only for this check at each call.
    @inline(__always)
    var isSpecial: Bool { special.load(ordering: .relaxed) }

    /// Called if the outermost call has work to do when it ends.
    func makeSpecial() { special.store(true, ordering: .relaxed) }

    /// Called when the condition that made the session special for one call has ended.
    func updateSpecial() {
        special.store(limit != nil || share != nil || watch != nil, ordering: .relaxed)
        // Another thread may just have ended the session.
        if hasEnded { makeSpecial() }
    }

    /// Refuses a call of an ended session, or after the time limit, and waits for the turn to use the connection.
    func enterSpecially(_ name: @autoclosure () -> String) throws {
        try checkIsOpen()
        try limit?.check("before \(name()) began")
        guard let share, !hasTurn else { return }
        try share.enter(self)
        hasTurn = true
    }

    /// Ends the turn to use the connection when the outermost call ends.
    func endTurn() {
        guard hasTurn else { return }
        hasTurn = false
        share?.exit()
    }
}

// The end, and limits.
extension Gate {
    /// Makes further calls fail; a call in progress finishes.
    func end() {
        isEnded.store(true, ordering: .relaxed)
        makeSpecial()
    }

    /// Whether further calls fail.
    var hasEnded: Bool { isEnded.load(ordering: .relaxed) }

    /// Throws if the session has ended.
    func checkIsOpen() throws {
        guard hasEnded else { return }
        throw StoreError(
            .sessionEnded,
            store.hasClosed
                ? "The store is closed, and its sessions have ended"
                : "The session has ended. Use objects and calls in an open session")
    }

    /// Sets a time limit for all work from now on; nil for no limit.
    func setLimit(_ limit: TimeLimit?) {
        self.limit = limit
        connection.limits.limit = limit
        updateSpecial()
    }

    /// Gives up the connection; returns false if it was given up before.
    func releaseConnection() -> Bool { exchange(&hasConnection, with: false) }

    /// Returns the connection to the store, or to the other sessions that share it.
    ///
    /// - Parameter retired: The session's statements, which end when no other session is using the connection.
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

    /// Frees memory of the connection, unless it is in use or another session may be using it.
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
        connection.trace(listeners.isEmpty ? nil : { text in for listener in listeners { listener.report(text) } })
    }
}
