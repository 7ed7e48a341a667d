internal import StoreEngine

/// Tells commits of other processes from those of this one.
///
/// By the marks that commits leave: what begins at the mark at which the last one told has ended follows it, and nobody
/// was in between. An engine without marks has a connection of its own looked at after each commit of this process, and
/// what others commit just before one of these is not noticed.
struct OtherProcesses {
    enum Finding { case nothing, news, unsure }

    private var connection: (any Connection)?
    /// Has others looked for while nobody of this process asks; nil where the engine cannot tell, and while no reader
    /// of events waits.
    private var watch: (any CommitWatch)?
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

    /// Has `calls` called while nobody of this process asks.
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

    /// Whether others have committed, as far as it can be said without waiting: the watch asks again.
    mutating func findIdly() -> Bool {
        guard committingCount == 0, watch != nil else { return false }
        guard hasMarks else {
            // Who is just committing keeps all from reading where there is no log.
            guard let current = try? connection?.polledDataVersion(waits: false), current != version else {
                return false
            }
            version = current
            return true
        }
        guard let mark = connection?.commitMark, mark != told else { return false }
        told = mark
        return true
    }

    /// Nil where it cannot be read, which is no reason to fail: the next time may tell.
    private var current: Int64? { try? connection?.polledDataVersion(waits: true) }
}
