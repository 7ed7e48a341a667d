internal import StoreEngine

/// The triggers that write the history: one for each kind of statement on a table, which writes the entries of all its
/// rows at once.
///
/// The functions run with the rights of their owner, so that a role needs no rights on the history to change rows. They
/// name the schema, because a writer of another program can have any `search_path`.
///
/// They write the author of an entry, the setting `po.author`, and a number that the entries of one transaction share, the
/// setting `po.transaction`. They never read entries: a serializable transaction that did would conflict with every other
/// transaction that writes entries. An entry with `"open"` accepts the elements of its object in the same transaction:
/// true means that it has only elements so far, false that it has values of the row. For each transaction and object at
/// most one entry is open, so that ON CONFLICT finds it, without a read that could conflict.
enum PostgresHistory {
    /// The statement that a trigger follows.
    enum Event: String, CaseIterable {
        case insert, update, delete, truncate
    }

    static let dialect = HistoryDialect(
        now: now, anyValue: anyValue, shown: { $0 }, differ: { "\($0) IS DISTINCT FROM \($1)" },
        sum: { value, addend in
            "CASE WHEN \(value) IS NOT NULL THEN ARRAY['integer', ((\(value))[2]::bigint + \(addend))::text] END"
        },
        signature: ("NULL", "NULL"),
        statementTriggers: HistoryDialect.StatementTriggers(
            longestName: 63,
            storage: [
                "ALTER TABLE \(entries) ADD COLUMN \"open\" boolean",
                """
                CREATE UNIQUE INDEX \(name: "\(HistoryNames.entries).open") ON \(entries) (\(openKey)) \(openCondition)
                """,
            ],
            rows: rows, elements: elements,
            signature: """
                UPDATE \(entries) SET "author" = ? WHERE "id" > \(transaction) AND "transaction" = \(transaction)
                """))

    static let entries: SQL = "\(name: HistoryNames.entries)"
    static let openKey: SQL = "\"transaction\", \"table\", \"object\""
    static let openCondition: SQL = "WHERE \"open\" IS NOT NULL"
    private static let transaction: SQL = "nullif(current_setting('po.transaction', true), '')::bigint"
    private static let now: SQL =
        "floor((date_part('epoch', clock_timestamp()) - 978307200) * 1000 + 0.5)::float8 / 1000"

    /// The setting with the author of a transaction's entries. The character before the name distinguishes no name from
    /// an empty one.
    static func setting(author: String) -> String {
        "SET LOCAL po.author = \(PostgresTriggers.text("=" + author).text)"
    }

    /// A value with the name of its type.
    static let anyValue: @Sendable (SQL, String) -> SQL = { value, type in
        let (name, text): (SQL, SQL) =
            switch type.prefix(while: { $0 != "(" && $0 != " " }) {
            case "BIGINT", "INTEGER", "SMALLINT": ("integer", "\(value)::text")
            case "BOOLEAN": ("integer", "\(value)::int::text")
            case "DOUBLE", "REAL": ("real", "\(value)::text")
            case "BYTEA": ("blob", "encode(\(value), 'hex')")
            case "UUID": ("blob", "encode(uuid_send(\(value)), 'hex')")
            case "NUMERIC": ("text", "trim_scale(\(value))::text")
            default: ("text", "\(value)::text")
            }
        return "CASE WHEN \(value) IS NOT NULL THEN ARRAY['\(name)', \(text)] END"
    }

    // MARK: A class's table

    private static let rows: @Sendable (HistoryTableText) -> [SQL] = { text in
        Event.allCases.map { event in
            trigger(event, on: text.table, running: RowBody(text, event).statement)
        }
    }

    // MARK: A collection's table

    private static let elements: @Sendable (HistoryCollectionText) -> [SQL] = { text in
        Event.allCases.map { event in
            trigger(event, on: text.table, running: statement(text, event))
        }
    }

    /// The statement that records the elements that one kind of statement changes. An element with another place counts
    /// as another element.
    private static func statement(_ text: HistoryCollectionText, _ event: Event) -> SQL {
        let place = text.key ?? text.value
        let (old, new): (SQL, SQL) = ("\"po o\"", "\"po n\"")
        let isThere: (SQL) -> SQL = { "\($0).\(name: text.owner) IS NOT NULL" }
        func both(_ column: HistoryColumnText) -> SQL {
            "CASE WHEN \(isThere(new)) THEN \(any(column, new)) ELSE \(any(column, old)) END"
        }
        let found: SQL
        switch event {
        case .insert:
            found = """
                SELECT \(new).\(name: text.owner) AS "object", 'added' AS "change", \
                \(text.key.map { any($0, new) } ?? "NULL::text[]") AS "key", NULL::text[] AS "old", \
                \(any(text.value, new)) AS "new", row_number() OVER () AS "place" FROM \(new)
                """
        case .delete, .truncate:
            let source: SQL = event == .delete ? old : "\(schema).\(name: text.table) AS \(old)"
            found = """
                SELECT \(old).\(name: text.owner) AS "object", 'removed' AS "change", \
                \(text.key.map { any($0, old) } ?? "NULL::text[]") AS "key", \(any(text.value, old)) AS "old", \
                NULL::text[] AS "new", row_number() OVER () AS "place" FROM \(source)
                """
        case .update:
            found = """
                SELECT coalesce(\(new).\(name: text.owner), \(old).\(name: text.owner)) AS "object", \
                CASE WHEN NOT (\(isThere(old))) THEN 'added' WHEN NOT (\(isThere(new))) THEN 'removed' ELSE 'changed' END \
                AS "change", \(text.key.map(both) ?? "NULL::text[]") AS "key", \(any(text.value, old)) AS "old", \
                \(any(text.value, new)) AS "new", row_number() OVER (ORDER BY NOT (\(isThere(old)))) AS "place" \
                FROM \(old) FULL JOIN \(new) ON \(new).\(name: text.owner) = \(old).\(name: text.owner) \
                AND \(new).\(name: place.name) = \(old).\(name: place.name) \
                WHERE NOT (\(isThere(old))) OR NOT (\(isThere(new))) \
                OR \(old).\(name: text.value.name) IS DISTINCT FROM \(new).\(name: text.value.name)
                """
        }
        return """
            WITH "po rows" AS (\(found)), "po done" AS (INSERT INTO \(schema).\(entries) AS "po e" \
            ("table", "object", "change", "date", "author", "transaction", "open") \
            SELECT \(PostgresTriggers.text(text.ownerTable)), "po rows"."object", 'changed', "po date", "po author", \
            "po transaction", true FROM "po rows" GROUP BY "po rows"."object" \
            ON CONFLICT (\(openKey)) \(openCondition) DO UPDATE SET "open" = "po e"."open" \
            RETURNING "po e"."id", "po e"."object") \
            INSERT INTO \(schema).\(name: HistoryNames.elements) ("entry_id", "table", "change", "key", "old", "new") \
            SELECT "po done"."id", \(PostgresTriggers.text(text.table)), "po rows"."change", "po rows"."key", \
            "po rows"."old", "po rows"."new" FROM "po rows" JOIN "po done" ON "po done"."object" = "po rows"."object" \
            ORDER BY "po rows"."place"
            """
    }

    private static func any(_ column: HistoryColumnText, _ side: SQL) -> SQL {
        anyValue("\(side).\(name: column.name)", column.type)
    }

    // MARK: Functions

    /// Stands for the schema until the function is created.
    static let schema: SQL = "@po_schema@"

    /// The statement that creates a trigger and its function of the same name.
    private static func trigger(_ event: Event, on table: String, running statement: SQL) -> SQL {
        let body: SQL = """
            DECLARE "po author" text := substr(nullif(current_setting('po.author', true), ''), 2); \
            "po transaction" bigint := \(transaction); "po date" float8 := \(now); \
            BEGIN IF "po transaction" IS NULL THEN \
            "po transaction" := nextval(pg_get_serial_sequence($n$\(schema).\(entries)$n$, 'id')); \
            PERFORM set_config('po.transaction', "po transaction"::text, true); END IF; \
            \(statement); RETURN NULL; END
            """
        return definition(HistoryNames.trigger(table, event.rawValue), event, on: table, body: body.text)
    }

    private static func definition(_ name: String, _ event: Event, on table: String, body: String) -> SQL {
        var settings: SQL = ""
        // A plan is kept, and the number of rows can be another when it runs.
        if body.contains("WITH \"po rows\"") { settings.append(" SET enable_nestloop = off") }
        if body.contains("'real'") { settings.append(" SET extra_float_digits = 1") }
        let event: SQL =
            switch event {
            case .insert: "AFTER INSERT ON \(name: table) REFERENCING NEW TABLE AS \"po n\""
            case .update: "AFTER UPDATE ON \(name: table) REFERENCING OLD TABLE AS \"po o\" NEW TABLE AS \"po n\""
            case .delete: "AFTER DELETE ON \(name: table) REFERENCING OLD TABLE AS \"po o\""
            case .truncate: "BEFORE TRUNCATE ON \(name: table)"
            }
        let made: SQL = "CREATE TRIGGER \(name: name) \(event) FOR EACH STATEMENT EXECUTE FUNCTION \(name: name)()"
        return PostgresTriggers.withOwnersRights(name, settings: settings, body: body, making: made)
    }

    /// The part of a query that returns the text of a function with the sign for the schema.
    static let functionText: SQL = "replace(p.prosrc, quote_ident(current_schema()) || '.\"', '\(schema).\"')"

    /// The statement that would create an existing trigger; nil for a trigger that does not write history.
    static func existing(_ name: String, on table: String, body: String) -> SQL? {
        guard let event = Event.allCases.first(where: { name.hasSuffix(HistoryNames.trigger("", $0.rawValue)) }) else {
            return nil
        }
        return definition(name, event, on: table, body: body)
    }
}
