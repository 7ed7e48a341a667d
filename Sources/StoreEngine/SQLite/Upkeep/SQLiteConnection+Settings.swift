internal import CSQLite

// The file settings of a configuration.
extension SQLiteConnection {
    /// Rejects impossible settings.
    static func check(_ settings: FileSettings, of location: StoreLocation) throws(StoreError) {
        if let size = settings.pageSize, !(512...65536).contains(size) || size.nonzeroBitCount != 1 {
            throw StoreError(
                .misuse, "The page size \(size) is not valid. Use a power of two from 512 to 65536")
        }
        guard settings.cacheSize >= 0 else {
            throw StoreError(.misuse, "The cache size \(settings.cacheSize) is negative. Use 0 or more bytes")
        }
        let limits = settings.limits
        for (name, value) in [
            ("valueBytes", limits.valueBytes), ("sqlBytes", limits.sqlBytes),
            ("expressionDepth", limits.expressionDepth), ("triggerDepth", limits.triggerDepth),
        ] {
            if let value, value < 1 { throw StoreError(.misuse, "The limit \(name) is \(value). Use 1 or more") }
        }
        if case .memory = location, settings.isReadOnly {
            throw StoreError(.misuse, "A store in memory is empty at first, so it cannot be read-only")
        }
    }

    /// Applies the settings of this connection.
    func apply(_ settings: FileSettings) throws(StoreError) {
        // Kibibytes, as a negative number; 0 would mean SQLite's default.
        let cache = min(max(1, settings.cacheSize / 1024), Int(Int32.max))
        try execute("PRAGMA cache_size = \(number: -cache)")
        let limits = settings.limits
        for (limit, value) in [
            (SQLITE_LIMIT_LENGTH, limits.valueBytes), (SQLITE_LIMIT_SQL_LENGTH, limits.sqlBytes),
            (SQLITE_LIMIT_EXPR_DEPTH, limits.expressionDepth), (SQLITE_LIMIT_TRIGGER_DEPTH, limits.triggerDepth),
        ] {
            if let value { sqlite3_limit(handle, limit, Int32(clamping: value)) }
        }
    }

    /// Applies the settings that a file must have from its first page on.
    func applyToNewFile(_ settings: FileSettings) throws(StoreError) {
        if let size = try SQLiteConnection.pageSize(settings) { try execute("PRAGMA page_size = \(number: size)") }
        // It takes effect, because the file has no table yet.
        if settings.autoVacuum != .none { try setAutoVacuum(settings.autoVacuum) }
    }

    /// Sets the handling of free pages: for a file with pages, from the next vacuum on.
    func setAutoVacuum(_ autoVacuum: AutoVacuum) throws(StoreError) {
        switch autoVacuum {
        case .none: try execute("PRAGMA auto_vacuum = 0")
        case .full: try execute("PRAGMA auto_vacuum = 1")
        case .incremental: try execute("PRAGMA auto_vacuum = 2")
        }
    }

    /// The handling of free pages.
    func autoVacuum() throws(StoreError) -> AutoVacuum {
        switch try integer("PRAGMA auto_vacuum") {
        case 1: .full
        case 2: .incremental
        default: .none
        }
    }

    /// Sets the journal mode, whatever the file had before.
    func setJournal(_ journal: JournalMode) throws(StoreError) {
        switch journal {
        case .wal:
            guard case .text("wal") = try value("PRAGMA journal_mode = WAL") else {
                throw StoreError(.cannotOpen, "The file system does not allow a write-ahead log next to the file")
            }
            usesLog = true
            if let fileIdentity { ExitCheckpoint.recordOpening(fileIdentity, location, options.file.form) }
        case .rollback:
            do throws(StoreError) { try execute("PRAGMA journal_mode = DELETE") } catch {
                guard error.code == .busy else { throw error }
                var error = error
                error.message +=
                    ". The file has a write-ahead log, which is removed only when every other connection to "
                    + "the file is closed"
                throw error
            }
        }
    }

    /// The error of every write to a store that the user has opened as read-only.
    static let readOnlyByChoice = StoreError(
        .readOnly,
        "The store is read-only according to its configuration. Open it without isReadOnly to save, delete or "
            + "create tables")

    /// Adds advice to SQLite's message about a file that cannot be opened as read-only.
    static func advisedForReading(_ error: StoreError) -> StoreError {
        guard error.code == .cannotOpen || error.code == .readOnly else { return error }
        var error = error
        error.message +=
            ". A read-only store creates no files, so it can read a file with a write-ahead log (journal .wal) "
            + "only where the log's files exist or can be created. A backup, or a file with journal .rollback, can "
            + "be read anywhere"
        return error
    }
}
