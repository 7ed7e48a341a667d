#if PostgreSQL
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private final class Note: PersistentObject {
        override class var tableName: String { "note" }
        var text = ""
        var part: Note?
    }

    /// The errors for all codes of the server that the library distinguishes.
    @Suite(.onPostgres("SQLite has its own codes")) struct ServerErrorTests {
        private static let conflict =
            "busy: reason (SQLSTATE). This transaction conflicted with another one and was rolled back. Use "
            + "transaction(retries: 3)"
        private static let lock = "busy: reason (SQLSTATE). Another session or process holds a lock that is needed"
        private static let pooler =
            "unsupported: reason (SQLSTATE). A pooler between this program and the server gives connections to other "
            + "clients. Use pool_mode=session"
        private static let damage =
            "corrupt: reason (SQLSTATE). The server reports damaged data. Check it, or use a backup"

        private static let errors: KeyValuePairs<String, String> = [
            "08006": "connectionLost: reason (SQLSTATE)",
            "0A000": "unsupported: reason (SQLSTATE)",
            "21000": "sqlite: reason (SQLSTATE)",
            "22001": "tooBig: reason (SQLSTATE)",
            "22003": "constraint: reason (SQLSTATE)",
            "22007": "typeMismatch: reason (SQLSTATE)",
            "22008": "typeMismatch: reason (SQLSTATE)",
            "22P02": "typeMismatch: reason (SQLSTATE)",
            "23502": "constraint: reason (SQLSTATE)",
            "23503": "constraint: reason (SQLSTATE)",
            "23505": "notUnique: reason (SQLSTATE)",
            "23514": "constraint: reason (SQLSTATE)",
            "23P01": "constraint: reason (SQLSTATE)",
            "25006": "readOnly: reason (SQLSTATE). The server or the session is read-only",
            "26000": pooler,
            "28000": "cannotOpen: reason (SQLSTATE)",
            "28P01": "cannotOpen: reason (SQLSTATE)",
            "3D000": "cannotOpen: reason (SQLSTATE)",
            "40001": conflict,
            "40P01": conflict,
            "42501":
                "notPermitted: The role \"po\" may not do this: reason. The owner can grant the right, or run it (SQLSTATE)",
            "42601": "invalidSQL: reason (SQLSTATE)",
            "42804": "typeMismatch: reason (SQLSTATE)",
            "42P01": "invalidSQL: reason (SQLSTATE)",
            "42P05": pooler,
            "53100": "diskFull: reason (SQLSTATE). Nothing was written. Free some disk space and save again",
            "53200": "outOfMemory: reason (SQLSTATE)",
            "54000": "tooBig: reason (SQLSTATE)",
            "55006": lock,
            "55P03": lock,
            "57014": "timedOut: reason (SQLSTATE)",
            "57P01": "connectionLost: reason (SQLSTATE)",
            "58030": "inputOutput: reason (SQLSTATE)",
            "P0001": "constraint: reason (SQLSTATE)",
            "PO002": "constraint: reason (SQLSTATE)",
            "XX001": damage,
            "XX002": damage,
        ]

        @Test func `each code of the server has a kind of error and a text`() throws {
            try withTemporarySession { session, file in
                _ = try file.sqlite(
                    """
                    CREATE FUNCTION fail(state text) RETURNS int LANGUAGE plpgsql AS $$
                    BEGIN RAISE EXCEPTION USING ERRCODE = state, MESSAGE = 'reason'; END $$
                    """)
                for (state, wanted) in Self.errors {
                    let error = #expect(throws: StoreError.self) { () throws in
                        _ = try session.rows("SELECT fail(?)", state)
                    }
                    let text = wanted.replacing("(SQLSTATE)", with: "(SQLSTATE \(state))") + " [SELECT fail(?)]"
                    expect(error.map { "\($0.code): \($0)" } ?? "", text)
                }
            }
        }

        private func text(_ body: () throws -> Void) -> String {
            do { try body() } catch let error as StoreError { return "\(error.code): \(error)" } catch {
                return "\(error)"
            }
            return "none"
        }

        @Test func `errors that the server raises by itself have the same kinds`() throws {
            try withTemporarySession { session, _ in
                try Note().save()
                func expectFailure(_ sql: String, _ wanted: String) {
                    expect(text { try session.connection.execute(SQL(RawSQL(sql))) }, "\(wanted) [\(sql)]")
                }
                try session.connection.execute("PREPARE po_twice AS SELECT 1")
                expectFailure(
                    "PREPARE po_twice AS SELECT 1",
                    Self.pooler.replacing(
                        "reason (SQLSTATE)", with: "prepared statement \"po_twice\" already exists (SQLSTATE 42P05)"))
                expectFailure(
                    "EXECUTE po_never",
                    Self.pooler.replacing(
                        "reason (SQLSTATE)", with: "prepared statement \"po_never\" does not exist (SQLSTATE 26000)"))
                expectFailure(
                    "SELECT 'x'::bigint",
                    "typeMismatch: invalid input syntax for type bigint: \"x\" (SQLSTATE 22P02)")
                expectFailure("SELECT 9223372036854775807 + 1", "constraint: bigint out of range (SQLSTATE 22003)")
                expectFailure("SELEC 1", "invalidSQL: syntax error at or near \"SELEC\" (SQLSTATE 42601)")
                expectFailure("SELECT 1 FROM gone", "invalidSQL: relation \"gone\" does not exist (SQLSTATE 42P01)")
            }
            let gone = text { try Store(.postgres(PostgresDatabase().address() + "&dbname=gone")).close() }
            #expect(gone.hasPrefix("cannotOpen: The server cannot be reached: "))
            #expect(gone.contains("\"gone\" does not exist"))
        }

        @Test func `matches and counts of characters name the class and the property`() throws {
            try withTemporarySession { _, _ in
                let matches =
                    "PostgreSQL's regular expressions differ from those of matches. Match the strings in Swift after "
                    + "the fetch"
                let count = "PostgreSQL counts characters differently from Swift. Count them in Swift after the fetch"
                for pattern in ["a|b", "^ab"] {
                    let plain = text { _ = try Note.where { $0.text.matches(pattern) }.all() }
                    expect(plain, "unsupported: Note.text: \(matches)")
                    let found = text { _ = try Note.findByTextMatches(pattern) }
                    expect(found, "unsupported: Note.text: \(matches)")
                    let path = text { _ = try Note.where { $0.part.text.lowercased().matches(pattern) }.count() }
                    expect(path, "unsupported: Note.text: \(matches)")
                }
                expect(text { _ = try Note.where { $0.text.count > 3 }.all() }, "unsupported: Note.text: \(count)")
                expect(text { _ = try Note.query.order { $0.text.count }.all() }, "unsupported: Note.text: \(count)")
            }
        }
    }
#endif
