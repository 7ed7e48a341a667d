#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The files that are written when a database is.
package struct WatchedFiles: Sendable {
    /// The database's own, without links in it.
    package let path: String
    /// The endings of those whose writes are heard of; files that are not there yet count.
    let endings: [String]

    /// Files whose names begin with that of the database.
    package init(_ path: String, endings: [String]) { (self.path, self.endings) = (path, endings) }

    /// Where they are.
    var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The name of the database's own file.
    var name: String { path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path }
}

/// What the system has refused.
struct FileWatchFailure: Error, CustomStringConvertible {
    let call: String
    let reason: Int32

    init(_ call: String) {
        self.call = call
        reason = errno
    }

    var description: String { "\(call): \(String(cString: strerror(reason)))" }
}
