/// The maintenance of a database: copies, checks, sizes. See `Capabilities.upkeep`.
///
/// It works on the connection that provided it. Do not use that connection for anything else meanwhile.
package protocol Upkeep {
    // MARK: Copies and space

    /// Copies the database's current state into a file while other sessions write. The file exists only once the copy
    /// is complete.
    ///
    /// - Parameter progress: Called after each part; an error that it throws ends the copy.
    func copy(_ request: CopyRequest, progress: (CopyProgress) throws -> Void) throws
    /// Moves the contents of the log into the file, and empties the log.
    ///
    /// - Parameter isWaiting: Whether it waits for readers and writers up to the busy timeout.
    func checkpoint(isWaiting: Bool) throws(StoreError) -> CheckpointOutcome
    /// Rewrites the database without free pages; from then on free pages are handled according to `autoVacuum`.
    func vacuum(_ autoVacuum: AutoVacuum) throws(StoreError)
    /// Removes free pages from the end of the file, and returns their number. 0 if auto-vacuum is not `incremental`.
    func releaseFreePages(atMost limit: Int) throws(StoreError) -> Int
    /// Whether a page of the encrypted file, or of its log, uses a key.
    func usesKey(_ number: UInt32) throws(StoreError) -> Bool

    // MARK: Contents

    /// The file's own description.
    func facts() throws(StoreError) -> FileFacts
    /// All tables with rows by name, including those of search indexes.
    func tables() throws(StoreError) -> [StoredTable]
    /// The sizes of each table and its indexes in bytes; nil if the engine cannot provide them.
    func tableSizes() throws(StoreError) -> [String: TableSize]?
    /// The greatest id that rows of a table have had, if the engine stores it; otherwise nil.
    func greatestID(of table: String) throws(StoreError) -> Int64?

    // MARK: Problems

    /// The engine's messages about the structure of the file; a damaged file does not throw.
    func structureProblems(limit: Int) throws(StoreError) -> [String]
    /// Rows with dangling references.
    func brokenReferences(limit: Int) throws(StoreError) -> [BrokenReference]
    /// The problem with a search index; nil for none. Call it in a transaction that is rolled back.
    func problem(with index: SearchIndex) throws(StoreError) -> String?
}

/// A request for a copy.
package struct CopyRequest: Sendable {
    /// The absolute path of the file.
    package var path: String
    /// Whether an existing file is replaced.
    package var replaces: Bool
    /// The permissions of the file.
    package var permissions: UInt16
    /// The form of the file; nil for the form of the store's file.
    package var form: FileForm?

    package init(path: String, replaces: Bool, permissions: UInt16, form: FileForm? = nil) {
        self.path = path
        self.replaces = replaces
        self.permissions = permissions
        self.form = form
    }
}

/// The progress of a copy, in pages.
package struct CopyProgress: Sendable, Hashable {
    package let done: Int
    package let total: Int

    package init(done: Int, total: Int) {
        self.done = done
        self.total = total
    }
}

/// The result of a checkpoint, in pages of the log.
package struct CheckpointOutcome: Sendable, Hashable {
    /// The number of pages in the log.
    package let logged: Int
    /// The number of logged pages that are now in the file.
    package let moved: Int
    /// Whether all are in the file and the log is empty.
    package let isComplete: Bool

    package init(logged: Int, moved: Int, isComplete: Bool) {
        self.logged = logged
        self.moved = moved
        self.isComplete = isComplete
    }
}

/// A file's own description.
package struct FileFacts: Sendable, Hashable {
    /// The sizes in bytes of the file and of the log next to it; 0 if there is none.
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
    /// The kind of table.
    package enum Kind: Sendable, Hashable {
        /// A table with its own rows.
        case ordinary
        /// A table maintained by a module, such as a search index, in a way that only the module knows.
        case virtual
        /// A table that belongs to a virtual table.
        case shadow
    }

    package let name: String
    package let kind: Kind
    /// The SQL that created it.
    package let text: String

    package init(name: String, kind: Kind, text: String) {
        self.name = name
        self.kind = kind
        self.text = text
    }
}

/// The sizes of a table in bytes.
package struct TableSize: Sendable, Hashable {
    /// The size of its rows.
    package var rows = 0
    /// The size of its indexes.
    package var indexes = 0

    package init() {}
}

/// A row with a dangling reference.
package struct BrokenReference: Sendable, Hashable {
    package let table: String
    /// Nil if the table's rows have no ids.
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
