internal import StoreEngine

/// Statements on the tables of the history that the library runs itself.
enum HistoryStatements {
    /// The greatest id of an entry; 0 where there is none.
    static let lastEntry: SQL = "SELECT coalesce(max(\"id\"), 0) FROM \(name: HistoryNames.entries)"

    /// Says of the entries behind one who has made them, and in which transaction. Rows that were found nobody has made.
    static let signature: SQL = """
        UPDATE \(name: HistoryNames.entries) SET "transaction" = ?1 + 1, "author" = ?2 \
        WHERE "id" > ?1 AND "change" <> 'found'
        """

    /// An entry: its table, the row's id and what happened.
    static let entry: SQL = """
        INSERT INTO \(name: HistoryNames.entries) ("table", "object", "change", "date") \
        VALUES (?, ?, ?, \(HistoryTriggers.now))
        """

    /// A value of the entry that was written last: its column, the old and the new value.
    static let value: SQL = """
        INSERT INTO \(name: HistoryNames.values) ("entry_id", "column", "old", "new") \
        VALUES ((SELECT max("id") FROM \(name: HistoryNames.entries)), ?, ?, ?)
        """

    /// Follows a table that gets another name.
    static func renaming(table: String, to name: String) -> SQL {
        """
        UPDATE \(name: HistoryNames.entries) SET "table" = \(HistoryTriggers.text(name)) \
        WHERE "table" = \(HistoryTriggers.text(table))
        """
    }

    /// Follows a column that gets another name.
    static func renaming(column: String, to name: String, of table: String) -> SQL {
        """
        UPDATE \(name: HistoryNames.values) SET "column" = \(HistoryTriggers.text(name)) \
        WHERE "column" = \(HistoryTriggers.text(column)) AND "entry_id" IN \
        (SELECT "id" FROM \(name: HistoryNames.entries) WHERE "table" = \(HistoryTriggers.text(table)))
        """
    }
}
