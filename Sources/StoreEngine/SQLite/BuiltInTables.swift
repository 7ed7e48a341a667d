/// Tables that SQLite has without a `CREATE`: functions that answer with rows, and the modules of virtual tables.
///
/// A table of a file that is called like one of them takes its place, and
/// statements that mean the function fail.
package enum BuiltInTables {
    /// Whether a name, in small letters, is that of one.
    package static func has(_ name: String) -> Bool { name.hasPrefix("pragma_") || names.contains(name) }

    private static let names: Set<String> = [
        "json_each", "json_tree", "jsonb_each", "jsonb_tree", "fts3", "fts3tokenize", "fts4", "fts4aux", "fts5",
        "fts5vocab", "rtree", "rtree_i32", "geopoly", "dbstat", "bytecode", "tables_used", "generate_series",
    ]

    /// The first table of a file that takes the place of one that the library's statements need.
    static let inTheWay: StaticString = """
        SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND \
        (name COLLATE NOCASE IN ('json_each', 'json_tree') OR substr(name, 1, 7) = 'pragma_' COLLATE NOCASE) LIMIT 1
        """
}
