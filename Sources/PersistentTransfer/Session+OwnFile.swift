internal import Foundation
internal import PersistentObjects
internal import StoreEngine

extension Session {
    /// Refuses the store's own files for an export and an import.
    ///
    /// An export would replace them. An import would close a second handle, which ends all locks of the process on the
    /// file, including SQLite's.
    func checkIsNotOwn(_ url: URL) throws {
        guard url.isFileURL, let path = store.path else { return }
        let place = StoreLocation.file(path: url.path)
        // Paths are compared first, because SQLite may create the file only later.
        let isOwn = ["", "-wal", "-shm", "-journal"].contains { end in
            if url.standardizedFileURL.path == URL(filePath: path + end).standardizedFileURL.path { return true }
            guard let identity = place.fileIdentity else { return false }
            return StoreLocation.file(path: path + end).fileIdentity == identity
        }
        if isOwn { throw TransferError("\(url.path) is the store's own file. Choose another path") }
    }
}
