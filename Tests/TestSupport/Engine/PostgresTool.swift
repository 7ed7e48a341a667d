internal import Foundation

/// The `psql` command line tool, which shares no code with the library.
enum PostgresTool {
    /// Runs SQL in the schema of a store, and returns the output in the format of the `sqlite3` tool, without the last
    /// line break.
    static func run(_ path: String, _ sql: String, foreignKeys: Bool = true) throws -> String {
        let schema = TestEngine.schema(path)
        guard sql != ".dump" else { return try dump(schema) }
        if let failure { throw failure }
        // Another session may have locked a row or a table for a moment.
        let start = """
            SET client_min_messages = warning; SET lock_timeout = 60000;
            SET session_replication_role = \(foreignKeys ? "origin" : "replica");
            CREATE SCHEMA IF NOT EXISTS "\(schema)"; SET search_path = "\(schema)", po_tests;
            """
        return try answer(to: "\(start)\n\(sql)")
    }

    static func answer(to sql: String, at address: String = PostgresServer.address) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "psql", "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--field-separator=|",
            "--set=ON_ERROR_STOP=1", "--dbname=\(address)",
        ]
        return try SQLiteTool.answer(of: process, to: "\(sql)\n;\n")
    }

    /// The error if the SQLite functions that tests use could not be created; nil if they were.
    private static let failure: (any Error)? = {
        let functions = """
            BEGIN; SET client_min_messages = warning; SELECT FROM pg_advisory_xact_lock(28783);
            CREATE SCHEMA IF NOT EXISTS po_tests; SET search_path = po_tests;
            CREATE OR REPLACE FUNCTION hex(bytea) RETURNS text LANGUAGE sql AS $$SELECT upper(encode($1, 'hex'))$$;
            CREATE OR REPLACE FUNCTION hex(uuid) RETURNS text LANGUAGE sql AS $$SELECT upper(replace($1::text, '-', ''))$$;
            CREATE OR REPLACE FUNCTION length(uuid) RETURNS int LANGUAGE sql AS $$SELECT 16$$;
            CREATE OR REPLACE FUNCTION typeof(anyelement) RETURNS text LANGUAGE sql AS $$
                SELECT CASE WHEN $1 IS NULL THEN 'null' ELSE CASE pg_typeof($1)::text WHEN 'bytea' THEN 'blob'
                WHEN 'uuid' THEN 'blob' WHEN 'bigint' THEN 'integer' WHEN 'double precision' THEN 'real' ELSE 'text' END END$$;
            CREATE OR REPLACE FUNCTION po_joined(text, anyelement) RETURNS text LANGUAGE sql AS $$
                SELECT CASE WHEN $2 IS NULL THEN $1 WHEN $1 IS NULL THEN $2::text ELSE $1 || ',' || $2::text END$$;
            CREATE OR REPLACE AGGREGATE group_concat(anyelement) (SFUNC = po_joined, STYPE = text);
            COMMIT;
            """
        do { _ = try answer(to: functions) } catch { return error }
        return nil
    }()

    /// The rows of a schema's tables in a fixed order, with its columns, indexes and triggers.
    ///
    /// The state of sequences is left out, because a rollback does not revert it.
    private static func dump(_ schema: String) throws -> String {
        let tables = "pg_class AS c WHERE c.relnamespace = '\"\(schema)\"'::regnamespace"
        return try answer(
            to: """
                SET search_path = "\(schema)";
                SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull FROM pg_attribute AS a
                    JOIN \(tables.replacing(" WHERE", with: " ON c.oid = a.attrelid AND")) ORDER BY 1, 2;
                SELECT pg_get_indexdef(c.oid) FROM \(tables) AND c.relkind = 'i' ORDER BY 1;
                SELECT pg_get_triggerdef(t.oid) FROM pg_trigger AS t WHERE t.tgrelid IN (SELECT c.oid FROM \(tables))
                    AND NOT t.tgisinternal ORDER BY 1;
                SELECT format('SELECT %L, to_jsonb(t) FROM %I AS t ORDER BY 2', c.relname, c.relname) FROM \(tables)
                    AND c.relkind = 'r' ORDER BY c.relname \\gexec
                """)
    }
}
