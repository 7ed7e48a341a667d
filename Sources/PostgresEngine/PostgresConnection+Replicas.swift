internal import StoreEngine

// The replica of the server, to which queries outside transactions go.
extension PostgresConnection {
    var lastCommit: WriteToken? { primary.progress?.lastCommit }

    func startWork(after token: WriteToken?) throws(StoreError) {
        if isReplica, token != nil {
            throw StoreError(
                .unsupported,
                "This server is a replica, which may not have the write yet. Open the store with the address of the "
                    + "server that can be written, and name the replica in its configuration")
        }
        primary.progress?.start(after: token)
        replica?.endPause()
    }

    /// The replica that the store has named.
    ///
    /// - Throws: `StoreError` if its address is none, or if it is a replica of another server.
    func makeReplica() throws(StoreError) -> PostgresReplica? {
        guard let wanted = options.replica, let progress = primary.progress else { return nil }
        guard wanted.address.hasPrefix("postgres://") || wanted.address.hasPrefix("postgresql://") else {
            throw StoreError(.misuse, "The address of a replica must begin with postgres://")
        }
        _ = try PostgresAddress(wanted.address)
        // The server is a replica itself.
        guard !isReplica else { return nil }
        let replica = PostgresReplica(of: primary, progress) { [weak self] () throws(StoreError) in
            guard let self else { throw StoreError(.connectionLost, "The connection to the server was closed") }
            return try connectToReplica(wanted.address)
        } enterSchema: { [weak self] pipe throws(StoreError) in
            guard let self, replicaSchemaName != schemaName else { return }
            try resetReplica(pipe)
        }
        if !progress.moments.isConfirmed, !progress.moments.isPaused { try replica.confirm() }
        return replica
    }

    private func connectToReplica(_ address: String) throws(StoreError) -> PostgresPipe {
        let pipe = try PostgresPipe(opening: address, isReplaceable: true)
        try setUpReplica(pipe, settings, [PostgresSnapshots.replicaPreparation])
        return pipe
    }

    private func resetReplica(_ pipe: PostgresPipe) throws(StoreError) {
        try setUpReplica(pipe, PostgresConnection.reversion + settings, [])
    }

    /// Makes the settings of a connection to the replica, and checks that it has the tables of the store.
    private func setUpReplica(
        _ pipe: PostgresPipe, _ texts: [String], _ preparations: [PostgresPipe.Command]
    ) throws(StoreError) {
        let all = texts + ["SET default_transaction_read_only = on"]
        let results = try pipe.roundTrip(
            all.map { .text($0) } + preparations + [.text(PostgresConnection.identity)])
        if let failure = results.first(where: { $0.failure != nil && !$0.isSkipped })?.failure {
            throw .postgres(failure)
        }
        guard let identity = results.last, PostgresConnection.cluster(identity) == cluster else {
            throw StoreError(
                .misuse,
                "The server that the configuration names as the replica is not a replica of this database. Name a "
                    + "streaming replica of the store's server, with the same database")
        }
        // The numbers are the server's, so the same number is the same schema.
        guard identity.text(0, 2) == schemaNumber else {
            throw StoreError(.busy, "The replica has not received the schema yet")
        }
        replicaSchemaName = schemaName
    }

    /// Queries what a server has in common with its replicas: the number of the cluster, the database and the schema.
    static let identity = """
        SELECT (SELECT system_identifier FROM pg_control_system())::text, \
        (SELECT oid FROM pg_database WHERE datname = current_database())::text, \
        (SELECT oid FROM pg_namespace WHERE nspname = current_schema())::text
        """

    static func cluster(_ identity: PostgresResult) -> [String?] { [identity.text(0, 0), identity.text(0, 1)] }
}
