internal import StoreEngine

// The settings of a connection, which each new connection to the server gets before its first statement.
extension PostgresConnection {
    func setUp(_ pipe: PostgresPipe) throws(StoreError) {
        guard pipe.parameter("server_encoding") == "UTF8" else {
            throw StoreError(
                .cannotOpen, "The database is not encoded in UTF-8. Create one with: createdb --encoding UTF8")
        }
        guard pipe.parameter("standard_conforming_strings") == "on" else {
            throw StoreError(.cannotOpen, "The setting standard_conforming_strings must be on")
        }
        let identity = options.replica == nil ? [] : [PostgresPipe.Command.text(PostgresConnection.identity)]
        let results = try apply(
            settings.map { .text($0) } + PostgresSnapshots.preparations(options) + identity, pipe)
        try PostgresRequirements.checkDivision(results.last?.text(0, 3))
        guard options.file.isReadOnly || results.last?.text(0, 2) != "true" else {
            throw StoreError(
                .readOnly,
                "This server is a replica, and a replica cannot be written. Open the store with isReadOnly, or add "
                    + "target_session_attrs=read-write and the primary's name to the address")
        }
        primary.isReplica = results.last?.text(0, 2) == "true"
        if !identity.isEmpty { cluster = results.dropLast().last.map(PostgresConnection.cluster) ?? [] }
        session.serverStart = results.last?.text(0, 1) ?? ""
    }

    /// Reverts everything that statements can have changed in the server's session, and makes the settings again.
    ///
    /// It does what DISCARD ALL does, in the same order, but keeps the prepared statements.
    func reset(_ pipe: PostgresPipe) throws(StoreError) {
        try apply((PostgresConnection.reversion + settings).map { .text($0) }, pipe)
    }

    static let reversion = [
        "CLOSE ALL", "SET SESSION AUTHORIZATION DEFAULT", "RESET ROLE", "RESET ALL", "UNLISTEN *",
        "SELECT pg_advisory_unlock_all()", "DISCARD TEMP", "DISCARD SEQUENCES",
    ]

    /// Runs commands in one round trip and one transaction, and confirms the schema.
    @discardableResult
    private func apply(
        _ commands: [PostgresPipe.Command], _ pipe: PostgresPipe
    ) throws(StoreError) -> [PostgresResult] {
        let results = try pipe.roundTrip(commands + [.text(PostgresConnection.state)])
        if let failure = results.first(where: { $0.failure != nil && !$0.isSkipped })?.failure {
            throw .postgres(failure)
        }
        schemaNumber = results.last?.text(0, 4)
        try confirmSchema(results.last, pipe)
        return results
    }

    /// The statements that make the settings.
    ///
    /// If the store has named a schema, it is the only one in the `search_path`, so that no statement finds a table of
    /// another schema, also if this one has been dropped. The dates of the library are in UTC, and the server converts
    /// between `timestamp` and `timestamptz` in the time zone of the session.
    var settings: [String] {
        var texts = [
            "SET client_encoding = 'UTF8'", "SET timezone = 'UTC'", "SET datestyle = ISO",
            "SET client_min_messages = warning", "SET extra_float_digits = 1",
            "SET lock_timeout = \(options.busyTimeout)", "SET statement_timeout = \(timeLimit)",
            "SET synchronous_commit = \(options.isFullyDurable ? "on" : "off")",
        ]
        if options.file.isReadOnly { texts.append("SET default_transaction_read_only = on") }
        if let schemaName { texts.append(PostgresSchemas.selection(schemaName)) }
        return texts
    }

    /// Queries the schema of the tables, and the server's identity and role.
    private static let state = """
        SELECT current_schema(), pg_postmaster_start_time()::text, pg_is_in_recovery()::text, \
        \(PostgresRequirements.division), \
        (SELECT oid::text FROM pg_namespace WHERE nspname = current_schema())
        """

    /// Creates the schema that the store has named, if it does not exist.
    private func confirmSchema(_ state: PostgresResult?, _ pipe: PostgresPipe) throws(StoreError) {
        guard state?.text(0, 0) == nil else { return }
        guard let schemaName else {
            throw StoreError(
                .cannotOpen, "None of the schemas in the user's search_path exists. Create one: CREATE SCHEMA …")
        }
        let isWritable = !options.file.isReadOnly && state?.text(0, 2) != "true"
        schemaNumber = try PostgresSchemas.create(schemaName, pipe, isWritable: isWritable)
    }
}
