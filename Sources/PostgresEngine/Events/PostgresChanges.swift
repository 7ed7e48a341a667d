// Events: the rows that commits of any client change. Triggers record them while there are listeners, and listeners read
// them with snapshots. It must not know the meaning of tables.

internal import StoreEngine

/// The objects of a schema that record changed rows while there is a listener.
///
/// | object | contents |
/// |---|---|
/// | `po_change` | a row for each statement: the transaction, the table, the kind of change and the ids |
/// | `po_listener` | a row for each listener: the last snapshot that it has read, and the end of its registration |
/// | `po_listening` | the time at which the last registration ends, in seconds since 1970 |
/// | `po_changed()` | the trigger function, which records a statement's rows until this time |
/// | `po_recorded()` | the trigger function for undo: see `PostgresRecords` |
///
/// `po_listening` is a sequence, because a sequence is not part of a transaction: each statement sees the time at once,
/// whatever snapshot its transaction has, and reading it cannot be a conflict between serializable transactions.
///
/// The functions run with the rights of their owner, so that any role that may write a table can record its changes.
/// They name the schema, because a writer of another program can have any `search_path`.
enum PostgresChanges {
    /// The number of ids of one statement above which only the table is recorded.
    static let limit = 10_000

    /// The name with which listeners are notified in a schema.
    static let channel: SQL = "'po_change_' || md5(current_schema())"

    /// The name of the function that marks the version of all functions.
    static let version = "po_version_9"

    /// Queries whether the functions belong to this version and this schema, which can have been renamed.
    static let isCurrent = """
        EXISTS (SELECT FROM pg_proc WHERE proname = '\(version)' AND pronamespace = quote_ident(current_schema())::regnamespace \
        AND prosrc = 'SELECT ' || quote_literal(current_schema()))
        """

    static let tables = [
        """
        CREATE TABLE IF NOT EXISTS po_change (number bigint GENERATED ALWAYS AS IDENTITY, xid xid8 NOT NULL \
        DEFAULT pg_current_xact_id(), tbl text NOT NULL, kind "char" NOT NULL, class text, ids bigint[])
        """,
        "CREATE INDEX IF NOT EXISTS po_change_xid ON po_change (xid)",
        """
        CREATE TABLE IF NOT EXISTS po_listener (id text PRIMARY KEY, pid int NOT NULL, seen pg_snapshot NOT NULL, \
        until timestamptz NOT NULL)
        """,
        "CREATE SEQUENCE IF NOT EXISTS po_listening MINVALUE 0 START 0",
    ]

    static let functions = [
        function("po_recorded()", "trigger", PostgresRecords.settings, PostgresRecords.function),
        function("po_changed()", "trigger", definer, record),
        function("po_schema_changed()", "void", definer, recordSchema),
        function("po_listen(listener text, kept interval, read pg_snapshot)", "boolean", definer, listen),
        function("po_unlisten(listener text)", "void", definer, unlisten),
        // Triggers are created by the owner of each table.
        function("po_watch_tables()", "bigint", "", watchTables),
        """
        DO $po$ BEGIN EXECUTE format('CREATE OR REPLACE FUNCTION \(version)() RETURNS text LANGUAGE sql AS %L', \
        'SELECT ' || quote_literal(current_schema())); END $po$
        """,
    ]

    /// Runs a function with the rights of its owner. The path is fixed, because otherwise a caller's own functions with
    /// the names of PostgreSQL's would have these rights.
    private static let definer = "SECURITY DEFINER SET search_path = pg_catalog, pg_temp"

    /// A statement that creates a function, in whose body `@` is replaced by the quoted schema, and `#name` by its name as
    /// a literal. A schema's name can contain quotes.
    static func function(_ head: String, _ result: String, _ rights: String, _ body: String) -> String {
        """
        DO $po$ BEGIN EXECUTE format('CREATE OR REPLACE FUNCTION \(head) RETURNS \(result) LANGUAGE plpgsql \(rights) \
        AS %L', replace(replace($body$\(body)$body$, '@', quote_ident(current_schema())), '#name', \
        quote_literal(current_schema()))); END $po$
        """
    }

    /// Without a listener, only one expression is evaluated, for which no statement is run.
    ///
    /// The arguments of a trigger are nothing, `class` for a table with the classes of its rows, or `owner` and the
    /// owners' table for a collection, followed by `class` if that table has classes.
    private static let record = #"""
        DECLARE
            news bigint[]; olds bigint[];
        BEGIN
            IF coalesce(pg_sequence_last_value($n$@.po_listening$n$::regclass), 0) < date_part('epoch', clock_timestamp()) THEN
                RETURN NULL;
            END IF;
            -- Another role can create a trigger on its own table, whose columns have types with functions of this role.
            IF TG_TABLE_SCHEMA <> #name THEN RETURN NULL; END IF;
            IF TG_OP = 'TRUNCATE' THEN
                INSERT INTO @.po_change (tbl, kind)
                    VALUES (CASE WHEN TG_ARGV[0] = 'owner' THEN TG_ARGV[1] ELSE TG_TABLE_NAME END, 'd');
            ELSIF TG_ARGV[0] = 'owner' THEN
                IF TG_OP <> 'INSERT' THEN SELECT array_agg(DISTINCT owner_id) INTO olds FROM "po o"; END IF;
                IF TG_OP <> 'DELETE' THEN SELECT array_agg(DISTINCT owner_id) INTO news FROM "po n"; END IF;
                IF olds IS NULL AND news IS NULL THEN RETURN NULL; END IF;
                IF olds IS DISTINCT FROM news THEN news := olds || news; END IF;
                INSERT INTO @.po_change (tbl, kind, ids)
                    SELECT TG_ARGV[1], CASE WHEN TG_NARGS > 2 THEN 'C' ELSE 'c' END::"char",
                        CASE WHEN cardinality(news) <= 10000 THEN news END;
            ELSIF TG_OP = 'UPDATE' THEN
                SELECT array_agg(id) INTO news FROM "po n";
                IF news IS NULL THEN RETURN NULL; END IF;
                SELECT array_agg(id) INTO olds FROM "po o";
                IF olds IS DISTINCT FROM news THEN
                    SELECT array_agg(o.id) INTO olds FROM "po o" AS o WHERE NOT EXISTS (SELECT FROM "po n" AS n WHERE n.id = o.id);
                    IF olds IS NOT NULL THEN
                        INSERT INTO @.po_change (tbl, kind, ids)
                            VALUES (TG_TABLE_NAME, 'd', CASE WHEN cardinality(olds) <= 10000 THEN olds END);
                    END IF;
                END IF;
                IF TG_NARGS > 0 THEN
                    INSERT INTO @.po_change (tbl, kind, class, ids) SELECT TG_TABLE_NAME, 'u', class::text,
                        CASE WHEN count(*) <= 10000 THEN array_agg(id) END FROM "po n" GROUP BY class;
                ELSE
                    INSERT INTO @.po_change (tbl, kind, ids)
                        VALUES (TG_TABLE_NAME, 'u', CASE WHEN cardinality(news) <= 10000 THEN news END);
                END IF;
            ELSIF TG_OP = 'INSERT' THEN
                IF TG_NARGS > 0 THEN
                    INSERT INTO @.po_change (tbl, kind, class, ids) SELECT TG_TABLE_NAME, 'i', class::text,
                        CASE WHEN count(*) <= 10000 THEN array_agg(id) END FROM "po n" GROUP BY class;
                ELSE
                    INSERT INTO @.po_change (tbl, kind, ids) SELECT TG_TABLE_NAME, 'i',
                        CASE WHEN count(*) <= 10000 THEN array_agg(id) END FROM "po n" HAVING count(*) > 0;
                END IF;
                IF NOT FOUND THEN RETURN NULL; END IF;
            ELSE
                IF TG_NARGS > 0 THEN
                    INSERT INTO @.po_change (tbl, kind, class, ids) SELECT TG_TABLE_NAME, 'd', class::text,
                        CASE WHEN count(*) <= 10000 THEN array_agg(id) END FROM "po o" GROUP BY class;
                ELSE
                    INSERT INTO @.po_change (tbl, kind, ids) SELECT TG_TABLE_NAME, 'd',
                        CASE WHEN count(*) <= 10000 THEN array_agg(id) END FROM "po o" HAVING count(*) > 0;
                END IF;
                IF NOT FOUND THEN RETURN NULL; END IF;
            END IF;
            PERFORM pg_notify('po_change_' || md5(TG_TABLE_SCHEMA), '');
            RETURN NULL;
        END
        """#

    /// A change of tables counts as a change of any row.
    private static let recordSchema = #"""
        BEGIN
            IF (SELECT last_value FROM @.po_listening) < extract(epoch FROM clock_timestamp()) THEN RETURN; END IF;
            INSERT INTO @.po_change (tbl, kind) VALUES ('', 's');
            PERFORM pg_notify('po_change_' || md5(#name), '');
        END
        """#

    /// Registers a listener, or renews its registration; false if it was not registered without a gap.
    ///
    /// A registration that has almost ended is not renewed, because a statement may have read the former end already.
    private static let listen = #"""
        DECLARE
            wanted timestamptz; renewed boolean;
        BEGIN
            PERFORM pg_advisory_xact_lock(28785, hashtext(#name));
            wanted := clock_timestamp() + kept;
            DELETE FROM @.po_listener WHERE until < clock_timestamp() OR (id = listener AND until < clock_timestamp() + kept / 4);
            UPDATE @.po_listener SET until = wanted, seen = read, pid = pg_backend_pid()
                WHERE id = listener AND read IS NOT NULL;
            renewed := FOUND;
            IF NOT renewed THEN
                INSERT INTO @.po_listener (id, pid, seen, until)
                    VALUES (listener, pg_backend_pid(), pg_current_snapshot(), wanted)
                    ON CONFLICT (id) DO UPDATE SET pid = excluded.pid, seen = excluded.seen, until = excluded.until;
            END IF;
            PERFORM setval($n$@.po_listening$n$, extract(epoch FROM max(until))::bigint + 1) FROM @.po_listener;
            DELETE FROM @.po_change WHERE xid < (SELECT min(pg_snapshot_xmin(seen)::text::bigint)::text::xid8 FROM @.po_listener);
            RETURN renewed;
        END
        """#

    private static let unlisten = #"""
        BEGIN
            PERFORM pg_advisory_xact_lock(28785, hashtext(#name));
            DELETE FROM @.po_listener WHERE id = listener OR until < clock_timestamp();
            PERFORM setval($n$@.po_listening$n$, coalesce(extract(epoch FROM max(until))::bigint + 1, 0)) FROM @.po_listener;
            IF NOT EXISTS (SELECT FROM @.po_listener) THEN DELETE FROM @.po_change; END IF;
        END
        """#

    /// Creates the missing triggers of the classes' tables and collections; returns the number of tables whose changes
    /// cannot be recorded, because another role owns them or other sessions use them.
    private static let watchTables = #"""
        DECLARE
            missing bigint := 0; entry record; arguments text; event text; head text;
        BEGIN
            IF to_regclass($n$@.po_class$n$) IS NULL THEN RETURN 0; END IF;
            FOR entry IN
                WITH own AS (
                    SELECT DISTINCT c.oid, c.relname::text AS name, EXISTS (SELECT FROM pg_attribute AS a
                        WHERE a.attrelid = c.oid AND a.attname = 'class' AND NOT a.attisdropped) AS has_class
                    FROM pg_class AS c JOIN @.po_class AS p ON lower(p.table_name) = lower(c.relname)
                    WHERE c.relnamespace = $n$@$n$::regnamespace AND c.relkind IN ('r', 'p') AND EXISTS (SELECT FROM pg_attribute AS a
                        WHERE a.attrelid = c.oid AND a.attname = 'id' AND NOT a.attisdropped)
                ), wanted AS (
                    SELECT oid, name, CASE WHEN has_class THEN ARRAY['class'] ELSE ARRAY[]::text[] END AS args FROM own
                    UNION ALL
                    SELECT c.oid, c.relname::text, ARRAY['owner', o.name] || CASE WHEN o.has_class THEN ARRAY['class'] ELSE ARRAY[]::text[] END
                    FROM own AS o JOIN pg_constraint AS k ON k.confrelid = o.oid AND k.contype = 'f'
                        JOIN pg_class AS c ON c.oid = k.conrelid
                        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.conkey[1] AND a.attname = 'owner_id'
                    WHERE c.relkind IN ('r', 'p') AND c.oid NOT IN (SELECT oid FROM own)
                )
                SELECT w.oid::regclass AS place, w.args FROM wanted AS w WHERE 8 > (
                    SELECT count(*) FROM pg_trigger AS g WHERE g.tgrelid = w.oid AND starts_with(g.tgname, 'po_change_')
                        AND g.tgargs = coalesce((SELECT string_agg(convert_to(x, 'UTF8') || '\x00'::bytea, ''::bytea ORDER BY n)
                            FROM unnest(w.args) WITH ORDINALITY AS u(x, n)), ''::bytea))
            LOOP
                arguments := (SELECT coalesce(string_agg(quote_literal(x), ', ' ORDER BY n), '') FROM unnest(entry.args) WITH ORDINALITY AS u(x, n));
                BEGIN
                    FOREACH event IN ARRAY ARRAY['i', 'u', 'd', 't'] LOOP
                        EXECUTE format('DROP TRIGGER IF EXISTS po_change_%s ON %s', event, entry.place);
                        EXECUTE format('DROP TRIGGER IF EXISTS po_change_undo_%s ON %s', event, entry.place);
                        head := CASE event WHEN 'i' THEN 'AFTER INSERT ON %1$s REFERENCING NEW TABLE AS "po n"'
                            WHEN 'u' THEN 'AFTER UPDATE ON %1$s REFERENCING OLD TABLE AS "po o" NEW TABLE AS "po n"'
                            WHEN 'd' THEN 'AFTER DELETE ON %1$s REFERENCING OLD TABLE AS "po o"'
                            ELSE 'BEFORE TRUNCATE ON %1$s' END;
                        EXECUTE format('CREATE TRIGGER po_change_' || event || ' ' || head
                            || ' FOR EACH STATEMENT EXECUTE FUNCTION %2$s.po_changed(%3$s)', entry.place, $n$@$n$, arguments);
                        EXECUTE format('CREATE TRIGGER po_change_undo_' || event || ' ' || head || ' FOR EACH STATEMENT '
                            || 'WHEN (current_setting(''po.undo'', true) = ''1'') EXECUTE FUNCTION %2$s.po_recorded(%3$s)',
                            entry.place, $n$@$n$, arguments);
                    END LOOP;
                EXCEPTION WHEN insufficient_privilege OR lock_not_available THEN missing := missing + 1;
                END;
            END LOOP;
            RETURN missing;
        END
        """#
}
