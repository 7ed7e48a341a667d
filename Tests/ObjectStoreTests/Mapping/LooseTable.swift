import TestSupport

extension TemporaryStore {
    /// Runs SQL while a table's columns have no types, so that they accept any value, and then restores the table's
    /// definition. The store must be closed, or must not have used the table yet.
    func sqliteUntyped(_ table: String, columns: [String], _ sql: String) throws {
        let loose = (["\"id\" INTEGER PRIMARY KEY AUTOINCREMENT"] + columns.map { "\"\($0)\"" }).joined(separator: ", ")
        try sqlite(sql, whileDefined: table, as: "'CREATE TABLE \"\(table)\" (\(loose))'")
    }

    /// Does the same for a table without its own ids; the columns keep their types but accept values of other types.
    func sqliteNotStrict(_ table: String, _ sql: String) throws {
        try sqlite(sql, whileDefined: table, as: "replace(replace(sql, ' STRICT,', ''), ' STRICT', '')")
    }

    private func sqlite(_ sql: String, whileDefined table: String, as other: String) throws {
        let definition = try sqlite("SELECT hex(sql) FROM sqlite_schema WHERE name = '\(table)'")
        func define(_ text: String) throws {
            _ = try sqlite(
                "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = \(text) WHERE name = '\(table)'")
        }
        try define(other)
        _ = try sqlite("BEGIN; \(sql); COMMIT")
        try define("CAST(x'\(definition)' AS TEXT)")
    }
}
