@_spi(Locks) internal import StoreEngine

/// The rows of one table in one session that are in memory, for all classes of a hierarchy.
final class RowTable: @unchecked Sendable {  // the table is accessed only under the lock
    let lock = Lock()
    let table = IdentityTable()
    /// The record of deleted objects; nil if the session records nothing for undo. It is used only on the session's
    /// thread.
    var departed: DepartedObjects?

    /// The live object of a row.
    @inline(__always)
    func object(for key: Int64) -> PersistentObject? {
        lock.lock()
        let found = table.retainedObject(for: key)
        lock.unlock()
        return found.map { ObjectMemory.takeRetained($0) }
    }
}
