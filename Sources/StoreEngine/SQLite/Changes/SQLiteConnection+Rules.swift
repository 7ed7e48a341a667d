internal import CSQLite

extension SQLiteConnection {
    /// Runs `body` with neither triggers nor foreign keys: rows are written exactly as specified, without side effects.
    package func withoutRules<R>(_ body: () throws -> R) throws -> R {
        defer {
            setFlag(SQLITE_DBCONFIG_ENABLE_TRIGGER, true)
            setFlag(SQLITE_DBCONFIG_ENABLE_FKEY, true)
        }
        setFlag(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
        setFlag(SQLITE_DBCONFIG_ENABLE_FKEY, false)
        return try body()
    }

    /// Turns the checks of foreign keys on or off; call it between transactions.
    func setForeignKeys(areOn: Bool) { setFlag(SQLITE_DBCONFIG_ENABLE_FKEY, areOn) }

    /// Makes SQLite prepare each cached statement again at its next use.
    func prepareAllAgain() {
        // Changing these settings does so; there is no separate call for it.
        setFlag(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
        setFlag(SQLITE_DBCONFIG_ENABLE_TRIGGER, true)
    }

    private func setFlag(_ option: Int32, _ isOn: Bool) {
        // It fails only for unknown options, and these have existed for a long time.
        _ = po_sqlite3_db_config_flag(handle, option, isOn ? 1 : 0)
    }
}
