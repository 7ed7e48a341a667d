internal import StoreEngine

/// Statements on the tables of the history that the library runs itself.
enum HistoryStatements {
    /// The greatest id of an entry; 0 where there is none.
    static let lastEntry: SQL = "SELECT coalesce(max(\"id\"), 0) FROM \(name: HistoryNames.entries)"

    /// Records the author and the transaction of the entries after a given one. Rows that were found have no author.
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
        INSERT INTO \(name: HistoryNames.extras) ("entry_id", "column", "old", "new") \
        VALUES ((SELECT max("id") FROM \(name: HistoryNames.entries)), ?, ?, ?)
        """

    /// An element of the entry that was written last: its table, what happened, the key, the old and the new value.
    static let element: SQL = """
        INSERT INTO \(name: HistoryNames.elements) ("entry_id", "table", "change", "key", "old", "new") \
        VALUES ((SELECT max("id") FROM \(name: HistoryNames.entries)), ?, ?, ?, ?, ?)
        """

    /// Whether entries after a given one have elements.
    static let hasElements: SQL = "SELECT EXISTS (SELECT 1 FROM \(name: HistoryNames.elements) WHERE \"entry_id\" > ?)"

    /// Joins entries after a given one that contain only elements with those that record other changes of their rows:
    /// each statement wrote one, and a transaction is one change of a collection. A new row's entry gets its first
    /// elements, a deleted row's its last; for other rows a save writes the collections first.
    static let joining: [SQL] = [
        """
        WITH "entries" AS MATERIALIZED (SELECT "id", "table", "object", \
        iif("change" <> 'changed' OR EXISTS (SELECT 1 FROM \(name: HistoryNames.values) v WHERE v."entry_id" = e."id"), \
        "id", NULL) AS "row" FROM \(name: HistoryNames.entries) e WHERE "id" > ?1), \
        "places" AS MATERIALIZED (SELECT "id", "row", max("row") OVER past AS "before", min("row") OVER coming AS "next", \
        min("id") OVER past AS "first" FROM "entries" \
        WINDOW past AS (PARTITION BY "table", "object" ORDER BY "id"), \
        coming AS (PARTITION BY "table", "object" ORDER BY "id" ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)), \
        "joined" AS MATERIALIZED (SELECT p."id", \
        CASE WHEN n."change" = 'deleted' THEN n."id" WHEN b."change" = 'created' THEN b."id" \
        ELSE coalesce(n."id", b."id", p."first") END AS "target" FROM "places" p \
        LEFT JOIN \(name: HistoryNames.entries) b ON b."id" = p."before" \
        LEFT JOIN \(name: HistoryNames.entries) n ON n."id" = p."next" WHERE p."row" IS NULL) \
        UPDATE \(name: HistoryNames.elements) SET "entry_id" = j."target" FROM "joined" j \
        WHERE \(name: HistoryNames.elements)."entry_id" = j."id" AND j."target" <> j."id"
        """, droppingEmpty,
    ]

    /// Deletes the entries after a given one that no longer record anything.
    private static let droppingEmpty: SQL = """
        DELETE FROM \(name: HistoryNames.entries) WHERE "id" > ?1 AND "change" = 'changed' \
        AND NOT EXISTS (SELECT 1 FROM \(name: HistoryNames.values) v \
        WHERE v."entry_id" = \(name: HistoryNames.entries)."id") \
        AND NOT EXISTS (SELECT 1 FROM \(name: HistoryNames.elements) v \
        WHERE v."entry_id" = \(name: HistoryNames.entries)."id")
        """

    /// Lets the entries of deleted rows record the links that were cleared before, without separate entries.
    static func joiningDeletions(in table: String, columns: [String]) -> [SQL] {
        guard !columns.isEmpty else { return [] }
        let deletion: SQL = """
            SELECT min(d."id") FROM \(name: HistoryNames.entries) d WHERE d."table" = c."table" \
            AND d."object" = c."object" AND d."id" > c."id" AND d."change" = 'deleted'
            """
        let unpacking = HistorySlots.unpacking(
            """
            "id" IN (SELECT c."id" FROM \(name: HistoryNames.entries) c WHERE c."id" > ?1 AND c."change" = 'changed' \
            AND c."table" = \(HistoryTriggers.text(table)) AND (\(deletion)) IS NOT NULL)
            """)
        return unpacking + [
            """
            UPDATE \(name: HistoryNames.extras) SET "entry_id" = (SELECT (\(deletion)) \
            FROM \(name: HistoryNames.entries) c WHERE c."id" = \(name: HistoryNames.extras)."entry_id") \
            WHERE "column" IN (\(list: columns.map(HistoryTriggers.text))) AND "entry_id" IN \
            (SELECT c."id" FROM \(name: HistoryNames.entries) c WHERE c."id" > ?1 AND c."change" = 'changed' \
            AND c."table" = \(HistoryTriggers.text(table)) AND (\(deletion)) IS NOT NULL)
            """, droppingEmpty,
        ]
    }

    /// Follows a table that gets another name: of a class, or of a collection.
    static func renaming(table: String, to name: String) -> [SQL] {
        // The new name may have entries of an earlier table, whose columns had other places.
        HistorySlots.unpacking("\"table\" = \(HistoryTriggers.text(name))")
            + ["DELETE FROM \(name: HistoryNames.columns) WHERE \"table\" = \(HistoryTriggers.text(name))"]
            + [HistoryNames.entries, HistoryNames.columns, HistoryNames.elements].map { history in
                """
                UPDATE \(name: history) SET "table" = \(HistoryTriggers.text(name)) \
                WHERE "table" = \(HistoryTriggers.text(table))
                """
            }
    }

    /// Takes away what told the elements of a collection apart that is of another kind from now on: as a key of a
    /// dictionary a position in an array would say something else.
    static func forgettingPlaces(in table: String) -> SQL {
        "UPDATE \(name: HistoryNames.elements) SET \"key\" = NULL WHERE \"table\" = \(HistoryTriggers.text(table))"
    }

    /// Follows a column that gets another name.
    static func renaming(column: String, to name: String, of table: String) -> [SQL] {
        [
            """
            UPDATE \(name: HistoryNames.columns) SET "column" = \(HistoryTriggers.text(name)) \
            WHERE "table" = \(HistoryTriggers.text(table)) AND "column" = \(HistoryTriggers.text(column))
            """,
            """
            UPDATE \(name: HistoryNames.extras) SET "column" = \(HistoryTriggers.text(name)) \
            WHERE "column" = \(HistoryTriggers.text(column)) AND "entry_id" IN \
            (SELECT "id" FROM \(name: HistoryNames.entries) WHERE "table" = \(HistoryTriggers.text(table)))
            """,
        ]
    }
}
