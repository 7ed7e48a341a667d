/// The rows of one table in one session that are in memory, for all classes of a hierarchy.
final class RowTable: @unchecked Sendable {  // the table is reached under the lock only
    let lock = Lock()
    let table = IdentityTable()
    /// Where objects are noted that leave as deleted ones: while the session records what can be undone. It is the
    /// session's, and used on its thread only.
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
