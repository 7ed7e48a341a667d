internal import StoreEngine

/// Statements on the history tables that the library itself runs.
enum HistoryStatements {
    /// The highest entry id; 0 if there are no entries.
    static let lastEntry: SQL = "SELECT coalesce(max(\"id\"), 0) FROM \(name: HistoryNames.entries)"

    /// Records the author and the transaction of the entries after the given entry. Entries of found rows have no
    /// author.
    static let signature: SQL = """
        UPDATE \(name: HistoryNames.entries) SET "transaction" = ?1 + 1, "author" = ?2 \
        WHERE "id" > ?1 AND "change" <> 'found'
        """

    /// The same for the entries that their triggers did not sign: triggers of earlier versions, for classes that this
    /// process has not used, and the triggers of other programs.
    static let remainingSignature: SQL = "\(signature) AND \"transaction\" IS NULL"

    /// Inserts an entry: its table, the row's id and the kind of change.
    static func entry(_ dialect: Dialect) -> SQL {
        """
        INSERT INTO \(name: HistoryNames.entries) ("table", "object", "change", "date") \
        VALUES (?, ?, ?, \(dialect.history.now))
        """
    }

    /// Inserts a value of the last entry: its column, the old value and the new value.
    static let value: SQL = """
        INSERT INTO \(name: HistoryNames.extras) ("entry_id", "column", "old", "new") \
        VALUES ((SELECT max("id") FROM \(name: HistoryNames.entries)), ?, ?, ?)
        """

    /// Inserts an element of the last entry: its table, the kind of change, the key, the old value and the new value.
    static let element: SQL = """
        INSERT INTO \(name: HistoryNames.elements) ("entry_id", "table", "change", "key", "old", "new") \
        VALUES ((SELECT max("id") FROM \(name: HistoryNames.entries)), ?, ?, ?, ?, ?)
        """

    /// Whether entries after the given entry have elements.
    static let hasElements: SQL = "SELECT EXISTS (SELECT 1 FROM \(name: HistoryNames.elements) WHERE \"entry_id\" > ?)"

    /// Joins the entries after the given entry that contain only elements with the entries of other changes to their
    /// rows. Each statement wrote a separate entry, but a transaction is one change of a collection. Elements are
    /// joined with the entry of a new row before them, or of a deleted row after them. For other rows the entry
    /// follows, because a save writes collections first.
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

    /// Deletes the entries after the given entry that no longer record anything.
    private static let droppingEmpty: SQL = """
        DELETE FROM \(name: HistoryNames.entries) WHERE "id" > ?1 AND "change" = 'changed' \
        AND NOT EXISTS (SELECT 1 FROM \(name: HistoryNames.values) v \
        WHERE v."entry_id" = \(name: HistoryNames.entries)."id") \
        AND NOT EXISTS (SELECT 1 FROM \(name: HistoryNames.elements) v \
        WHERE v."entry_id" = \(name: HistoryNames.entries)."id")
        """

    /// Moves the recorded values of links that were cleared before a deletion into the deletion's entry.
    static func joiningDeletions(in table: String, columns: [String], _ dialect: Dialect) -> [SQL] {
        guard !columns.isEmpty else { return [] }
        let deletion: SQL = """
            SELECT min(d."id") FROM \(name: HistoryNames.entries) d WHERE d."table" = c."table" \
            AND d."object" = c."object" AND d."id" > c."id" AND d."change" = 'deleted'
            """
        let unpacking = HistorySlots.unpacking(
            """
            "id" IN (SELECT c."id" FROM \(name: HistoryNames.entries) c WHERE c."id" > ?1 AND c."change" = 'changed' \
            AND c."table" = \(HistoryTriggers.text(table)) AND (\(deletion)) IS NOT NULL)
            """, dialect)
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

    /// Joins the entries of a save's temporary values, which are those after `?1` up to `?2`, with the entries that
    /// follow for the same rows: the replaced values become the old values there.
    ///
    /// A column that becomes NULL has no value in the entry that follows, because the temporary value was NULL, too. A
    /// row in which all columns become NULL has no such entry.
    static func joiningParked(in table: String, _ dialect: Dialect) -> [SQL] {
        let (entries, extras): (SQL, SQL) = ("\(name: HistoryNames.entries)", "\(name: HistoryNames.extras)")
        let parked: SQL = """
            p."table" = \(HistoryTriggers.text(table)) AND p."id" > ?1 AND p."id" <= ?2
            """
        func next(_ entry: SQL) -> SQL {
            """
            (SELECT min(n."id") FROM \(entries) p JOIN \(entries) n ON n."table" = p."table" \
            AND n."object" = p."object" AND n."id" > ?2 WHERE \(parked) AND p."id" = \(entry))
            """
        }
        let replaced: SQL = """
            FROM \(entries) n JOIN \(entries) p ON p."table" = n."table" AND p."object" = n."object" \
            JOIN \(extras) o ON o."entry_id" = p."id" WHERE \(parked) AND n."id" = \(extras)."entry_id" \
            AND o."column" = \(extras)."column"
            """
        let unpacking = HistorySlots.unpacking(
            """
            "id" > ?1 AND "table" = \(HistoryTriggers.text(table)) \
            AND "object" IN (SELECT p."object" FROM \(entries) p WHERE \(parked))
            """, dialect)
        let joined: SQL = """
            SELECT p."id" FROM \(entries) p WHERE \(parked) AND EXISTS (SELECT 1 FROM \(entries) n \
            WHERE n."table" = p."table" AND n."object" = p."object" AND n."id" > ?2)
            """
        return unpacking + [
            """
            UPDATE \(extras) SET "old" = (SELECT o."old" \(replaced)) \
            WHERE "entry_id" > ?2 AND EXISTS (SELECT 1 \(replaced))
            """,
            """
            UPDATE \(extras) SET "entry_id" = \(next("\(extras).\"entry_id\"")) WHERE "entry_id" IN (\(joined)) \
            AND NOT EXISTS (SELECT 1 FROM \(extras) v WHERE v."column" = \(extras)."column" \
            AND v."entry_id" = \(next("\(extras).\"entry_id\"")))
            """,
            "DELETE FROM \(extras) WHERE \"entry_id\" IN (\(joined))",
            "DELETE FROM \(entries) WHERE \"id\" IN (\(joined))",
        ]
    }

    /// Renames a table in the history: the table of a class or of a collection.
    static func renaming(table: String, to name: String, _ dialect: Dialect) -> [SQL] {
        // The new name may have entries of an earlier table, whose columns had other places.
        HistorySlots.unpacking("\"table\" = \(HistoryTriggers.text(name))", dialect)
            + ["DELETE FROM \(name: HistoryNames.columns) WHERE \"table\" = \(HistoryTriggers.text(name))"]
            + [HistoryNames.entries, HistoryNames.columns, HistoryNames.elements].map { history in
                """
                UPDATE \(name: history) SET "table" = \(HistoryTriggers.text(name)) \
                WHERE "table" = \(HistoryTriggers.text(table))
                """
            }
    }

    /// Removes the keys of recorded elements after a collection changed its kind, because a position in an array would
    /// be wrong as the key of a dictionary.
    static func forgettingPlaces(in table: String) -> SQL {
        "UPDATE \(name: HistoryNames.elements) SET \"key\" = NULL WHERE \"table\" = \(HistoryTriggers.text(table))"
    }

    /// Renames a column in the history.
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
