#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The files that are written together with a database.
package struct WatchedFiles: Sendable {
    /// The path of the database file, with links resolved.
    package let path: String
    /// The suffixes of the watched files; files that do not exist yet count.
    let endings: [String]

    /// Creates a set of files whose names start with the database's name.
    package init(_ path: String, endings: [String]) { (self.path, self.endings) = (path, endings) }

    /// The folder of the files.
    var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The name of the database file.
    var name: String { path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path }
}

/// A request that the system refused.
struct FileWatchFailure: Error, CustomStringConvertible {
    let call: String
    let reason: Int32

    init(_ call: String) {
        self.call = call
        reason = errno
    }

    var description: String { "\(call): \(String(cString: strerror(reason)))" }
}
