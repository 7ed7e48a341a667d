/// How a store's file keeps the writes of a commit until they are in the file itself.
public enum JournalMode: String, Sendable, Hashable {
    /// A write-ahead log next to the file: readers and writers do not wait for each other.
    case wal
    /// A rollback journal next to the file, deleted at the end of each commit.
    ///
    /// The journal keeps the overwritten contents, and a commit waits for all readers. Use it for file systems without
    /// shared memory, and for files that other programs read from read-only locations.
    case rollback
}

/// How the free pages of a file are handled.
public enum AutoVacuum: String, Sendable, Hashable {
    /// Free pages stay in the file and are reused; `vacuum()` removes them.
    case none
    /// Each commit removes free pages.
    case full
    /// Free pages stay in the file until `releaseFreePages(atMost:)` removes them.
    case incremental
}

/// Limits on the sizes that a store reads and writes; nil is the limit of the SQLite build.
///
/// No limit can exceed the limit of the SQLite build.
public struct StoreLimits: Sendable, Hashable {
    /// The bytes of a string, a blob, or a whole row; usually 1,000,000,000 in SQLite.
    public var valueBytes: Int?
    /// The bytes of a statement; usually 1,000,000.
    ///
    /// The library's own statements have some ten thousand bytes.
    public var sqlBytes: Int?
    /// The nesting depth of a statement's conditions; usually 1,000.
    public var expressionDepth: Int?
    /// The nesting depth of triggers; usually 1,000.
    public var triggerDepth: Int?

    /// Creates limits; an omitted limit is the limit of the SQLite build.
    public init(
        valueBytes: Int? = nil, sqlBytes: Int? = nil, expressionDepth: Int? = nil, triggerDepth: Int? = nil
    ) {
        self.valueBytes = valueBytes
        self.sqlBytes = sqlBytes
        self.expressionDepth = expressionDepth
        self.triggerDepth = triggerDepth
    }
}

/// A connection's settings for its file.
package struct FileSettings: Sendable, Equatable {
    /// The maximum number of bytes of the file that a connection keeps in memory.
    package var cacheSize: Int
    /// The page size in bytes of a newly created file.
    package var pageSize: Int?
    /// The journal mode.
    package var journal: JournalMode
    /// The handling of free pages in a newly created file, and at a vacuum.
    package var autoVacuum: AutoVacuum
    /// Whether the file is neither written nor created.
    package var isReadOnly: Bool
    /// The size limits of values and statements.
    package var limits: StoreLimits
    /// The application id of another program's files that may be written; nil for none.
    package var applicationID: Int64?
    /// Whether the file is encrypted, and the keys.
    package var form: FileForm

    /// A cache size that halves random reads; memory is used only for pages that are read.
    package static let standardCacheSize = 64_000 * 1024

    /// Creates settings; the defaults are those of a store without a configuration.
    package init(
        cacheSize: Int = standardCacheSize, pageSize: Int? = nil, journal: JournalMode = .wal,
        autoVacuum: AutoVacuum = .none, isReadOnly: Bool = false, limits: StoreLimits = StoreLimits(),
        applicationID: Int64? = nil, form: FileForm = .plain
    ) {
        self.cacheSize = cacheSize
        self.pageSize = pageSize
        self.journal = journal
        self.autoVacuum = autoVacuum
        self.isReadOnly = isReadOnly
        self.limits = limits
        self.applicationID = applicationID
        self.form = form
    }
}
