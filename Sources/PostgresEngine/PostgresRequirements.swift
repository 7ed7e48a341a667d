internal import StoreEngine

/// The behavior of PostgreSQL on which the guarantees of a store rest.
///
/// A server that only resembles PostgreSQL can lack some of it, often silently: conflicts would not be noticed, or
/// conditions would mean something else. Versions say nothing about that, so the behavior itself is tested.
///
/// Every connection tests the division, in the round trip that it makes anyway. The other tests write, so they run only
/// when the functions of a schema are created or replaced. Tests that the role has no right to run are skipped.
enum PostgresRequirements {
    /// A term whose value `checkDivision` expects.
    static let division = "(7 / 2)::text"

    static func checkDivision(_ quotient: String?) throws(StoreError) {
        guard quotient == "3" else { throw refusal("7 / 2 is \(quotient ?? "NULL") instead of 3") }
    }

    /// Runs the tests that write, in a transaction that is rolled back.
    static func check(_ session: PostgresSession) throws(StoreError) {
        let begin = "BEGIN ISOLATION LEVEL SERIALIZABLE"
        let lock = "SELECT pg_advisory_xact_lock(28783, hashtext(current_schema()))"
        let create = "CREATE TABLE po_trial (id bigint PRIMARY KEY, other bigint)"
        defer { _ = try? session.runTexts(["ROLLBACK"]) }
        do throws(StoreError) { try session.runTexts([begin, lock, create]) } catch {
            guard error.code == .notPermitted else { throw error }
            return
        }
        try check("LOCK TABLE in a transaction", session, ["LOCK TABLE po_trial IN EXCLUSIVE MODE"])
        try check(
            "a deferrable foreign key", session,
            [
                "ALTER TABLE po_trial ADD FOREIGN KEY (other) REFERENCES po_trial DEFERRABLE INITIALLY DEFERRED",
                "INSERT INTO po_trial VALUES (1, 2)", "INSERT INTO po_trial VALUES (2, NULL)",
                "SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL DEFERRED",
            ])
        let xmin = "the xmin of a new row, which must be the number of the transaction"
        let isOwn = "bool_and(xmin::text::bigint = pg_current_xact_id()::text::bigint & 4294967295)"
        let found = try check(xmin, session, ["SELECT \(isOwn)::text FROM po_trial"])
        guard found.last?.text(0, 0) == "true" else { throw refusal(xmin) }
        do throws(StoreError) {
            try session.runTexts(["INSERT INTO po_trial VALUES (3, 4)", "SET CONSTRAINTS ALL IMMEDIATE"])
        } catch {
            guard error.constraint?.kind != .foreignKey else { return }
            throw error
        }
        throw refusal("a foreign key that refuses a dangling reference")
    }

    @discardableResult
    private static func check(
        _ name: String, _ session: PostgresSession, _ texts: [String]
    ) throws(StoreError) -> [PostgresResult] {
        do throws(StoreError) { return try session.runTexts(texts) } catch {
            // Other failures, such as a lost connection, concern this attempt and not the kind of server.
            let ofServer = ["0A", "22", "23", "42"]
            guard let state = error.serverState, ofServer.contains(where: state.hasPrefix) else { throw error }
            throw refusal("\(name) (\(error.message))")
        }
    }

    private static func refusal(_ test: String) -> StoreError {
        StoreError(
            .unsupported,
            "This server is not PostgreSQL, or differs from it in a way that would make stores unreliable. The failed "
                + "test: \(test). Use a PostgreSQL server")
    }
}
