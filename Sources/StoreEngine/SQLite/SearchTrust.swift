internal import CSQLite

/// Lets the triggers that keep search tables up do so.
///
/// Connections do not trust the schema, which forbids triggers to write to
/// virtual tables unless these are said to be harmless. FTS5 says it of itself
/// in later versions of SQLite, not yet in 3.40. Where it does not, a connection
/// that meets such a trigger trusts the schema from then on. That opens FTS5
/// tables to triggers and nothing else: of the functions, SQLite's own and this
/// package's, those that a schema could misuse may never be called from one.
///
/// Once and for all, not for one statement: a change of this setting makes
/// SQLite prepare all statements anew.
enum SearchTrust {
    /// Whether the connection does now what it refused with this message.
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
