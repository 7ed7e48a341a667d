internal import StoreEngine

/// The search index of a class: a table with the words of each row and their places (`tsvector`), a GIN index, and
/// triggers that keep it up to date. `PostgresWords` separates strings into words.
///
/// The triggers' functions run with the rights of their owner, so that a role needs no rights on the index to change rows.
/// They name the schema, because a writer of another program can have any `search_path`. They write by the key alone: a
/// function that scanned the index would make serializable transactions conflict.
enum PostgresSearch {
    static let dialect: SearchDialect = {
        var search = Dialect.sqlite.search
        search.events = SearchIndex.Event.allCases
        (search.keepsIndexWithTriggers, search.dropsTriggersFirst) = (true, true)
        search.definition = { definition($0.name, columns: columns($0, of: nil).text) }
        search.isDefinition = { text, _ in text.hasPrefix("DO ") }
        search.isTrigger = { text, _ in text.hasPrefix("DO ") }
        // The procedure reads the columns from the comment of the index.
        search.rebuilding = { "CALL po_search_rebuild(\(PostgresTriggers.text($0.table)))" }
        search.emptying = { "DELETE FROM \(name: $0.name)" }
        search.checking = { difference($0) }
        search.difference = { difference($0) }
        search.trigger = { trigger($0, $1) }
        search.removal = { "DELETE FROM \(name: $0.name) WHERE \(listed)" }
        search.addition = { index in
            """
            INSERT INTO \(name: index.name) ("id", "words") SELECT "id", po_search_vector(\(columns(index, of: nil))) \
            FROM \(name: index.table) WHERE \(listed) ON CONFLICT ("id") DO UPDATE SET "words" = excluded."words"
            """
        }
        search.join = { index, alias, id in
            "\(name: index.name) AS \(name: alias) ON \(column: "id", of: alias) = \(id)"
        }
        search.matches = { _, alias, search in "\(column: "words", of: alias) @@ \(query(search))" }
        search.rank = { alias, search in "-ts_rank(\(column: "words", of: alias), \(query(search)))" }
        search.snippet = { part in
            """
            po_search_snippet(\(column: part.index.columns[part.column], of: part.index.table)::text, \(part.search)::text, \
            \(part.marks.start)::text, \(part.marks.end)::text, \(number: part.wordCount))
            """
        }
        return search
    }()

    private static let listed: SQL = "\"id\" = ANY (?/*list*/::bigint[])"

    /// The search in PostgreSQL's form, which the subquery evaluates once for all rows.
    private static func query(_ search: SQL) -> SQL { "(SELECT po_search_query(\(search)::text))" }

    /// The searched columns as arguments of a function.
    private static func columns(_ index: SearchIndex, of row: SQL?) -> SQL {
        let start: SQL = row.map { "\($0)." } ?? ""
        return "\(list: index.columns.map { "\(start)\(name: $0)::text COLLATE \"C\"" as SQL })"
    }

    /// Counts the rows whose words in the index differ from their strings.
    private static func difference(_ index: SearchIndex) -> SQL {
        """
        SELECT count(*) FROM \(name: index.table) AS "po t" FULL JOIN \(name: index.name) AS "po s" \
        ON "po s"."id" = "po t"."id" WHERE "po s"."words" IS DISTINCT FROM CASE WHEN "po t"."id" IS NOT NULL \
        THEN po_search_vector(\(columns(index, of: "\"po t\""))) END
        """
    }

    // MARK: The table

    /// The columns of the table, as the schema reader lists them.
    static let tableColumns = ["id BIGINT", "words TSVECTOR"]

    /// The statement that creates the table. The index is created when it is filled.
    ///
    /// - Parameter columns: The searched columns as SQL, which the comment of the table keeps.
    static func definition(_ name: String, columns: String) -> SQL {
        let table: SQL = "CREATE TABLE \(name: name) (\"id\" bigint PRIMARY KEY, \"words\" tsvector NOT NULL)"
        let comment: SQL = "COMMENT ON TABLE \(name: name) IS \(PostgresTriggers.text(columns))"
        let both: SQL = "BEGIN EXECUTE \(PostgresTriggers.text(table.text)); \(comment); END"
        return "DO \(PostgresTriggers.text(both.text))"
    }

    // MARK: Triggers

    private static func trigger(_ index: SearchIndex, _ event: SearchIndex.Event) -> SQL {
        let words: SQL = "\(PostgresHistory.schema).\"po_search_vector\"(\(columns(index, of: "NEW")))"
        let place: SQL = "\(PostgresHistory.schema).\(name: index.name)"
        let addition: SQL = """
            INSERT INTO \(place) ("id", "words") VALUES (NEW."id", \(words)) \
            ON CONFLICT ("id") DO UPDATE SET "words" = excluded."words";
            """
        let removal: SQL = "DELETE FROM \(place) WHERE \"id\" = OLD.\"id\""
        let action: SQL
        switch event {
        case .insert: action = addition
        case .delete: action = "\(removal);"
        case .truncate: action = "DELETE FROM \(place);"
        case .update:
            let changed = (["id"] + index.columns).map { "OLD.\(name: $0) IS DISTINCT FROM NEW.\(name: $0)" as SQL }
            // Another row of the statement can have got the old id.
            action = """
                IF \(list: changed, separator: " OR ") THEN \(addition) IF OLD."id" <> NEW."id" THEN \(removal) \
                AND NOT EXISTS (SELECT FROM \(PostgresHistory.schema).\(name: index.table) WHERE "id" = OLD."id"); \
                END IF; END IF;
                """
        }
        let body: SQL = "BEGIN \(action) RETURN NULL; END"
        return definition(SearchIndex.triggerName(index.table, event), event, on: index.table, body: body.text)
    }

    private static func definition(
        _ name: String, _ event: SearchIndex.Event, on table: String, body: String
    ) -> SQL {
        let (change, scope): (SQL, SQL) =
            switch event {
            case .insert: ("INSERT", "ROW")
            case .update: ("UPDATE", "ROW")
            case .delete: ("DELETE", "ROW")
            case .truncate: ("TRUNCATE", "STATEMENT")
            }
        return PostgresTriggers.withOwnersRights(
            // In a small table the planner would read all of the index.
            name, settings: " SET enable_seqscan = off", body: body,
            making: """
                CREATE TRIGGER \(name: name) AFTER \(change) ON \(name: table) FOR EACH \(scope) \
                EXECUTE FUNCTION \(name: name)()
                """)
    }

    /// The statement that would create an existing trigger; nil for a trigger of another kind.
    static func existing(_ name: String, on table: String, body: String) -> SQL? {
        let found = SearchIndex.Event.allCases.first { name.hasSuffix(SearchIndex.triggerName("", $0)) }
        return found.map { definition(name, $0, on: table, body: body) }
    }
}
