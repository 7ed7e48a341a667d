// Files: the location of a database, its settings, and its maintenance. It must not know statements.

internal import CSQLite

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The location of a database.
package enum StoreLocation: Sendable, Equatable {
    /// A file.
    case file(path: String)
    /// Memory, shared by the connections of this process with the same name.
    case memory(name: String)
    /// A server's database, by its address: `postgres://user@host/database`; nil for the server's default schema.
    case server(address: String, schema: String? = nil)

    /// The name that SQLite opens.
    var sqliteName: String {
        switch self {
        case .file(let path): path
        // A name that starts with a slash is shared (memdb.c).
        case .memory(let name): "/\(name)"
        case .server(let address, _): address
        }
    }

    var vfs: String? {
        switch self {
        case .file, .server: nil
        case .memory: "memdb"
        }
    }

    /// Adds the file's name to the error.
    func describing(_ error: StoreError) -> StoreError {
        guard case .file(let path) = self, !error.message.contains(path) else { return error }
        var error = error
        error.message = "Cannot open \(path): \(error.message)"
        return error
    }

    /// Finds problems that SQLite would find later or not at all.
    ///
    /// Returns the file's size; 0 if the file does not exist yet.
    ///
    /// If `expected` is given and the path has another file, or no file, it throws.
    func checkBeforeOpening(expecting expected: FileIdentity?, allowsLinks: Bool) throws(StoreError) -> Int {
        guard case .file(let path) = self else { return 0 }
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw StoreError(.cannotOpen, "The path of the store is empty or contains a NUL")
        }
        if let expected, fileIdentity != expected { throw StoreLocation.moved(path) }
        var status = stat()
        guard stat(path, &status) == 0 else {
            try checkFolder(of: path, reason: errno)
            return 0
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            // Each name would have its own log, with half of the commits. The number of links is checked only for the
            // first connection, because a link that is created later has not been used yet.
            guard status.st_nlink < 2 || allowsLinks || expected != nil else {
                throw StoreError(
                    .cannotOpen,
                    "Cannot open \(path): the file has \(status.st_nlink) names (hard links), and opening it by "
                        + "another name would damage it. Remove the other names, or replace them with copies")
            }
            return Int(status.st_size)
        case S_IFDIR:
            throw StoreError(.cannotOpen, "Cannot open \(path): it is a folder. Give the path of a file in it")
        // Opening a pipe could block forever.
        default: throw StoreError(.cannotOpen, "Cannot open \(path): it is a device, a pipe or a socket, not a file")
        }
    }

    /// Creates an empty file if it does not exist, because SQLite would make it readable for all users.
    ///
    /// SQLite gives the file's permissions to the log and its index.
    func makeFile(_ permissions: UInt16) throws(StoreError) {
        guard case .file(let path) = self else { return }
        guard permissions & 0o600 == 0o600, permissions <= 0o777 else {
            throw StoreError(
                .misuse,
                "filePermissions 0o\(String(permissions, radix: 8)) do not allow the owner to read and write the file")
        }
        // An existing file is never opened, because closing it would release the locks that this process holds on it.
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode_t(permissions))
        // If it cannot be created, SQLite reports it.
        if file >= 0 { close(file) }
    }

    private func checkFolder(of path: String, reason: Int32) throws(StoreError) {
        guard reason == ENOENT else {
            throw StoreError(.cannotOpen, "Cannot open \(path): \(StoreLocation.systemMessage(reason))")
        }
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let folder = String(path[..<slash])
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw StoreError(.cannotOpen, "Cannot open \(path): there is no folder \(folder). Create it first")
        }
    }

    /// The system's message for a value of `errno`.
    static func systemMessage(_ reason: Int32) -> String { String(cString: strerror(reason)) }

    /// The identity of the current file.
    package var fileIdentity: FileIdentity? {
        guard case .file(let path) = self else { return nil }
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
    }

    static func moved(_ path: String) -> StoreError {
        StoreError(.fileMoved, "The store's file was moved or deleted while the store was open: \(path)")
    }
}

/// The identity of a file, regardless of its name.
package struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let number: UInt64
}
