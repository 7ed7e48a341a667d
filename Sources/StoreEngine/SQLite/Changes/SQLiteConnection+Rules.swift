internal import CSQLite

extension SQLiteConnection {
    /// Runs `body` with neither triggers nor foreign keys: rows are written as they are told, and nothing follows.
    package func withoutRules<R>(_ body: () throws -> R) throws -> R {
        defer {
            setFlag(SQLITE_DBCONFIG_ENABLE_TRIGGER, true)
            setFlag(SQLITE_DBCONFIG_ENABLE_FKEY, true)
        }
        setFlag(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
        setFlag(SQLITE_DBCONFIG_ENABLE_FKEY, false)
        return try body()
    }

    /// Has SQLite prepare each kept statement again at its next use.
    func prepareAllAgain() {
        // A change of these settings does so; there is no call of its own for it.
        setFlag(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
        setFlag(SQLITE_DBCONFIG_ENABLE_TRIGGER, true)
    }

    private func setFlag(_ option: Int32, _ isOn: Bool) {
        // It fails for unknown options only, and these are old.
        _ = po_sqlite3_db_config_flag(handle, option, isOn ? 1 : 0)
    }
}
