internal import StoreEngine

/// The objects that a store's statements need in its schema: functions, and the gate that writers lock.
enum PostgresFunctions {
    /// Creates them if they do not exist.
    static func install(_ session: PostgresSession) throws(StoreError) {
        let found = try session.runTexts([
            """
            SELECT 'functions' WHERE \(PostgresChanges.isCurrent) UNION ALL SELECT 'gate' FROM pg_class \
            WHERE relname = 'po_gate' AND relkind = 'r' AND relnamespace = quote_ident(current_schema())::regnamespace
            """
        ])
        let names = found.first.map { found in (0..<found.rowCount).compactMap { found.text($0, 0) } } ?? []
        guard Set(names).count < 2 else { return }
        if !names.contains("functions") { try PostgresRequirements.check(session) }
        // The owner of the functions can differ from the owner of the gate.
        let all =
            names.contains("functions")
            ? [gate]
            : extremes("bytea") + extremes("uuid") + definitions + PostgresChanges.tables + PostgresWords.functions
                + PostgresChanges.functions
        let lock = "SELECT pg_advisory_xact_lock(28783, hashtext(current_schema()))"
        do throws(StoreError) { try session.runTexts(["BEGIN", lock] + all + ["COMMIT"]) } catch {
            _ = try? session.runTexts(["ROLLBACK"])
            guard error.code == .notPermitted else { throw error }
            throw StoreError(
                .cannotOpen,
                "The store's functions in this schema are missing or of another version, and the role "
                    + "\(session.pipe.role ?? "") may not create them. Open the store once as their owner")
        }
    }

    private static let gate = "CREATE TABLE IF NOT EXISTS po_gate ()"

    private static let definitions = [
        gate,
        refusing(
            "po_regexp(text, text)", "boolean", "The regular expressions of PostgreSQL differ from those of matches(_:)"
        ),
        refusing("po_count(text)", "bigint", "PostgreSQL cannot count the characters of a string as Swift does"),
        """
        CREATE OR REPLACE FUNCTION po_expect(counted bigint, wanted bigint) RETURNS bigint LANGUAGE plpgsql AS $po$
        BEGIN
            IF counted <> wanted THEN
                RAISE EXCEPTION USING ERRCODE = '\(PostgresFailure.unexpected)', MESSAGE = 'others have changed the rows';
            END IF;
            RETURN counted;
        END $po$
        """,
        // JSON numbers and Booleans, as columns store them.
        """
        CREATE OR REPLACE FUNCTION po_number(json) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $po$
            SELECT CASE json_typeof($1) WHEN 'number' THEN ($1 #>> '{}')::numeric
                WHEN 'boolean' THEN CASE WHEN ($1 #>> '{}') = 'true' THEN 1 ELSE 0 END END
        $po$
        """,
        // `*`, `?` and `[…]` as a regular expression that matches a whole string.
        #"""
        CREATE OR REPLACE FUNCTION po_glob(pattern text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $po$
        DECLARE
            place int := 1; size int := length(pattern); result text := '^'; c text; stop int; members text;
        BEGIN
            WHILE place <= size LOOP
                c := substr(pattern, place, 1);
                IF c = '*' THEN result := result || '.*';
                ELSIF c = '?' THEN result := result || '.';
                ELSIF c = '[' THEN
                    stop := place + 1;
                    IF substr(pattern, stop, 1) = '^' THEN stop := stop + 1; END IF;
                    IF substr(pattern, stop, 1) = ']' THEN stop := stop + 1; END IF;
                    WHILE stop <= size AND substr(pattern, stop, 1) <> ']' LOOP stop := stop + 1; END LOOP;
                    IF stop > size THEN RETURN 'a^'; END IF;
                    members := substr(pattern, place + 1, stop - place - 1);
                    members := replace(replace(members, '\', '\\'), '[', '\[');
                    IF left(members, 1) = '^' THEN result := result || '[^' || replace(substr(members, 2), ']', '\]') || ']';
                    ELSE result := result || '[' || replace(members, ']', '\]') || ']'; END IF;
                    place := stop;
                ELSIF c ~ '^[a-zA-Z0-9_ ]$' OR ascii(c) > 127 THEN result := result || c;
                ELSE result := result || '\' || c;
                END IF;
                place := place + 1;
            END LOOP;
            RETURN '(?s)' || result || '$';
        END $po$
        """#,
    ]

    /// The minimum and maximum of sortable types that lack these aggregates.
    private static func extremes(_ type: String) -> [String] {
        [("po_less", "<=", "min"), ("po_greater", ">=", "max")].flatMap { function, comparison, aggregate in
            [
                """
                CREATE OR REPLACE FUNCTION \(function)(\(type), \(type)) RETURNS \(type) LANGUAGE sql \
                IMMUTABLE STRICT PARALLEL SAFE AS 'SELECT CASE WHEN $1 \(comparison) $2 THEN $1 ELSE $2 END'
                """,
                "CREATE OR REPLACE AGGREGATE \(aggregate)(\(type)) (SFUNC = \(function), STYPE = \(type))",
            ]
        }
    }

    private static func refusing(_ head: String, _ result: String, _ reason: String) -> String {
        """
        CREATE OR REPLACE FUNCTION \(head) RETURNS \(result) LANGUAGE plpgsql IMMUTABLE AS $po$
        BEGIN RAISE EXCEPTION USING ERRCODE = 'feature_not_supported', MESSAGE = '\(reason.replacing("'", with: "''"))'; END $po$
        """
    }
}
