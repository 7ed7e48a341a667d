internal import CSQLite

extension SQLiteConnection {
    /// Rejects a file that is not in the expected form, before anything is written.
    ///
    /// - Returns: Whether the file must be opened again, after `restore`.
    static func checkForm(
        _ handle: OpaquePointer, path: String, size: Int, _ options: ConnectionOptions
    ) throws(StoreError) -> Bool {
        let header = FileHeader(handle, path: path)
        let problem = options.file.form.isEncrypted ? SealedFile.problem(handle) : nil
        switch problem {
        case nil: break
        case .error(let error): throw error
        case .plain:
            try header?.check(size: size)
            // A power failure can tear the page so that nothing shows its form. SQLite restores it from the log.
            guard try header?.isDatabase() == false else { throw SealedFile.notEncrypted }
            return !options.file.isReadOnly
        case .changed:
            // A power failure can tear the page. A connection that only reads finds it in the log.
            guard header?.hasLog == true && options.file.isReadOnly else { return true }
            return false
        case .unverified: return true
        }
        try header?.check(size: size)
        return false
    }

    /// Lets SQLite restore the pages of an interrupted write, if there is a log or a journal.
    static func restore(_ handle: OpaquePointer, path: String, _ options: ConnectionOptions) {
        guard FileHeader(handle, path: path)?.hasLog == true else { return }
        sqlite3_busy_timeout(handle, options.busyTimeout)
        sqlite3_exec(handle, "PRAGMA schema_version", nil, nil, nil)
        sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }

    /// Rejects settings that an encrypted file cannot have.
    static func checkForm(_ settings: FileSettings, of location: StoreLocation) throws(StoreError) {
        guard settings.form.isEncrypted else { return }
        if case .memory = location {
            throw StoreError(
                .misuse,
                "A store in memory cannot be encrypted, because it has no file. Remove encryption from the "
                    + "configuration, or open a file")
        }
    }

    /// The page size of a new file; nil for SQLite's default.
    static func pageSize(_ settings: FileSettings) throws(StoreError) -> Int? {
        guard settings.form.isEncrypted, let size = settings.pageSize, size < SealedPage.minimumSize else {
            return settings.pageSize
        }
        throw StoreError(
            .misuse, "The page size \(size) is too small for an encrypted file. Use \(SealedPage.minimumSize) or more")
    }
}

/// The pages of encrypted files.
enum SealedPage {
    static let minimumSize = 4096
}
