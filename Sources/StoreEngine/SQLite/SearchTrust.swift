internal import CSQLite

/// Permits the triggers that maintain search tables to write them.
///
/// Connections do not trust the schema, which forbids triggers to write to virtual tables unless these are declared
/// harmless. FTS5 declares itself harmless in later versions of SQLite, not yet in 3.40. With an older version, a
/// connection that meets such a trigger trusts the schema from then on. That opens only FTS5 tables to triggers:
/// functions that a schema could misuse, SQLite's own and this package's, may never be called from it.
///
/// The setting stays on, because changing it for one statement would make SQLite prepare all statements again.
enum SearchTrust {
    /// Whether the connection now permits what it rejected with this message.
    static func isGiven(_ connection: OpaquePointer, after message: String) -> Bool {
        let start = "unsafe use of virtual table \""
        guard message.hasPrefix(start), message.hasSuffix("\"") else { return false }
        let name = String(message.dropFirst(start.count).dropLast())
        guard isSearchTable(name, connection) else { return false }
        return po_sqlite3_db_config_flag(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1) == SQLITE_OK
    }

    private static func isSearchTable(_ name: String, _ connection: OpaquePointer) -> Bool {
        let sql = """
            SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE
            AND sql LIKE 'CREATE VIRTUAL TABLE % USING fts5(%'
            """
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else { return false }
        var name = name
        return name.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                guard let start = text.baseAddress else { return false }
                return po_sqlite3_bind_text_copied(statement, 1, start, UInt64(text.count)) == SQLITE_OK
                    && sqlite3_step(statement) == SQLITE_ROW
            }
        }
    }
}
