internal import CSQLite

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The first bytes of a database file, compared with its size, because SQLite opens a truncated file and fails at some
/// later page.
///
/// They are read through SQLite's own descriptor. Closing another descriptor of the file would release the locks that
/// the other connections of this process hold on it (a POSIX rule), and the next process to close the file would delete
/// their log.
struct FileHeader {
    private let file: UnsafeMutablePointer<sqlite3_file>
    private let path: String

    private static let size = 100
    private static let magic = Array("SQLite format 3\0".utf8)

    /// Nil for a connection without a file.
    init?(_ handle: OpaquePointer, path: String) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard let file, file.pointee.pMethods != nil else { return nil }
        self.file = file
        self.path = path
    }

    /// Throws if the file is not a database or is shorter than its header states; `size` is the size according to the
    /// file system.
    func check(size: Int) throws(StoreError) {
        let count = Swift.min(size, FileHeader.size)
        let header = try read()
        // SQLite would read the log of such a file.
        if SealedFile.isHeader(header) { throw SealedFile.isEncrypted }
        let magic = FileHeader.magic.prefix(count)
        let isDatabase = header.starts(with: magic)
        guard isDatabase && count == FileHeader.size else {
            // A power failure can leave arbitrary bytes where the first page was being written. Its old or new contents
            // are then in a file next to it, and SQLite restores them when it reads.
            guard !hasLog else { return }
            throw isDatabase ? FileHeader.cutShort : StoreError(.notADatabase, "The file is not an SQLite database")
        }
        // Another connection may be growing or shrinking the file at this moment; that is not damage, and is temporary.
        for _ in 0..<3 {
            guard try isCutShort() else { return }
        }
        throw FileHeader.cutShort
    }

    /// Whether changes are first written to a log next to the file, so that reading also creates files there.
    func usesLog() throws(StoreError) -> Bool { try read()[19] == 2 }

    /// Whether the file starts like a database.
    func isDatabase() throws(StoreError) -> Bool { try read().starts(with: FileHeader.magic) }

    /// Whether the file is encrypted; the connection must be plain.
    func isEncrypted() throws(StoreError) -> Bool { SealedFile.isHeader(try read()) }

    private func isCutShort() throws(StoreError) -> Bool {
        let header = try read()
        func number(_ offset: Int) -> Int { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let stored = Int(header[16]) << 8 | Int(header[17])
        let pageSize = stored == 1 ? 65536 : stored
        // The page count is valid only if the change counter confirms it, and with a log next to the file the missing
        // pages may be in the log. The log is looked up before the size is read, because it is deleted last.
        guard number(24) == number(92), !hasLog else { return false }
        var size: sqlite3_int64 = 0
        guard file.pointee.pMethods.pointee.xFileSize(file, &size) == SQLITE_OK else { return false }
        guard Int(size) < number(28) * pageSize else { return false }
        return header == (try read())
    }

    private func read() throws(StoreError) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: FileHeader.size)
        let code = file.pointee.pMethods.pointee.xRead(file, &header, Int32(FileHeader.size), 0)
        // A file that is too short leaves zeros.
        guard code == SQLITE_OK || code == ExtendedCode.inputOutputShortRead else {
            throw .engine(code, message: "The first bytes of the file cannot be read")
        }
        return header
    }

    /// Whether there is a log or a journal that is not empty.
    var hasLog: Bool {
        ["-wal", "-journal"].contains { suffix in
            var status = stat()
            return stat(path + suffix, &status) == 0 && status.st_size > 0
        }
    }

    private static let cutShort = StoreError(.corrupt, "The file is truncated. Use a backup")
}
