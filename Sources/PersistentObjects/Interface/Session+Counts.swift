// What a session holds and has done, in numbers.
extension Session {
    /// How many objects a session has in memory, and how often it has asked the database.
    public struct Counts: Sendable, Hashable {
        /// Objects of the session in memory.
        public let live: Int
        /// Those of them that have unsaved edits.
        public let changed: Int
        /// Statements run, those that begin and end transactions included.
        ///
        /// SQLite counts them for each statement that is kept; after some
        /// hundred different ones the oldest are dropped with their counts.
        public let statements: Int
    }

    /// How many objects the session has in memory, how many of them have unsaved edits, and how many statements it has
    /// run.
    ///
    /// ```swift
    /// print(try session.counts.changed)
    /// ```
    ///
    /// - Complexity: looks at each object in memory; no SQL.
    /// - Throws: `StoreError` if the session is in use on another thread, or
    ///   has ended.
    public var counts: Counts {
        get throws {
            try enter {
                var (live, changed) = (0, 0)
                for identity in classes.allIdentities {
                    let objects = identity.liveObjects()
                    live += objects.count
                    changed += objects.count { isToBeSaved($0, identity.classMap) }
                }
                return Counts(
                    live: live, changed: changed, statements: Swift.max(0, connection.statementRunCount - runsBefore))
            }
        }
    }
}
