internal import StoreEngine

/// The schemas of a database, each of which can contain a store.
enum PostgresSchemas {
    /// Makes a schema the only place where unqualified names are found, except for the server's own names.
    ///
    /// PostgreSQL accepts the name of a schema that does not exist. Statements then find no table.
    static func selection(_ name: String) -> String { ("SET search_path = \(name: name)" as SQL).text }

    /// Throws if no schema of a store can have the name.
    static func check(_ name: String) throws(StoreError) {
        let size = name.utf8.count
        let problem: String? =
            if name.isEmpty {
                "it is empty"
            } else if name.utf8.contains(0) {
                "it contains a NUL"
            } else if size > 63 {
                "it has \(size) bytes, and PostgreSQL allows 63 at most"
            } else if name.hasPrefix("pg_") || name == "information_schema" {
                "PostgreSQL reserves it"
            } else {
                nil
            }
        guard let problem else { return }
        throw StoreError(
            .misuse, "The name of the schema \"\(name)\" cannot be used: \(problem). Choose another name")
    }

    /// Creates a schema that the role cannot use yet, and returns its number.
    ///
    /// Its existence is queried first, because CREATE SCHEMA IF NOT EXISTS needs a privilege even if the schema exists.
    static func create(_ name: String, _ pipe: PostgresPipe, isWritable: Bool) throws(StoreError) -> String? {
        let quoted = ("\(name: name)" as SQL).text
        guard let literal = SQLLiteral(.text(name)).map({ ("\(literal: $0)" as SQL).text }) else { return nil }
        let role = ("\(name: pipe.role ?? "")" as SQL).text
        let number = "SELECT oid::text FROM pg_namespace WHERE nspname = \(literal)"
        let found = try run([number], pipe)
        if found.last?.rowCount == 1 {
            throw StoreError(
                .notPermitted,
                "The role \(role) may not use the schema \(quoted). Its owner can run: "
                    + "GRANT USAGE ON SCHEMA \(quoted) TO \(role)")
        }
        guard isWritable else {
            throw StoreError(
                .cannotOpen,
                "There is no schema \(quoted), and a read-only store does not create it. Open it once with a store "
                    + "that writes")
        }
        // Sessions that create the same schema at the same time would collide.
        let lock = "SELECT pg_advisory_xact_lock(28783, hashtext(\(literal)))"
        do throws(StoreError) {
            let results = try run(
                ["BEGIN", lock, "CREATE SCHEMA IF NOT EXISTS \(quoted)", number, "COMMIT"], pipe)
            return results.count == 5 ? results[3].text(0, 0) : nil
        } catch {
            _ = try? pipe.roundTrip([.text("ROLLBACK")])
            guard error.code == .notPermitted else { throw error }
            throw StoreError(
                .notPermitted,
                "There is no schema \(quoted), and the role \(role) may not create it. The owner of the database can "
                    + "run: CREATE SCHEMA \(quoted) AUTHORIZATION \(role)")
        }
    }

    private static func run(_ texts: [String], _ pipe: PostgresPipe) throws(StoreError) -> [PostgresResult] {
        let results = try pipe.roundTrip(texts.map { .text($0) })
        let failure = results.lazy.compactMap { $0.isSkipped ? nil : $0.failure }.first
        if let failure { throw .postgres(failure) }
        return results
    }
}
