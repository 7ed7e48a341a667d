// Commits: what a commit has done to which rows, and who hears of it. It knows rows by table and id, and must know
// neither sessions nor objects.

internal import StoreEngine
internal import Synchronization

/// Who wants to hear of commits.
protocol CommitListener: AnyObject, Sendable {
    /// Called by the session that has committed: in the order of the commits, where one session writes at a time.
    func receive(_ summary: CommitSummary)
    /// There will be no more.
    func finish()
}

/// Tells of a store's commits: all sessions of the process tell it, and all subscribers hear of it.
final class EventHub: Sendable {
    private struct Entry {
        let listener: any CommitListener
        /// The session with which it ends.
        let session: ObjectIdentifier?
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var order: [ObjectIdentifier] = []
        var isFinished = false
    }

    private let state = Locked(State())
    private let others = Locked(OtherProcesses())
    private let count = Atomic<Int>(0)

    /// Whether anybody listens: all that a store without subscribers pays.
    @inline(__always)
    var isWatched: Bool { count.load(ordering: .relaxed) > 0 }

    /// Adds a listener; `connection` opens the one that looks out for other processes.
    func add(
        _ listener: any CommitListener, boundTo session: AnyObject? = nil, _ connection: () -> (any Connection)?
    ) {
        // Before the count is raised: what is committed from here on is not taken for known.
        others.withLock { $0.begin(connection) }
        let isFinished = state.withLock { state in
            guard !state.isFinished else { return true }
            let key = ObjectIdentifier(listener)
            state.entries[key] = Entry(listener: listener, session: session.map { ObjectIdentifier($0) })
            state.order.append(key)
            count.add(1, ordering: .sequentiallyConsistent)
            return false
        }
        if isFinished { listener.finish() }
    }

    func remove(_ listener: any CommitListener) {
        let isLast = state.withLock { state in
            let key = ObjectIdentifier(listener)
            guard state.entries.removeValue(forKey: key) != nil else { return false }
            state.order.removeAll { $0 == key }
            count.subtract(1, ordering: .sequentiallyConsistent)
            return state.entries.isEmpty
        }
        if isLast { others.withLock { if !isWatched { $0.end() } } }
    }

    /// Ends the listeners of a session that has ended, or all.
    func finish(_ session: AnyObject? = nil) {
        let key = session.map { ObjectIdentifier($0) }
        let ended = state.withLock { state in
            if session == nil { state.isFinished = true }
            let ended = state.order.filter { session == nil || state.entries[$0]?.session == key }
            let listeners = ended.compactMap { state.entries.removeValue(forKey: $0)?.listener }
            state.order.removeAll { state.entries[$0] == nil }
            count.subtract(listeners.count, ordering: .sequentiallyConsistent)
            return listeners
        }
        for listener in ended { listener.finish() }
        if !isWatched { others.withLock { $0.end() } }
    }

    private func post(_ summary: CommitSummary) {
        let listeners = state.withLock { state in state.order.compactMap { state.entries[$0]?.listener } }
        for listener in listeners { listener.receive(summary) }
    }
}

// What sessions tell.
extension EventHub {
    /// A session is about to commit.
    func willCommit() { others.withLock { $0.committingCount += 1 } }

    /// A session has committed; what others of this process commit meanwhile they tell themselves.
    func didCommit(_ summary: CommitSummary) {
        others.withLock { others in
            others.synchronize()
            others.committingCount -= 1
        }
        if !summary.isEmpty { post(summary) }
    }

    /// The commit has failed.
    func didNotCommit() { others.withLock { $0.committingCount -= 1 } }

    /// A session has seen that somebody has committed.
    func lookForOthers() {
        // Told under the lock: two sessions that see it at once tell of it once, and before what they write.
        others.withLock { if $0.haveCommitted() { post(.unknown) } }
    }
}

/// Tells commits of other processes from those of this one: a connection of its own is looked at after each of these.
private struct OtherProcesses {
    private var connection: (any Connection)?
    private var version: Int64 = 0
    /// How many sessions of this process are just committing; while any is, nothing can be said.
    var committingCount = 0

    mutating func begin(_ open: () -> (any Connection)?) {
        guard connection == nil else { return }
        connection = open()
        synchronize()
    }

    mutating func end() { connection = nil }

    mutating func synchronize() { version = current ?? version }

    mutating func haveCommitted() -> Bool {
        guard committingCount == 0, let current, current != version else { return false }
        version = current
        return true
    }

    /// Nil where it cannot be read, which is no reason to fail: the next time may tell.
    private var current: Int64? { try? connection?.polledDataVersion() }
}
