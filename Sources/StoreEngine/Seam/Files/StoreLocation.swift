// Files: where a database is, with which settings it is opened, and how it is kept in order. It must know no statement.

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
    /// A server's database, by its address: `postgres://user@host/database`.
    case server(address: String)

    /// What SQLite is told to open.
    var sqliteName: String {
        switch self {
        case .file(let path): path
        // A name that begins with a slash is shared (memdb.c).
        case .memory(let name): "/\(name)"
        case .server(let address): address
        }
    }

    var vfs: String? {
        switch self {
        case .file, .server: nil
        case .memory: "memdb"
        }
    }

    /// The error with the file's name in it.
    func describing(_ error: StoreError) -> StoreError {
        guard case .file(let path) = self, !error.message.contains(path) else { return error }
        var error = error
        error.message = "Cannot open \(path): \(error.message)"
        return error
    }

    /// Finds what SQLite would find later or not at all, and says it plainly. The answer is the file's size, 0 where
    /// there is none yet.
    ///
    /// Where the file must be `expected`, another one in its place or none is an error.
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
            // Each name would have a log of its own, with half of the commits. Checked first of all only: what somebody
            // links while the store is open has not been opened by its other name yet.
            guard status.st_nlink < 2 || allowsLinks || expected != nil else {
                throw StoreError(
                    .cannotOpen,
                    "Cannot open \(path): the file has \(status.st_nlink) names (hard links), and opening it by "
                        + "another name would damage it. Remove the other names, or replace them with copies")
            }
            return Int(status.st_size)
        case S_IFDIR:
            throw StoreError(.cannotOpen, "Cannot open \(path): it is a folder. Give the path of a file in it")
        // Opening a pipe could wait for ever.
        default: throw StoreError(.cannotOpen, "Cannot open \(path): it is a device, a pipe or a socket, not a file")
        }
    }

    /// Makes the file, empty, where it is not there yet: SQLite would let everybody read it. The log and its index get
    /// the file's permissions from SQLite.
    func makeFile(_ permissions: UInt16) throws(StoreError) {
        guard case .file(let path) = self else { return }
        guard permissions & 0o600 == 0o600, permissions <= 0o777 else {
            throw StoreError(
                .misuse,
                "filePermissions 0o\(String(permissions, radix: 8)) do not allow the owner to read and write the file")
        }
        // Never one that is there: closing it would end the locks that this process has on it.
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode_t(permissions))
        // Where it cannot be made SQLite says so.
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

    /// The system's words for a value of `errno`.
    static func systemMessage(_ reason: Int32) -> String { String(cString: strerror(reason)) }

    /// Which file is there now.
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

/// Which file it is, whatever its name.
package struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let number: UInt64
}
