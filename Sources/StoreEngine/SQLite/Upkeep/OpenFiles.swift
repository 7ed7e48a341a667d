internal import Foundation

/// The number of connections that this process has open, by file.
///
/// In the journal mode `.rollback`, an idle connection holds no lock, so SQLite does not notice it.
enum OpenFiles {
    private static nonisolated(unsafe) var counts: [FileIdentity: Int] = [:]  // reached under the lock only
    /// Not a `Mutex`: ThreadSanitizer cannot see its locking on Linux and reports false races.
    private static let lock = NSLock()

    static func recordOpening(_ file: FileIdentity) { lock.withLock { counts[file, default: 0] += 1 } }

    static func recordClosing(_ file: FileIdentity) {
        lock.withLock { counts[file] = (counts[file] ?? 1) > 1 ? (counts[file] ?? 1) - 1 : nil }
    }

    static func count(_ file: FileIdentity) -> Int { lock.withLock { counts[file] ?? 0 } }
}
