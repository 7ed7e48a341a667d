/// What keeps a database in order: copies, checks, sizes. See `Capabilities.upkeep`.
///
/// It works on the connection that it was asked of, which no one else may use meanwhile.
package protocol Upkeep {
    // MARK: Copies and room

    /// Copies the database, as it is at this moment, into a file; others go on writing. The file is there when the copy
    /// is whole, or not at all.
    ///
    /// - Parameter progress: Is called after each part; what it throws ends the copy.
    func copy(_ request: CopyRequest, progress: (CopyProgress) throws -> Void) throws
    /// Moves what the log has into the file, and empties it.
    ///
    /// - Parameter isWaiting: Whether it waits for readers and writers, as long as the busy timeout says.
    func checkpoint(isWaiting: Bool) throws(StoreError) -> CheckpointOutcome
    /// Writes the database anew, without free pages; from then on what becomes free is treated as `autoVacuum` says.
    func vacuum(_ autoVacuum: AutoVacuum) throws(StoreError)
    /// Takes free pages from the end of the file; the answer is how many. None where it is not `incremental`.
    func releaseFreePages(atMost limit: Int) throws(StoreError) -> Int

    // MARK: What there is

    /// What the file says of itself.
    func facts() throws(StoreError) -> FileFacts
    /// All tables with rows, those of indexes of words too, by name.
    func tables() throws(StoreError) -> [StoredTable]
    /// How many bytes each table and its indexes take; nil where the engine cannot tell.
    func tableSizes() throws(StoreError) -> [String: TableSize]?
    /// The greatest id that rows of a table have had, as far as the engine keeps it; nil where it does not.
    func greatestID(of table: String) throws(StoreError) -> Int64?

    // MARK: What is wrong

    /// What the engine finds wrong with the structure of the file, in its words; a damaged file is no error.
    func structureProblems(limit: Int) throws(StoreError) -> [String]
    /// Rows that refer to rows that are not there.
    func brokenReferences(limit: Int) throws(StoreError) -> [BrokenReference]
    /// What is wrong with an index of words; nil for nothing. Call it in a transaction that is rolled back.
    func problem(with index: SearchIndex) throws(StoreError) -> String?
}

/// A copy that is wanted.
package struct CopyRequest: Sendable {
    /// The absolute path of the file.
    package var path: String
    /// Whether a file that is there is replaced.
    package var replaces: Bool
    /// The permissions of the file.
    package var permissions: UInt16

    package init(path: String, replaces: Bool, permissions: UInt16) {
        self.path = path
        self.replaces = replaces
        self.permissions = permissions
    }
}

/// How much of a copy is done, in pages.
package struct CopyProgress: Sendable, Hashable {
    package let done: Int
    package let total: Int

    package init(done: Int, total: Int) {
        self.done = done
        self.total = total
    }
}

/// What a checkpoint has done, in pages of the log.
package struct CheckpointOutcome: Sendable, Hashable {
    /// How many the log had.
    package let logged: Int
    /// How many of these stand in the file now.
    package let moved: Int
    /// Whether all do and the log is empty.
    package let isComplete: Bool

    package init(logged: Int, moved: Int, isComplete: Bool) {
        self.logged = logged
        self.moved = moved
        self.isComplete = isComplete
    }
}

/// What a file says of itself.
package struct FileFacts: Sendable, Hashable {
    /// Bytes of the file, and of the log beside it; 0 where there is none.
    package var fileSize = 0
    package var logSize = 0
    package var pageSize = 0
    package var pageCount = 0
    package var freePageCount = 0
    /// Nil for a database in memory.
    package var journal: JournalMode?
    package var autoVacuum = AutoVacuum.none

    package init() {}
}

/// A table of the file.
package struct StoredTable: Sendable, Hashable {
    /// Who has made it.
    package enum Kind: Sendable, Hashable {
        /// A table with rows of its own.
        case ordinary
        /// One that a module keeps, of which only the module knows how: an index of words, for one.
        case virtual
        /// A table that belongs to a virtual one.
        case shadow
    }

    package let name: String
    package let kind: Kind
    /// The text that made it.
    package let text: String

    package init(name: String, kind: Kind, text: String) {
        self.name = name
        self.kind = kind
        self.text = text
    }
}

/// The bytes of a table.
package struct TableSize: Sendable, Hashable {
    /// Of its rows.
    package var rows = 0
    /// Of its indexes.
    package var indexes = 0

    package init() {}
}

/// A row that refers to one that is not there.
package struct BrokenReference: Sendable, Hashable {
    package let table: String
    /// Nil where the table's rows have no ids.
    package let rowID: Int64?
    package let column: String?
    package let target: String

    package init(table: String, rowID: Int64?, column: String?, target: String) {
        self.table = table
        self.rowID = rowID
        self.column = column
        self.target = target
    }
}
