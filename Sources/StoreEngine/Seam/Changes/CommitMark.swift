// Changes: the effects of commits, and the commit that a database is at. It must not know statements, nor how an engine
// determines the changes.

/// The commit that a database is at: two marks are equal only if there was no commit in between, in any process.
package struct CommitMark: Equatable, Sendable {
    private let number: UInt32
    private let checksum: UInt64

    /// - Parameters:
    ///   - number: Incremented by each commit.
    ///   - checksum: A checksum of the log's contents: it distinguishes equal numbers after the number restarts.
    init(number: UInt32, checksum: UInt64) { (self.number, self.checksum) = (number, checksum) }

    /// Whether exactly one commit was made after another mark.
    func isNext(after other: CommitMark) -> Bool { number == other.number &+ 1 }
}

/// The database's position just before and after a commit; nil if the engine cannot provide it.
package struct CommitSpan: Sendable {
    /// The position just before the commit.
    package let start: CommitMark?
    /// The position just after the commit; nil also if other sessions may have committed, which the next check reports.
    package let end: CommitMark?

    /// The value of an engine without marks.
    package static let unknown = CommitSpan(start: nil, end: nil)

    private init(start: CommitMark?, end: CommitMark?) { (self.start, self.end) = (start, end) }

    /// - Parameters:
    ///   - start: The mark just before the commit, while no other session can commit.
    ///   - after: The mark just after it.
    ///   - hasWritten: Whether there were changes to commit, which count as a commit.
    init(from start: CommitMark?, to after: CommitMark?, hasWritten: Bool) {
        self.start = start
        guard let start, let after, hasWritten ? after.isNext(after: start) : after == start else {
            end = nil
            return
        }
        end = after
    }
}
