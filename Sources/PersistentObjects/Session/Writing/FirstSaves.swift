@_spi(Locks) package import StoreEngine
internal import Synchronization

/// What a product above the library writes together with the row of a new object.
package protocol FirstSaveWork: Sendable {
    /// Writes in the transaction of the save, after the row. It is called again if the transaction is repeated.
    func write(_ connection: any Connection, className: String, id: Int64) throws
}

/// The work that waits for the first save of objects of synced classes.
///
/// It is removed when the save is committed. After a rollback the object is new again, and the work waits again. It ends
/// with its object.
package enum FirstSaves {
    private struct Entry: @unchecked Sendable {  // the object is only compared with the caller's
        weak var object: PersistentObject?
        let work: any FirstSaveWork
        let number: Int
    }

    private struct Content {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// From this number on, the entries of objects that ended are removed.
        var limit = 64
    }

    private static let content = Locked(Content())
    private static let count = Atomic<Int>(0)
    private static let numbers = Atomic<Int>(0)

    /// Whether any object of the process has work. A save without it costs no more than this.
    static var areThere: Bool { count.load(ordering: .relaxed) > 0 }

    /// Replaces the work of an object; nil removes it.
    package static func set(_ work: (any FirstSaveWork)?, of object: PersistentObject) {
        let id = ObjectIdentifier(object)
        let entry = work.map { Entry(object: object, work: $0, number: numbers.add(1, ordering: .relaxed).newValue) }
        content.withLock { content in
            content.entries[id] = entry
            count.store(content.entries.count, ordering: .relaxed)
        }
        if work != nil { removeEnded() }
    }

    /// The work of an object; nil if there is none.
    package static func work(of object: PersistentObject) -> (any FirstSaveWork)? {
        let entry = content.withLock { $0.entries[ObjectIdentifier(object)] }
        // A former object can have had the same address.
        return entry?.object === object ? entry?.work : nil
    }

    private static func removeEnded() {
        let entries = content.withLock { $0.entries.count > $0.limit ? $0.entries : [:] }
        // Not under the lock, because this may hold the last reference to an object.
        let ended = entries.filter { $0.value.object == nil }
        guard !entries.isEmpty else { return }
        content.withLock { content in
            for (id, entry) in ended where content.entries[id]?.number == entry.number { content.entries[id] = nil }
            content.limit = max(64, content.entries.count * 2)
            count.store(content.entries.count, ordering: .relaxed)
        }
    }
}
