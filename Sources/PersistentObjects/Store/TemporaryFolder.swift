internal import Foundation
internal import StoreEngine
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A folder in the system's temporary folder that only this user can access and that is deleted with the object.
///
/// The folder is locked while the object exists, and the system releases the lock when the process ends. A later
/// process can therefore determine which folders are no longer in use.
package final class TemporaryFolder: Sendable {
    /// The absolute path, without a trailing slash.
    package let path: String
    private let lock: Int32
    /// The process that created the folder. A forked copy of that process must not delete it.
    private let process = getpid()

    /// The prefix of folder names. Earlier versions, which did not lock, used another prefix.
    private static let prefix = "persistent-objects-"
    /// The age, in seconds, below which a folder is kept, because a new folder is not locked immediately.
    private static let youth = 60
    private static let hasSwept = Atomic<Bool>(false)

    /// Creates a folder in the system's temporary folder.
    package convenience init() throws(StoreError) {
        let system = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        let parent = system.hasSuffix("/") ? String(system.dropLast()) : system
        if !TemporaryFolder.hasSwept.exchange(true, ordering: .relaxed) { TemporaryFolder.sweep(parent) }
        try self.init(in: parent)
    }

    init(in parent: String) throws(StoreError) {
        path = parent + "/" + TemporaryFolder.prefix + UUID().uuidString
        // `mkdir` fails if the folder exists, and makes it private from the start.
        guard mkdir(path, 0o700) == 0, let lock = TemporaryFolder.lock(path) else {
            throw StoreError(.cannotOpen, "Cannot create the folder \(path): \(String(cString: strerror(errno)))")
        }
        self.lock = lock
    }

    /// The path of the store's file in the folder.
    package var storePath: String { path + "/store.sqlite" }

    deinit {
        guard getpid() == process else { return }
        try? FileManager.default.removeItem(atPath: path)
        close(lock)
    }

    /// The descriptor that holds the lock; nil if another process holds it, or if this user has no such folder.
    private static func lock(_ path: String) -> Int32? {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        var status = stat()
        guard fstat(folder, &status) == 0, status.st_uid == geteuid(), flock(folder, LOCK_EX | LOCK_NB) == 0 else {
            close(folder)
            return nil
        }
        return folder
    }

    /// Removes the folders that ended processes of this user have left.
    static func sweep(_ parent: String) {
        // A folder that cannot be read or removed stays, which is harmless.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
            let path = parent + "/" + name
            guard isOld(path), let lock = lock(path) else { continue }
            try? FileManager.default.removeItem(atPath: path)
            close(lock)
        }
    }

    private static func isOld(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
        #if canImport(Darwin)
            let written = status.st_mtimespec.tv_sec
        #else
            let written = status.st_mtim.tv_sec
        #endif
        return time(nil) - written > youth
    }
}
