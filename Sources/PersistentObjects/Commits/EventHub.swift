// Commits: the rows that a commit changed, and the listeners that receive them. It identifies rows by table and id, and
// must not use sessions or objects.

@_spi(Locks) internal import StoreEngine
internal import Synchronization

/// A listener to commits.
protocol CommitListener: AnyObject, Sendable {
    /// Whether it reads which rows were written and how they changed. Listeners that do not read events cost less.
    var readsEvents: Bool { get }
    /// Called by the committing session, in the order of the commits if only one session writes at a time.
    func receive(_ summary: CommitSummary)
    /// Called when no further commits follow.
    func finish()
}

/// Passes a store's commits from all sessions of the process to all subscribers.
final class EventHub: Sendable {
    private struct Entry {
        let listener: any CommitListener
        /// The session whose end also ends the subscription.
        let session: ObjectIdentifier?
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var order: [ObjectIdentifier] = []
        var isFinished = false
        /// Translates changes that the database has kept.
        var summarize: (@Sendable ([TableChange]) -> CommitSummary)?
    }

    private let state = Locked(State())
    /// The columns that listeners evaluate in written rows.
    let columns = WatchedColumns()
    private let others = Locked(OtherProcesses())
    private let count = Atomic<Int>(0)
    /// The number of listeners that read events.
    private let readers = Atomic<Int>(0)
    private let hasReported = Atomic<Bool>(false)

    /// Whether there are listeners. A store without subscribers pays only for this check.
    @inline(__always)
    var isWatched: Bool { count.load(ordering: .relaxed) > 0 }

    /// Whether there are readers of events.
    var hasReaders: Bool { readers.load(ordering: .relaxed) > 0 }

    /// Adds a listener. `connection` opens the connection that detects commits of other processes. `report` is called
    /// once if the system cannot report these commits.
    func add(
        _ listener: any CommitListener, boundTo session: AnyObject? = nil,
        warning report: @escaping @Sendable (String) -> Void,
        summarizing summarize: @escaping @Sendable ([TableChange]) -> CommitSummary = { _ in .unknown },
        _ connection: () -> (any Connection)?
    ) {
        // The lock covers everything, because the removal of the last listener closes the connection.
        let isFinished = others.withLock { others in
            guard !state.withLock({ $0.isFinished }) else { return true }
            // This precedes the count, so that commits from here on are not treated as already reported.
            others.begin(report, connection)
            if listener.readsEvents { others.beginWatching(calls(report)) }
            return state.withLock { state in
                guard !state.isFinished else { return true }
                state.summarize = summarize
                let key = ObjectIdentifier(listener)
                state.entries[key] = Entry(listener: listener, session: session.map { ObjectIdentifier($0) })
                state.order.append(key)
                count.add(1, ordering: .sequentiallyConsistent)
                if listener.readsEvents { readers.add(1, ordering: .sequentiallyConsistent) }
                return false
            }
        }
        if isFinished {
            endOthers()
            listener.finish()
        }
    }

    /// The callbacks of a watch. They do not retain the hub.
    private func calls(_ report: @escaping @Sendable (String) -> Void) -> CommitWatchCalls {
        CommitWatchCalls(
            look: { [weak self] in self?.lookIdly() },
            report: { [weak self] text in
                if self?.hasReported.exchange(true, ordering: .relaxed) == false { report(text) }
            })
    }

    /// Ends everything that is no longer needed.
    private func endOthers() {
        others.withLock { others in
            if !isWatched { others.end() } else if !hasReaders { others.endWatching() }
        }
    }

    func remove(_ listener: any CommitListener) {
        let wasThere = state.withLock { state in
            let key = ObjectIdentifier(listener)
            guard state.entries.removeValue(forKey: key) != nil else { return false }
            state.order.removeAll { $0 == key }
            count.subtract(1, ordering: .sequentiallyConsistent)
            if listener.readsEvents { readers.subtract(1, ordering: .sequentiallyConsistent) }
            return true
        }
        if wasThere, !hasReaders { endOthers() }
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
        if !hasReaders { endOthers() }
    }

    private func post(_ summary: CommitSummary) {
        let listeners = state.withLock { state in state.order.compactMap { state.entries[$0]?.listener } }
        for listener in listeners { listener.receive(summary) }
    }
}

// Reports from sessions.
extension EventHub {
    /// A session is about to commit.
    func willCommit() { others.withLock { $0.committingCount += 1 } }

    /// A session has committed; other sessions of this process report their concurrent commits themselves.
    func didCommit(_ summary: CommitSummary, _ span: CommitSpan) {
        // Reported under the lock: a search for other commits then sees every commit reported up to the known state.
        others.withLock { others in
            others.committingCount -= 1
            if postKept(others) { return }
            if others.wasOutrun(span) { post(.unknown) }
            if !summary.isEmpty { post(summary) }
            others.record(span)
        }
    }

    /// The commit has failed.
    func didNotCommit() { others.withLock { $0.committingCount -= 1 } }

    /// Whether every commit up to the database's current position is reported to all listeners.
    ///
    /// - Parameter mark: The current position; nil if the engine cannot determine it.
    func hasReportedAll(upTo mark: CommitMark?) -> Bool { others.withLock { $0.isReported(mark) } }

    /// A commit may have happened while no session of this process was querying.
    private func lookIdly() {
        // Reported under the lock, as above. While a session commits, nothing is reported, because that session reports
        // its commit or the check runs again.
        others.withLock { if !postKept($0), $0.findIdly() { post(.unknown) } }
    }

    /// Reports the commits that the database has kept; false if it keeps none.
    private func postKept(_ others: OtherProcesses) -> Bool {
        guard let changes = others.changes() else { return false }
        let summarize = state.withLock { $0.summarize }
        // Unknown changes are older than the first change that is known.
        if changes.isIncomplete { post(.unknown) }
        for transaction in changes.transactions {
            if let summary = summarize?(transaction), !summary.isEmpty { post(summary) }
        }
        return true
    }

    /// A session has detected a commit. Returns whether every commit that it may have seen is already reported.
    ///
    /// - Parameter mark: The current position of the database; nil if the engine cannot determine it.
    func lookForOthers(_ mark: () -> CommitMark?) -> Bool {
        // Reported under the lock, so that two sessions that detect a commit together report it once, and before their
        // own writes.
        others.withLock { others in
            if postKept(others) { return false }
            let finding = others.find(mark)
            if finding == .news { post(.unknown) }
            return finding != .unsure
        }
    }
}
