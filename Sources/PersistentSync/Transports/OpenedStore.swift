internal import Foundation
internal import PersistentObjects
internal import Synchronization

/// A store that is opened at its first use, because a device also begins while a server cannot be reached.
final class OpenedStore: Sendable {
    private let open: @Sendable () throws -> Store
    private let opening = Mutex(())
    private let opened = Mutex<Store?>(nil)

    init(_ open: @escaping @Sendable () throws -> Store) { self.open = open }

    /// The store, with the tables of entries. After a failure, the next call tries again.
    func store() async throws -> Store {
        if let store = opened.withLock({ $0 }) { return store }
        return try await withCheckedThrowingContinuation { continuation in
            // Connecting to a server that does not answer can take minutes, in which the thread is blocked.
            Thread.detachNewThread { continuation.resume(with: Result { try self.openOnce() }) }
        }
    }

    private func openOnce() throws -> Store {
        try opening.withLock { _ in
            if let store = opened.withLock({ $0 }) { return store }
            let store = try open()
            try StoredEntries.prepare(store)
            opened.withLock { $0 = store }
            return store
        }
    }
}
