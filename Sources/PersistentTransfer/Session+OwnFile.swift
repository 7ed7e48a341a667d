internal import Foundation
internal import PersistentObjects
internal import StoreEngine

extension Session {
    /// Refuses the store's own files for an export, which would take their place, and for an import: closing a file ends
    /// all locks that the process has on it, those of SQLite too.
    func checkIsNotOwn(_ url: URL) throws {
        guard url.isFileURL, let path = store.path else { return }
        let place = StoreLocation.file(path: url.path)
        // A file that is not there yet may be one that SQLite is about to make.
        let isOwn = ["", "-wal", "-shm", "-journal"].contains { end in
            if url.standardizedFileURL.path == URL(filePath: path + end).standardizedFileURL.path { return true }
            guard let identity = place.fileIdentity else { return false }
            return StoreLocation.file(path: path + end).fileIdentity == identity
        }
        if isOwn { throw TransferError("\(url.path) is the store's own file. Choose another path") }
    }
}
