internal import CSQLite

extension SQLiteConnection {
    /// "POBJ": identifies the library's files, so that another program's files are not mistaken for them.
    package static let applicationID: Int64 = 0x504F_424A
    /// The version of the file format that this code writes, and the newest that it reads.
    package static let formatVersion: Int64 = 2

    /// Disables the features that a hostile file or statement could use (security.html in SQLite's documentation).
    func harden(_ options: ConnectionOptions) throws(StoreError) {
        interruption.waitForOthers(options.busyTimeout)
        let flags: [(Int32, Int32)] = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1),
            (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            // A misspelled column in double quotes would be interpreted as a string.
            (SQLITE_DBCONFIG_DQS_DML, 0),
            (SQLITE_DBCONFIG_DQS_DDL, 0),
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
            (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
        ]
        for (option, isOn) in flags {
            let code = po_sqlite3_db_config_flag(handle, option, isOn)
            guard code == SQLITE_OK else { throw .engine(code, message: "SQLite does not accept option \(option)") }
        }
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        try execute("PRAGMA cell_size_check = ON")
        try execute("PRAGMA mmap_size = 0")
        // Delete rules are triggers, too, and a chain of objects is deleted as a whole.
        try execute("PRAGMA recursive_triggers = ON")
        try apply(options.file)
    }

    /// Identifies the file and initializes a new one as a store.
    func becomeStore(_ options: ConnectionOptions) throws(StoreError) {
        let end = ContinuousClock.now + .milliseconds(options.busyTimeout)
        limits.waitEnd = end
        defer { limits.waitEnd = nil }
        while true {
            do throws(StoreError) {
                try identify(options)
                return try setJournal(options)
            } catch {
                // SQLite does not wait when the journal mode changes, as it does when the first connection opens a
                // file.
                guard error.code == .busy, ContinuousClock.now < end else { throw error }
                sqlite3_sleep(1)
            }
        }
    }

    /// Reads the schema, so that a damaged file is detected now, and identifies the file's owner.
    private func identify(_ options: ConnectionOptions) throws(StoreError) {
        guard case .integer(let count) = try value("SELECT count(*) FROM sqlite_schema") else { return }
        guard case .integer(let owner) = try value("PRAGMA application_id"),
            case .integer(let version) = try value("PRAGMA user_version")
        else { return }
        let isOurs = owner == SQLiteConnection.applicationID
        guard owner == 0 || isOurs || options.file.isReadOnly || owner == options.file.applicationID else {
            throw StoreError(
                .foreignFile,
                "The file belongs to another program (application id \(owner)). It was not changed. To write it "
                    + "anyway, set applicationID: \(owner) in the store's configuration; to read it, set isReadOnly: "
                    + "true")
        }
        try checkEncoding()
        // A store without a version was being created when something failed.
        if version == 0 && count == 0 && (owner == 0 || isOurs) { return try markAsOurs(options) }
        if count > 0 { try checkTableNames() }
        // The version of another program's file belongs to that program.
        guard isOurs else { return }
        guard version <= SQLiteConnection.formatVersion else {
            let known = SQLiteConnection.formatVersion
            throw StoreError(
                .foreignFile,
                "The file has format \(version), and this version reads formats up to \(known). Use a "
                    + "newer version")
        }
        try checkFeatures()
    }

    /// In UTF-16 strings sort differently, and prefixes of strings are not found.
    private func checkEncoding() throws(StoreError) {
        guard case .text(let encoding) = try value("PRAGMA encoding"), encoding != "UTF-8" else { return }
        throw StoreError(
            .foreignFile,
            "The file's strings are encoded in \(encoding), and a store requires UTF-8. Copy it with: sqlite3 "
                + "old.sqlite .dump | sqlite3 new.sqlite")
    }

    private func checkTableNames() throws(StoreError) {
        guard case .text(let name) = try value(BuiltInTables.inTheWay) else { return }
        throw StoreError(
            .foreignFile,
            "The table \"\(name)\" hides a function of SQLite that the store needs. Rename it with: ALTER TABLE "
                + "\"\(name)\" RENAME TO …")
    }

    private func markAsOurs(_ options: ConnectionOptions) throws(StoreError) {
        guard !options.file.isReadOnly, sqlite3_db_readonly(handle, "main") == 0 else { return }
        try applyToNewFile(options.file)
        // Both are set in one transaction, because without a version the purpose of the file would be unknown.
        try begin()
        do throws(StoreError) {
            try execute("PRAGMA application_id = \(number: Int(SQLiteConnection.applicationID))")
            try execute("PRAGMA user_version = \(number: Int(SQLiteConnection.formatVersion))")
            try commit()
        } catch {
            rollback()
            throw error
        }
    }

    private func setJournal(_ options: ConnectionOptions) throws(StoreError) {
        guard !options.file.isReadOnly else { return }
        guard sqlite3_db_readonly(handle, "main") == 0 else {
            throw StoreError(.readOnly, "The file or its folder cannot be written")
        }
        guard writeRefusal == nil else { return try execute("PRAGMA query_only = ON") }
        switch location {
        case .file: try setJournal(options.file.journal)
        case .memory, .server:
            try execute("PRAGMA journal_mode = MEMORY")
        }
        try setSynchronisation(options)
        try checkWritable(options)
    }

    /// A commit with a rollback journal is the deletion of the journal: with FULL, the deletion may not be on the disk
    /// yet at a power failure, and the next connection to open the file reverts the commit. With NORMAL the journal
    /// refers to pages that are not on the disk yet, and a power failure can damage the file; with a log it cannot.
    private func setSynchronisation(_ options: ConnectionOptions) throws(StoreError) {
        switch (options.file.journal, options.isFullyDurable) {
        case (.rollback, true): try execute("PRAGMA synchronous = EXTRA")
        case (.rollback, false), (.wal, true): try execute("PRAGMA synchronous = FULL")
        case (.wal, false): try execute("PRAGMA synchronous = NORMAL")
        }
    }

    /// A file that SQLite opens as read-only because it may not write is detected now, not at the first save.
    private func checkWritable(_ options: ConnectionOptions) throws(StoreError) {
        // If another connection is writing, the file is writable, and a reader need not wait.
        interruption.busyTimeout = 0
        let end = limits.waitEnd
        limits.waitEnd = nil
        defer { (interruption.busyTimeout, limits.waitEnd) = (options.busyTimeout, end) }
        do throws(StoreError) { try begin() } catch { guard error.code == .busy else { throw error } }
        rollback()
    }
}
