/// The methods to call instead, for messages about SQL that is reserved for the store.
enum Refusals {
    /// A pragma with an effect.
    static func pragma(_ name: String) -> String {
        let advice =
            switch name {
            case "wal_checkpoint", "wal_autocheckpoint": "store.checkpoint() empties the log"
            case "incremental_vacuum": "store.releaseFreePages(atMost:) makes the file smaller"
            case "optimize", "analysis_limit":
                "execute(\"ANALYZE\") collects the statistics from which SQLite chooses indexes"
            case "auto_vacuum":
                "set autoVacuum in the store's configuration, and call store.vacuum() for an existing file"
            case "page_size", "max_page_count": "set pageSize in the store's configuration, for a new file"
            case "cache_size", "default_cache_size", "cache_spill":
                "set cacheSize in the store's configuration"
            case "journal_mode", "journal_size_limit": "set journal in the store's configuration"
            case "synchronous", "fullfsync", "checkpoint_fullfsync": "set durability in the store's configuration"
            case "busy_timeout": "set busyTimeout in the store's configuration"
            case "query_only": "set isReadOnly in the store's configuration"
            case "trusted_schema", "cell_size_check", "mmap_size", "foreign_keys", "recursive_triggers",
                "writable_schema", "ignore_check_constraints":
                "settings that keep the file safe are the same for all connections"
            default: "only pragmas that read information are allowed"
            }
        return "PRAGMA \(name) is refused because it may change how the connection works: \(advice)"
    }

    /// A statement that starts with this word; nil if users may run it.
    static func statement(beginning word: String) -> String? {
        guard word == "vacuum" else { return nil }
        return "VACUUM cannot run in a transaction, and every statement runs in one. Call store.vacuum(), or "
            + "store.backup(to:) for VACUUM INTO"
    }
}
