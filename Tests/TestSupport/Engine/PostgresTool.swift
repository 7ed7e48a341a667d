internal import Foundation

/// The `psql` command line tool: a witness that shares no code with us.
enum PostgresTool {
    /// Runs SQL in the schema of a store; the answer is the output as the `sqlite3` tool gives it, without the last line
    /// break.
    static func run(_ path: String, _ sql: String, foreignKeys: Bool = true) throws -> String {
        let schema = TestEngine.schema(path)
        guard sql != ".dump" else { return try dump(schema) }
        if let failure { throw failure }
        // Others may hold a row or a table for a moment.
        let start = """
            SET client_min_messages = warning; SET lock_timeout = 10000;
            SET session_replication_role = \(foreignKeys ? "origin" : "replica");
            CREATE SCHEMA IF NOT EXISTS "\(schema)"; SET search_path = "\(schema)", po_tests;
            """
        return try answer(to: "\(start)\n\(sql)")
    }

    private static func answer(to sql: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "psql", "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--field-separator=|",
            "--set=ON_ERROR_STOP=1", "--dbname=\(PostgresServer.address)",
        ]
        return try SQLiteTool.answer(of: process, to: "\(sql)\n;\n")
    }

    /// Why the functions of SQLite's that tests look at rows with could not be made; nil where they were.
    private static let failure: (any Error)? = {
        let functions = """
            BEGIN; SET client_min_messages = warning; SELECT FROM pg_advisory_xact_lock(28783);
            CREATE SCHEMA IF NOT EXISTS po_tests; SET search_path = po_tests;
            CREATE OR REPLACE FUNCTION hex(bytea) RETURNS text LANGUAGE sql AS $$SELECT upper(encode($1, 'hex'))$$;
            CREATE OR REPLACE FUNCTION typeof(anyelement) RETURNS text LANGUAGE sql AS $$
                SELECT CASE WHEN $1 IS NULL THEN 'null' ELSE CASE pg_typeof($1)::text WHEN 'bytea' THEN 'blob'
                WHEN 'bigint' THEN 'integer' WHEN 'double precision' THEN 'real' ELSE 'text' END END$$;
            CREATE OR REPLACE FUNCTION po_joined(text, anyelement) RETURNS text LANGUAGE sql AS $$
                SELECT CASE WHEN $2 IS NULL THEN $1 WHEN $1 IS NULL THEN $2::text ELSE $1 || ',' || $2::text END$$;
            CREATE OR REPLACE AGGREGATE group_concat(anyelement) (SFUNC = po_joined, STYPE = text);
            COMMIT;
            """
        do { _ = try answer(to: functions) } catch { return error }
        return nil
    }()

    /// All that a schema has, in an order of its own. What sequences have given is left out: no rollback takes it back.
    private static func dump(_ schema: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["pg_dump", "--inserts", "--schema=\(schema)", "--dbname=\(PostgresServer.address)"]
        return try SQLiteTool.answer(of: process, to: "").split(separator: "\n")
            .filter { !$0.hasPrefix("SELECT pg_catalog.setval(") && !$0.hasPrefix("\\") && !$0.hasPrefix("--") }
            .sorted().joined(separator: "\n")
    }
}
