/// Tables that exist in SQLite without a `CREATE`: table-valued functions, and the modules of virtual tables.
///
/// A table of the file with the same name hides the built-in table, and statements that use it fail.
package enum BuiltInTables {
    /// The reason that a table cannot have a lowercase name; nil if it can.
    package static func refusal(ofName name: String) -> String? {
        if name.hasPrefix("sqlite_") { return "SQLite reserves names that start with sqlite_" }
        if name.hasPrefix("po_") {
            return "names that start with po_ are reserved for the tables in which a store describes its contents"
        }
        guard name.hasPrefix("pragma_") || names.contains(name) else { return nil }
        return "a table of this name would hide a function or module of SQLite"
    }

    private static let names: Set<String> = [
        "json_each", "json_tree", "jsonb_each", "jsonb_tree", "fts3", "fts3tokenize", "fts4", "fts4aux", "fts5",
        "fts5vocab", "rtree", "rtree_i32", "geopoly", "dbstat", "bytecode", "tables_used", "generate_series",
    ]

    /// The first table of a file that hides a built-in table needed by the library's statements.
    static let inTheWay: SQL = """
        SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND \
        (name COLLATE NOCASE IN ('json_each', 'json_tree') OR substr(name, 1, 7) = 'pragma_' COLLATE NOCASE) LIMIT 1
        """
}
