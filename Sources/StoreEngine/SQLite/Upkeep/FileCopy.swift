internal import CSQLite

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A copy of a database in progress, in a temporary file that replaces its destination in one step.
final class FileCopy {
    private let request: CopyRequest
    private let source: SQLiteConnection
    /// The form of the copy.
    private let form: FileForm
    /// The file that is being written.
    private let partial: String
    private var handle: OpaquePointer?

    /// The bytes that a step copies. A step takes milliseconds, so the cost of the progress call is negligible.
    private static let bytesPerStep: Int32 = 1 << 20

    /// Creates the file, after checking that the copy may replace the destination.
    init(_ request: CopyRequest, of connection: SQLiteConnection) throws(StoreError) {
        var request = request
        request.path = DiskFile.withoutLinks(request.path)
        self.request = request
        source = connection
        form = request.form ?? connection.options.file.form
        partial = "\(request.path).partial-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        try checkPlace()
        // An existing file is locked for a moment now, to check early that it can be replaced.
        if StoreLocation.file(path: request.path).fileIdentity != nil { try replacedFile().close() }
        let location = StoreLocation.file(path: partial)
        try location.makeFile(request.permissions)
        do throws(StoreError) { try openPartial() } catch {
            discard()
            throw error
        }
    }

    private func openPartial() throws(StoreError) {
        let code = SealedFile.open(partial, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, form)
        guard code == SQLITE_OK else { throw failure(code) }
        // Only the complete file is synchronized, because no other program uses it, and a crash makes it useless.
        for pragma in ["locking_mode = EXCLUSIVE", "journal_mode = OFF", "synchronous = OFF"] {
            try run("PRAGMA \(pragma)")
        }
    }

    private func replacedFile() throws(StoreError) -> ReplacedFile {
        try ReplacedFile(request.path, forms: [form, source.options.file.form, .plain])
    }

    /// Checks that the copy would not overwrite a protected file.
    private func checkPlace() throws(StoreError) {
        let (path, location) = (request.path, StoreLocation.file(path: request.path))
        _ = try location.checkBeforeOpening(expecting: nil, allowsLinks: true)
        guard let there = location.fileIdentity else {
            for end in ["-wal", "-journal"] where StoreLocation.file(path: path + end).fileIdentity != nil {
                throw StoreError(
                    .misuse,
                    "\(path + end) belongs to another database and would be read as part of the copy. Delete it, "
                        + "or choose another path")
            }
            return
        }
        guard there != source.fileIdentity else {
            throw StoreError(.misuse, "\(path) is the store's own file. Choose another path for the copy")
        }
        guard request.replaces else {
            throw StoreError(
                .misuse, "\(path) already exists. Choose another path, or pass replacing: true to replace it")
        }
    }

    /// Copies the rows into a file of another form. SQLite cannot copy pages between the forms, because encrypted pages
    /// have less space.
    func convert(_ progress: (CopyProgress) throws -> Void) throws {
        guard case .file = source.location else {
            throw StoreError(
                .misuse,
                "A store in memory can be copied only into a file that is not encrypted. Copy it into a store whose "
                    + "configuration has encryption")
        }
        var options = source.options
        options.file.form = options.file.form.convertible
        let connection = try SQLiteConnection(source.location, options: options, expecting: source.fileIdentity)
        close()
        try connection.copy(to: partial, in: form)
        try openPartial()
        let total = Int(try connection.integer("PRAGMA page_count"))
        try progress(CopyProgress(done: total, total: total))
    }

    /// Whether the copy has another form than the database, so that `convert` makes it instead of `fill`.
    var isConverting: Bool { form.isEncrypted != source.options.file.form.isEncrypted }

    /// Copies all pages; call it in a reading transaction of the source.
    ///
    /// Without the transaction, SQLite would restart the copy after every commit.
    func fill(from source: OpaquePointer, _ progress: (CopyProgress) throws -> Void) throws {
        guard let backup = sqlite3_backup_init(handle, "main", source, "main") else {
            throw failure(sqlite3_extended_errcode(handle))
        }
        var isOpen = true
        defer { if isOpen { sqlite3_backup_finish(backup) } }
        // The page size is known after the first page.
        var pages: Int32 = 1
        while true {
            let code = sqlite3_backup_step(backup, pages)
            guard code == SQLITE_OK || code == SQLITE_DONE else { throw failure(code) }
            let total = Int(sqlite3_backup_pagecount(backup))
            try progress(CopyProgress(done: total - Int(sqlite3_backup_remaining(backup)), total: total))
            if code == SQLITE_DONE { break }
            pages = max(1, FileCopy.bytesPerStep / pageSize)
        }
        isOpen = false
        let code = sqlite3_backup_finish(backup)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private var pageSize: Int32 {
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        var header = [UInt8](repeating: 0, count: 18)
        guard let file, file.pointee.pMethods != nil,
            file.pointee.pMethods.pointee.xRead(file, &header, 18, 0) == SQLITE_OK
        else { return 4096 }
        let stored = Int32(header[16]) << 8 | Int32(header[17])
        return stored == 1 ? 65536 : max(512, stored)
    }

    /// Synchronizes the copy to the disk and moves it to its destination.
    func takePlace() throws(StoreError) {
        // The pages state that there is a log next to them. Without that, the copy can be read from read-only
        // locations.
        try run("PRAGMA journal_mode = DELETE")
        close()
        try DiskFile.synchronize(partial)
        var replaced: ReplacedFile?
        if StoreLocation.file(path: request.path).fileIdentity != nil {
            try checkPlace()
            let file = try replacedFile()
            try file.leaveLog()
            replaced = file
        }
        // The replaced file stays locked until the rename, so that no process can open it before.
        defer { replaced?.close() }
        try DiskFile.move(partial, to: request.path)
    }

    /// Deletes an incomplete copy; does nothing once the copy is at its destination.
    func discard() {
        close()
        for end in ["", "-journal", "-wal", "-shm"] { unlink(partial + end) }
    }

    private func close() {
        sqlite3_close_v2(handle)
        handle = nil
    }

    private func run(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> StoreError {
        let reason = StoreError.lastSystemError
        let message = String(cString: sqlite3_errstr(code))
        let error = StoreError.engine(
            code, message: "The copy \(request.path) cannot be made: \(message)", systemError: reason)
        guard error.code == .diskFull else { return error }
        return StoreError(
            .diskFull,
            "There is no disk space for the copy \(request.path). The incomplete copy was deleted. Free some disk "
                + "space and try again",
            resultCode: code)
    }
}

/// A database that a copy replaces, locked so that no other connection has it open.
private final class ReplacedFile {
    private let path: String
    private var handle: OpaquePointer?

    /// - Throws: `StoreError` if another connection has it open, or if it is not a database.
    init(_ path: String, forms: [FileForm]) throws(StoreError) {
        self.path = path
        do throws(StoreError) {
            try open(forms)
            // While any connection has a file with a log open, the exclusive lock of the file cannot be acquired.
            try run("PRAGMA locking_mode = EXCLUSIVE")
            try run("BEGIN EXCLUSIVE")
            try run("ROLLBACK")
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    /// Opens the file in the first form that fits it.
    private func open(_ forms: [FileForm]) throws(StoreError) {
        for form in forms {
            let code = SealedFile.open(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, form)
            guard code == SQLITE_OK, let handle else { throw failure(code) }
            guard form.isEncrypted else { break }
            guard SealedFile.problem(handle) != nil else { return }
            close()
        }
        guard let handle, try FileHeader(handle, path: path)?.isEncrypted() == true else { return }
        throw StoreError(
            .wrongKey,
            "\(path) is encrypted with another key, so a copy does not replace it. Delete it, or choose another path")
    }

    /// Deletes its log, which would be read as part of the copy.
    func leaveLog() throws(StoreError) { try run("PRAGMA journal_mode = DELETE") }

    func close() {
        sqlite3_close_v2(handle)
        handle = nil
    }

    private func run(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> StoreError {
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED:
            StoreError(
                .busy,
                "\(path) is in use by a store or another program, so a copy cannot replace it. Close it first, or "
                    + "choose another path", resultCode: code)
        case SQLITE_NOTADB:
            StoreError(
                .notADatabase, "\(path) is not an SQLite database, so a copy does not replace it. Choose another path",
                resultCode: code)
        default:
            .engine(code, message: "\(path) cannot be replaced: \(String(cString: sqlite3_errstr(code)))")
        }
    }
}
