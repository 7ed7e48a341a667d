// Undo: records the rows that the statements of a transaction change, and writes them back. It knows tables and rows,
// and must not know their meaning.

internal import StoreEngine

/// The table in which triggers record changed rows, the function that writes it and the query that reads it.
///
/// A row of the table has all rows of a statement, each as the server writes a row as text: `(1,Smith,"a, b",)`. Compared
/// with a row for each recorded row as JSON, this takes less than half of the server's time, and the client need not parse
/// the rows before an undo.
///
/// The table is temporary, because only the session that writes the rows reads them: they need no log, and serializable
/// transactions do not conflict in them.
enum PostgresRecords {
    /// The statements that create the table of a connection. `ON COMMIT DELETE ROWS` would take ten times as long as
    /// reading the rows, because it rebuilds files at each commit. Compressing the rows would take longer than writing
    /// them.
    ///
    /// The triggers run with the rights of the statement's role, which can be the owner of a function.
    static let table = [
        """
        CREATE TEMPORARY TABLE IF NOT EXISTS po_undo (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
        kind "char" NOT NULL, tbl oid, olds text, news text)
        """,
        "ALTER TABLE pg_temp.po_undo ALTER olds SET STORAGE EXTERNAL, ALTER news SET STORAGE EXTERNAL",
        "GRANT INSERT ON pg_temp.po_undo TO PUBLIC",
    ]

    /// Empties the table, whose rows are not deleted when they are read.
    static let emptying = "TRUNCATE pg_temp.po_undo"
    /// The size and number of rows above which the table is emptied when the next transaction begins. The server then
    /// plans the statements again, which takes as long as recording a hundred rows.
    static let (mostBytes, mostRows) = (1 << 22, Int64(10_000))

    /// The query that reads the rows from a number on, in their order, because rows take the places of rows that were rolled
    /// back. If their size exceeds a limit, it returns only the size.
    ///
    /// The first statement on a table has the number of the table's columns, including dropped columns, and the name of
    /// the table. No other session can change them before the commit. The upper bounds of the numbers let the server expect
    /// few rows and use the index.
    static let taking = """
        SELECT u.number, u.kind::text, u.tbl, CASE WHEN lag(u.tbl) OVER (ORDER BY u.number) IS DISTINCT FROM u.tbl THEN \
        (SELECT c.relnatts::text || ' ' || c.relname FROM pg_class AS c WHERE c.oid = u.tbl) END, s.size, \
        CASE WHEN s.size <= $2 THEN u.olds END, CASE WHEN s.size <= $2 THEN u.news END FROM pg_temp.po_undo AS u, \
        (SELECT sum(coalesce(octet_length(olds), 0) + coalesce(octet_length(news), 0)) AS size FROM pg_temp.po_undo \
        WHERE number BETWEEN $1 AND $1 + 1000000000000) AS s \
        WHERE u.number BETWEEN $1 AND $1 + 1000000000000 AND (s.size <= $2 OR u.tbl IS NOT NULL) ORDER BY u.number
        """

    /// The settings of the trigger function, which determine the text of dates and numbers. It has no other rights, because
    /// it writes into a table of the session.
    static let settings = "SET datestyle = ISO SET extra_float_digits = 1"

    /// The trigger function. The rows of one statement are one value, unless there are many or long rows, whose text could exceed the largest
    /// possible value of a gigabyte. Then each row is a value.
    static let function = #"""
        BEGIN
            -- The history records an undo, and is not undone.
            IF starts_with(TG_TABLE_NAME, 'po_') THEN RETURN NULL; END IF;
            IF TG_OP = 'INSERT' THEN
                INSERT INTO pg_temp.po_undo (kind, tbl, news) SELECT 'I', TG_RELID, n.rows FROM
                    (SELECT string_agg(r.row, '') FILTER (WHERE octet_length(r.row) < 65536) AS rows
                        FROM (SELECT "po n"::text AS row FROM "po n" LIMIT 4097) AS r
                        HAVING count(*) < 4097 AND max(octet_length(r.row)) < 65536) AS n;
                IF FOUND OR NOT EXISTS (SELECT FROM "po n") THEN RETURN NULL; END IF;
                INSERT INTO pg_temp.po_undo (kind, tbl) VALUES ('I', TG_RELID);
                INSERT INTO pg_temp.po_undo (kind, news) SELECT 'n', "po n"::text FROM "po n";
            ELSIF TG_OP = 'UPDATE' THEN
                INSERT INTO pg_temp.po_undo (kind, tbl, olds, news) SELECT 'U', TG_RELID, o.rows, n.rows FROM
                    (SELECT string_agg(r.row, '') FILTER (WHERE octet_length(r.row) < 65536) AS rows
                        FROM (SELECT "po o"::text AS row FROM "po o" LIMIT 4097) AS r
                        HAVING count(*) < 4097 AND max(octet_length(r.row)) < 65536) AS o,
                    (SELECT string_agg(r.row, '') FILTER (WHERE octet_length(r.row) < 65536) AS rows
                        FROM (SELECT "po n"::text AS row FROM "po n" LIMIT 4097) AS r
                        HAVING count(*) < 4097 AND max(octet_length(r.row)) < 65536) AS n;
                IF FOUND OR NOT EXISTS (SELECT FROM "po n") THEN RETURN NULL; END IF;
                INSERT INTO pg_temp.po_undo (kind, tbl) VALUES ('U', TG_RELID);
                INSERT INTO pg_temp.po_undo (kind, olds) SELECT 'o', "po o"::text FROM "po o";
                INSERT INTO pg_temp.po_undo (kind, news) SELECT 'n', "po n"::text FROM "po n";
            ELSIF TG_OP = 'DELETE' THEN
                INSERT INTO pg_temp.po_undo (kind, tbl, olds) SELECT 'D', TG_RELID, o.rows FROM
                    (SELECT string_agg(r.row, '') FILTER (WHERE octet_length(r.row) < 65536) AS rows
                        FROM (SELECT "po o"::text AS row FROM "po o" LIMIT 4097) AS r
                        HAVING count(*) < 4097 AND max(octet_length(r.row)) < 65536) AS o;
                IF FOUND OR NOT EXISTS (SELECT FROM "po o") THEN RETURN NULL; END IF;
                INSERT INTO pg_temp.po_undo (kind, tbl) VALUES ('D', TG_RELID);
                INSERT INTO pg_temp.po_undo (kind, olds) SELECT 'o', "po o"::text FROM "po o";
            ELSE
                INSERT INTO pg_temp.po_undo (kind, tbl) VALUES ('D', TG_RELID);
                EXECUTE format('INSERT INTO pg_temp.po_undo (kind, olds) SELECT ''o'', "po o"::text FROM %s AS "po o"',
                    TG_RELID::regclass);
            END IF;
            RETURN NULL;
        END
        """#
}
