internal import CSQLite

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Where a database is.
package enum StoreLocation: Sendable, Equatable {
    /// A file.
    case file(path: String)
    /// Memory, shared by the connections of this process that use the same name.
    case memory(name: String)

    /// What SQLite is told to open.
    var sqliteName: String {
        switch self {
        case .file(let path): path
        // A name that begins with a slash is shared (memdb.c).
        case .memory(let name): "/\(name)"
        }
    }

    var vfs: String? {
        switch self {
        case .file: nil
        case .memory: "memdb"
        }
    }

    /// The error with the file's name in it.
    func describing(_ error: StoreError) -> StoreError {
        guard case .file(let path) = self, !error.message.contains(path) else { return error }
        var error = error
        error.message = "cannot open \(path): \(error.message)"
        return error
    }

    /// Finds what SQLite would find later or not at all, and says it plainly.
    func checkBeforeOpening() throws(StoreError) {
        guard case .file(let path) = self else { return }
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw StoreError(.cannotOpen, "the path of the store is empty or has a NUL in it")
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            return try checkFolder(of: path, reason: errno)
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw StoreError(.cannotOpen, "cannot open \(path): it is a folder, give the path of a file in it")
        }
        let size = Int(status.st_size)
        guard size > 0 else { return }
        try checkHeader(of: path, size: size)
    }

    private func checkFolder(of path: String, reason: Int32) throws(StoreError) {
        guard reason == ENOENT else {
            throw StoreError(.cannotOpen, "cannot open \(path): \(String(cString: strerror(reason)))")
        }
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let folder = String(path[..<slash])
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw StoreError(.cannotOpen, "cannot open \(path): there is no folder \(folder); make it first")
        }
    }

    /// Compares the header with the size: SQLite opens a file that was cut short, and fails at some later page.
    private func checkHeader(of path: String, size: Int) throws(StoreError) {
        guard let file = fopen(path, "rb") else {
            throw StoreError(.cannotOpen, "cannot open \(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = fread(&header, 1, 100, file)
        let magic = Array("SQLite format 3\0".utf8)
        guard header[..<Swift.min(count, 16)].elementsEqual(magic[..<Swift.min(count, 16)]) else {
            throw StoreError(.notADatabase, "cannot open \(path): it is no SQLite database")
        }
        guard count == 100 else { throw cutShort(path) }
        func number(_ offset: Int) -> Int { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let stored = Int(header[16]) << 8 | Int(header[17])
        let pageSize = stored == 1 ? 65536 : stored
        // The page count is valid only where the change counter says so, and with a log beside the file the
        // pages that are missing may stand in it.
        guard number(24) == number(92), !hasLog(path), size < number(28) * pageSize else { return }
        throw cutShort(path)
    }

    private func hasLog(_ path: String) -> Bool {
        ["-wal", "-journal"].contains { suffix in
            var status = stat()
            return stat(path + suffix, &status) == 0 && status.st_size > 0
        }
    }

    private func cutShort(_ path: String) -> StoreError {
        StoreError(.corrupt, "cannot open \(path): the file is cut short; use a backup")
    }
}
