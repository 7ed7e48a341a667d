/// How a store's file keeps what a commit writes until it stands in the file itself.
public enum JournalMode: String, Sendable, Hashable {
    /// A write-ahead log beside the file: who reads and who writes do not wait for each other.
    case wal
    /// What a commit overwrites is kept in a file beside the store's, and deleted at its end: while somebody reads
    /// nobody can commit. For file systems without shared memory, and for files that others read where nothing can be
    /// written.
    case rollback
}

/// What becomes of the pages of a file that have become free.
public enum AutoVacuum: String, Sendable, Hashable {
    /// They stay in the file and are used again; `vacuum()` takes them away.
    case none
    /// Each commit takes them away.
    case full
    /// They stay until `releaseFreePages(atMost:)` takes them away.
    case incremental
}

/// How large what a store reads and writes may be; nil is what SQLite was built with, which none of these exceeds.
public struct StoreLimits: Sendable, Hashable {
    /// The bytes of a text, a blob, or a whole row; SQLite's own limit is 1,000,000,000 as a rule.
    public var valueBytes: Int?
    /// The bytes of a statement; 1,000,000 as a rule. The library's own statements have some ten thousand.
    public var sqlBytes: Int?
    /// How deep the conditions of a statement may be nested; 1,000 as a rule.
    public var expressionDepth: Int?
    /// How many triggers may run each other; 1,000 as a rule.
    public var triggerDepth: Int?

    /// Limits; what is left out is as SQLite has it.
    public init(
        valueBytes: Int? = nil, sqlBytes: Int? = nil, expressionDepth: Int? = nil, triggerDepth: Int? = nil
    ) {
        self.valueBytes = valueBytes
        self.sqlBytes = sqlBytes
        self.expressionDepth = expressionDepth
        self.triggerDepth = triggerDepth
    }
}

/// What a connection does with its file.
package struct FileSettings: Sendable, Equatable {
    /// How many bytes of the file a connection keeps in memory at most.
    package var cacheSize: Int
    /// The bytes of a page, where the file is made.
    package var pageSize: Int?
    /// How commits are kept.
    package var journal: JournalMode
    /// What becomes of free pages, where the file is made, and at a vacuum.
    package var autoVacuum: AutoVacuum
    /// Whether nothing is to be written, and no file made.
    package var isReadOnly: Bool
    /// How large values and statements may be.
    package var limits: StoreLimits
    /// By which application id another program's file is known that may be written; nil for none.
    package var applicationID: Int64?

    /// The cache that halves random reads; used only as far as pages are read.
    package static let standardCacheSize = 64_000 * 1024

    /// Settings; what is not said is as for a store that is told nothing.
    package init(
        cacheSize: Int = standardCacheSize, pageSize: Int? = nil, journal: JournalMode = .wal,
        autoVacuum: AutoVacuum = .none, isReadOnly: Bool = false, limits: StoreLimits = StoreLimits(),
        applicationID: Int64? = nil
    ) {
        self.cacheSize = cacheSize
        self.pageSize = pageSize
        self.journal = journal
        self.autoVacuum = autoVacuum
        self.isReadOnly = isReadOnly
        self.limits = limits
        self.applicationID = applicationID
    }
}
