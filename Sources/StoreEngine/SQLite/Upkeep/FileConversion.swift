internal import CSQLite

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Replaces a database by a copy in another form, encrypted or plain.
///
/// The file is locked from before the copy until after the exchange. The exchange is one rename, so that at every
/// moment the path has a complete file in one form or the other.
struct FileConversion {
    private let path: String
    private let options: ConnectionOptions
    private let form: FileForm

    init(_ location: StoreLocation, _ options: ConnectionOptions, to form: FileForm) throws(StoreError) {
        guard case .file(let path) = location else {
            throw StoreError(.misuse, "A store in memory cannot be encrypted, because it has no file")
        }
        var options = options
        options.file.form = options.file.form.convertible
        // The log is moved into the file and deleted.
        options.file.journal = .rollback
        self.path = DiskFile.withoutLinks(path)
        self.options = options
        self.form = form
    }

    func run() throws {
        let location = StoreLocation.file(path: path)
        guard let identity = location.fileIdentity else {
            throw StoreError(.cannotOpen, "Cannot open \(path): there is no such file")
        }
        guard OpenFiles.count(identity) == 0 else { throw inUse }
        let connection = try SQLiteConnection(location, options: options, expecting: identity)
        try lock(connection)
        let partial = "\(path).partial-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        defer { for end in ["", "-journal", "-wal", "-shm"] { unlink(partial + end) } }
        var status = stat()
        guard stat(path, &status) == 0 else { throw StoreLocation.moved(path) }
        try StoreLocation.file(path: partial).makeFile(UInt16(truncatingIfNeeded: status.st_mode & 0o777))
        try connection.copy(to: partial, in: form)
        try DiskFile.synchronize(partial)
        try exchange(partial)
        withExtendedLifetime(connection) {}
    }

    /// Locks the file until the connection is closed.
    private func lock(_ connection: SQLiteConnection) throws(StoreError) {
        do throws(StoreError) {
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            try connection.execute("BEGIN EXCLUSIVE")
            try connection.execute("COMMIT")
        } catch {
            throw error.code == .busy ? inUse : error
        }
        // Another process may have opened the file and its log before the lock.
        guard case .text("delete") = try connection.value("PRAGMA journal_mode") else { throw inUse }
    }

    private var inUse: StoreError {
        StoreError(
            .busy,
            "\(path) is in use by a session or another program, so it cannot be replaced. Nothing was changed. End all "
                + "sessions, close other programs, and try again")
    }

    private func exchange(_ partial: String) throws(StoreError) {
        let old = open(path, O_WRONLY | O_CLOEXEC)
        defer { if old >= 0 { _ = DiskFile.close(old) } }
        try DiskFile.move(partial, to: path)
        // Bytes of a plain file would stay on the disk.
        if form.isEncrypted { DiskFile.overwrite(old) }
    }
}

extension SQLiteConnection {
    /// Writes a copy of the database in another form into an empty file. The connection is `convertible` or encrypted.
    func copy(to path: String, in form: FileForm) throws(StoreError) {
        guard let name = SQLLiteral(.text(path)) else {
            throw StoreError(.cannotOpen, "The path of the copy contains a NUL")
        }
        if form.isEncrypted, try integer("PRAGMA page_size") < SealedPage.minimumSize {
            try execute("PRAGMA page_size = \(number: SealedPage.minimumSize)")
        }
        // VACUUM attaches the copy.
        let attached = sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1)
        defer { sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, attached) }
        try SealedFile.creating(form, with: handle) { () throws(StoreError) in
            do throws(StoreError) {
                try execute("VACUUM INTO \(literal: name)")
            } catch {
                // The file is empty. SQLite gives this message also if it cannot read the size of the file.
                guard error.resultCode == SQLITE_ERROR, error.message.hasPrefix("output file already exists") else {
                    throw error
                }
                throw StoreError(.inputOutput, "The size of the copy \(path) cannot be read. Nothing was changed")
            }
        }
    }
}
