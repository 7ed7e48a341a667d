internal import CSQLite

extension SQLiteConnection {
    /// Moves the contents of the write-ahead log into the file, as far as readers permit, so that the log is written
    /// from its start again; false if that is not possible now.
    @discardableResult
    package func makeRoom() -> Bool {
        guard case .file = location, !isInTransaction else { return false }
        do throws(StoreError) { try checkMayWrite() } catch { return false }
        var size: Int32 = 0
        var moved: Int32 = 0
        // Passive: it does not wait.
        let code = uninterrupted { sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, &size, &moved) }
        return code == SQLITE_OK && size > 0 && size == moved
    }
}
