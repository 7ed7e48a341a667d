/// What users are told to call where their SQL is refused because it is the store's business.
enum Refusals {
    /// A pragma that sets something, or does something.
    static func pragma(_ name: String) -> String {
        let advice =
            switch name {
            case "wal_checkpoint", "wal_autocheckpoint": "store.checkpoint() empties the log"
            case "incremental_vacuum": "store.releaseFreePages(atMost:) makes the file smaller"
            case "optimize", "analysis_limit":
                "execute(\"ANALYZE\") has SQLite count what its choice of indexes rests on"
            case "auto_vacuum":
                "set autoVacuum in the store's configuration, and call store.vacuum() for a file that is there"
            case "page_size", "max_page_count": "set pageSize in the store's configuration, for a new file"
            case "cache_size", "default_cache_size", "cache_spill":
                "set cacheSize in the store's configuration"
            case "journal_mode", "journal_size_limit": "set journal in the store's configuration"
            case "synchronous", "fullfsync", "checkpoint_fullfsync": "set durability in the store's configuration"
            case "busy_timeout": "set busyTimeout in the store's configuration"
            case "query_only": "set isReadOnly in the store's configuration"
            case "trusted_schema", "cell_size_check", "mmap_size", "foreign_keys", "recursive_triggers",
                "writable_schema", "ignore_check_constraints":
                "what keeps the file safe is the same for all connections"
            default: "only pragmas that tell something are allowed"
            }
        return "PRAGMA \(name) may change how the connection works; \(advice)"
    }

    /// A statement that begins with this word; nil where it is the user's.
    static func statement(beginning word: String) -> String? {
        guard word == "vacuum" else { return nil }
        return "VACUUM cannot run in a transaction, which each statement has: call store.vacuum(), or for VACUUM INTO "
            + "store.backup(to:)"
    }
}
