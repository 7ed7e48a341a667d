import TestSupport

extension TemporaryStore {
    /// Runs SQL while a table's columns have no types, so that anything can be put into them; the table is declared as
    /// before afterwards. The store must be closed, or never have looked at the table.
    func sqliteUntyped(_ table: String, columns: [String], _ sql: String) throws {
        let definition = try sqlite("SELECT hex(sql) FROM sqlite_schema WHERE name = '\(table)'")
        let loose = (["\"id\" INTEGER PRIMARY KEY AUTOINCREMENT"] + columns.map { "\"\($0)\"" }).joined(separator: ", ")
        let update = "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = "
        _ = try sqlite("\(update) 'CREATE TABLE \"\(table)\" (\(loose))' WHERE name = '\(table)'")
        _ = try sqlite("BEGIN; \(sql); COMMIT")
        _ = try sqlite("\(update) CAST(x'\(definition)' AS TEXT) WHERE name = '\(table)'")
    }
}
