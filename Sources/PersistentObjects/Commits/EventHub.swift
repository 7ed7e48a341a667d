// Commits: what a commit has done to which rows, and who hears of it. It knows rows by table and id, and must know
// neither sessions nor objects.

internal import StoreEngine
internal import Synchronization

/// Who wants to hear of commits.
protocol CommitListener: AnyObject, Sendable {
    /// Whether it wants to know which objects' rows were written and what has changed in them: others pay less.
    var readsEvents: Bool { get }
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
    /// How many of them read events.
    private let readers = Atomic<Int>(0)

    /// Whether anybody listens: all that a store without subscribers pays.
    @inline(__always)
    var isWatched: Bool { count.load(ordering: .relaxed) > 0 }

    /// Whether anybody reads events.
    var hasReaders: Bool { readers.load(ordering: .relaxed) > 0 }

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
            if listener.readsEvents { readers.add(1, ordering: .sequentiallyConsistent) }
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
            if listener.readsEvents { readers.subtract(1, ordering: .sequentiallyConsistent) }
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
            readers.subtract(listeners.count(where: \.readsEvents), ordering: .sequentiallyConsistent)
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
    func didCommit(_ summary: CommitSummary, _ span: CommitSpan) {
        // Told under the lock: who looks for others finds all told that was committed up to what is known.
        others.withLock { others in
            others.committingCount -= 1
            if others.wasOutrun(span) { post(.unknown) }
            if !summary.isEmpty { post(summary) }
            others.note(span)
        }
    }

    /// The commit has failed.
    func didNotCommit() { others.withLock { $0.committingCount -= 1 } }

    /// A session has seen that somebody has committed. Whether all is told by now that it may have seen.
    ///
    /// - Parameter mark: Where the database is now; nil where the engine cannot tell.
    func lookForOthers(_ mark: () -> CommitMark?) -> Bool {
        // Told under the lock: two sessions that see it at once tell of it once, and before what they write.
        others.withLock { others in
            let finding = others.find(mark)
            if finding == .news { post(.unknown) }
            return finding != .unsure
        }
    }
}

/// Tells commits of other processes from those of this one.
///
/// By the marks that commits leave: what begins at the mark at which the last one told has ended follows it, and nobody
/// was in between. An engine without marks has a connection of its own looked at after each commit of this process, and
/// what others commit just before one of these is not noticed.
private struct OtherProcesses {
    enum Finding { case nothing, news, unsure }

    private var connection: (any Connection)?
    private var version: Int64 = 0
    /// Up to here all is told; nil where that is not known.
    private var told: CommitMark?
    private var hasMarks = false
    /// How many sessions of this process are just committing; while any is, little can be said.
    var committingCount = 0

    mutating func begin(_ open: () -> (any Connection)?) {
        guard connection == nil else { return }
        connection = open()
        synchronize()
        // The connection stays: with the last one of all processes the log would go, and with it the count.
        told = connection?.commitMark
        hasMarks = told != nil
    }

    mutating func end() {
        connection = nil
        hasMarks = false
    }

    private mutating func synchronize() { version = current ?? version }

    /// Whether somebody has committed before a session of this process, and nobody has told.
    func wasOutrun(_ span: CommitSpan) -> Bool { hasMarks && (span.start == nil || span.start != told) }

    mutating func note(_ span: CommitSpan) {
        if hasMarks { told = span.end } else { synchronize() }
    }

    mutating func find(_ mark: () -> CommitMark?) -> Finding {
        guard hasMarks else {
            guard committingCount == 0, let current, current != version else { return .unsure }
            version = current
            return .news
        }
        let mark = mark()
        if let mark, mark == told { return .nothing }
        guard committingCount == 0 else { return .unsure }
        told = mark
        return .news
    }

    /// Nil where it cannot be read, which is no reason to fail: the next time may tell.
    private var current: Int64? { try? connection?.polledDataVersion() }
}
