// Changes: what commits have done, and which commit a database is at. It must know no statement, and not how an engine
// finds it out.

/// Which commit a database is at: two are equal only where nobody, of whichever process, has committed in between.
package struct CommitMark: Equatable, Sendable {
    private let number: UInt32
    private let checksum: UInt64

    /// - Parameters:
    ///   - number: One more with each commit.
    ///   - checksum: Of all that the log has up to it: where the number begins anew, two with the same are told apart.
    init(number: UInt32, checksum: UInt64) { (self.number, self.checksum) = (number, checksum) }

    /// Whether one commit, and no more, was made behind another mark.
    func isNext(after other: CommitMark) -> Bool { number == other.number &+ 1 }
}

/// Where a database was just before a commit, and where the commit has ended; nil where the engine cannot tell.
package struct CommitSpan: Sendable {
    /// Just before.
    package let start: CommitMark?
    /// Nil also where others may have committed just behind it: the next to look tells of them.
    package let end: CommitMark?

    /// What an engine without marks says.
    package static let unknown = CommitSpan(start: nil, end: nil)

    private init(start: CommitMark?, end: CommitMark?) { (self.start, self.end) = (start, end) }

    /// - Parameters:
    ///   - start: The mark just before the commit, while nobody else can commit.
    ///   - after: The mark just after it.
    ///   - hasWritten: Whether there was anything to be committed, which counts as a commit.
    init(from start: CommitMark?, to after: CommitMark?, hasWritten: Bool) {
        self.start = start
        guard let start, let after, hasWritten ? after.isNext(after: start) : after == start else {
            end = nil
            return
        }
        end = after
    }
}
