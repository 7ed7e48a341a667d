internal import StoreEngine

/// Distinguishes commits of other processes from commits of this process.
///
/// It uses the marks that commits leave: a commit that begins at the end mark of the last reported commit follows that
/// commit directly. For an engine without marks, a separate connection is checked after each commit of this process,
/// and commits of other processes just before a commit of this process are not noticed.
struct OtherProcesses {
    enum Finding { case nothing, news, unsure }

    private var connection: (any Connection)?
    /// Watches for other commits while this process is not querying; nil if the engine cannot watch, and while there
    /// are no readers of events.
    private var watch: (any CommitWatch)?
    /// The changes of all commits; nil if the engine does not keep them.
    private var feed: (any CommitFeed)?
    private var version: Int64 = 0
    /// The mark up to which all commits are reported; nil if it is unknown.
    private var lastReported: CommitMark?
    private var hasMarks = false
    /// The number of sessions of this process with a commit in progress; while there is one, little can be determined.
    var committingCount = 0

    /// - Parameter report: Receives the reason if the engine keeps changes, but not for this process.
    mutating func begin(_ report: @escaping @Sendable (String) -> Void, _ open: () -> (any Connection)?) {
        guard connection == nil else { return }
        connection = open()
        do throws(StoreError) { feed = try connection?.openFeed() } catch {
            report("Commits are reported as unknown changes, because listening has failed: \(error.message)")
        }
        synchronize()
        // The connection stays open, because closing the last connection of all processes deletes the log and its mark.
        lastReported = connection?.commitMark
        hasMarks = lastReported != nil
    }

    /// Makes the watch call `calls` while this process is not querying.
    mutating func beginWatching(_ calls: CommitWatchCalls) {
        guard watch == nil else { return }
        watch = connection?.watchForCommits(calls)
    }

    mutating func endWatching() {
        watch?.cancel()
        watch = nil
    }

    mutating func end() {
        endWatching()
        feed?.end()
        feed = nil
        connection = nil
        hasMarks = false
    }

    private mutating func synchronize() { version = current ?? version }

    /// The commits of all processes, including this one, since the last call; nil if the engine does not keep them.
    ///
    /// If they cannot be read now, because the connection is lost, a later call returns them.
    func changes() -> CommittedChanges? { feed.map { (try? $0.read()) ?? CommittedChanges() } }

    /// Whether an unreported commit precedes that of a session of this process.
    func wasOutrun(_ span: CommitSpan) -> Bool { hasMarks && (span.start == nil || span.start != lastReported) }

    /// Whether all commits up to a mark are reported.
    func isReported(_ mark: CommitMark?) -> Bool { hasMarks && mark != nil && mark == lastReported }

    mutating func record(_ span: CommitSpan) {
        if hasMarks { lastReported = span.end } else { synchronize() }
    }

    mutating func find(_ mark: () -> CommitMark?) -> Finding {
        guard hasMarks else {
            guard committingCount == 0, let current, current != version else { return .unsure }
            version = current
            return .news
        }
        let mark = mark()
        if let mark, mark == lastReported { return .nothing }
        guard committingCount == 0 else { return .unsure }
        lastReported = mark
        return .news
    }

    /// Whether other processes have committed, as far as can be determined without waiting: the watch checks again.
    mutating func findIdly() -> Bool {
        guard committingCount == 0, watch != nil else { return false }
        guard hasMarks else {
            // Without a log, a commit in progress blocks all readers.
            guard let current = try? connection?.polledDataVersion(waits: false), current != version else {
                return false
            }
            version = current
            return true
        }
        guard let mark = connection?.commitMark, mark != lastReported else { return false }
        lastReported = mark
        return true
    }

    /// The current version; nil if it cannot be read, because a later check may succeed.
    private var current: Int64? { try? connection?.polledDataVersion(waits: true) }
}
